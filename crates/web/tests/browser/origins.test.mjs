// Pages of other sites may use the server only if it knows them.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

import { launch } from "./browser.mjs";
import { Cradle } from "./cradle.mjs";

let browser;
let site;
let origin;

before(async () => {
  browser = await launch();
  site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>Another site</title>");
  });
  await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${site.address().port}`;
});

after(async () => {
  await browser?.close();
  site?.close();
});

/** Runs in a page of the other site: creates a table, takes a seat, moves and opens a socket. */
async function use(address) {
  const token = "0123456789abcdef0123456789abcdef";
  const ask = async (path, body, headers) => {
    const answer = await fetch(`http://${address}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, id: answer.headers.get("x-request-id"), body: await answer.json() };
  };
  const created = await ask("/api/tables", { game: "tic-tac-toe", computers: [null, "random"] });
  const table = `/api/tables/${created.body.id}`;
  const seated = await ask(`${table}/seats`, { name: "Ada", token });
  const action = { id: "ada:1", action: "play", round: 1, ply: 0, move: "b2" };
  const moved = await ask(`${table}/actions`, action, { authorization: `Bearer ${token}` });
  const socket = new WebSocket(`ws://${address}/socket/websocket?vsn=2.0.0`);
  const opened = await new Promise((resolve) => {
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
  });
  socket.close();
  const statuses = [created, seated, moved].map(({ status }) => status);
  return { statuses, hasId: created.id !== null, opened };
}

async function used(given) {
  const cradle = await Cradle.start(given);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(origin);
    return await page.evaluate(use, cradle.address).catch((error) => error.message);
  } finally {
    await context.close();
    await cradle.end();
  }
}

test("a page of a named site uses the whole server", async () => {
  assert.deepEqual(await used(["--origin", origin]), { statuses: [201, 200, 200], hasId: true, opened: true });
});

test("a page of any other site is kept out by the browser", async () => {
  assert.match(await used([]), /Failed to fetch/);
  assert.match(await used(["--origin", "https://games.example"]), /Failed to fetch/);
});
