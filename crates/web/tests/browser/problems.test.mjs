// When something is wrong, the page says what, and what to do next.

import assert from "node:assert/strict";

import { SocketProxy } from "./socket_proxy.mjs";
import { browserTest } from "./context.mjs";
import { Table } from "./table.mjs";

/** Waits for a problem with these ways out. */
async function showsProblem(page, title, waysOut) {
  const problem = page.locator(".problem", { hasText: title });
  await problem.waitFor();
  assert.deepEqual(await problem.locator(".actions > *").allInnerTexts(), waysOut);
}

browserTest("a wrong or incomplete link to a table", async (context) => {
  const { page } = await context.visitor();
  for (const path of ["/t/AAAAAAAAAAAAAAAAAAAAAA", "/t/AAAAAAAAAA"]) {
    await page.goto(path);
    await showsProblem(page, "This table does not exist.", ["New table", "Home"]);
  }
  await page.getByRole("link", { name: "New table" }).click();
  await page.waitForURL("**/t/*");
  await new Table(page).shows({ status: "Waiting for the other player." });
});

browserTest("an address that does not exist", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  for (const [path, status] of [["/t/a/b", 404], ["/play/dead", 200], ["/nowhere", 404]]) {
    const answer = await page.goto(path);
    assert.equal(answer.status(), status);
    await showsProblem(page, "Page not found.", ["Play the computer", "Home"]);
    assert.equal(await page.title(), "Page not found · Cat’s Cradle");
    await page.getByRole("link", { name: "Cat’s Cradle" }).waitFor();
  }
  await page.locator(".problem").getByRole("link", { name: "Play the computer" }).click();
  await new Table(page).shows({ status: "Your turn." });
  await page.goto("/nowhere");
  await page.locator(".problem").getByRole("link", { name: "Home", exact: true }).click();
  await page.getByRole("heading", { name: "Shall we play a game?" }).waitFor();
  visitor.forgive(/404/);
});

browserTest("a visitor who is too late for a seat hears so and watches", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const proxy = await SocketProxy.of(bob.page);
  const late = await Table.at(bob.page, first.path);
  proxy.hold();
  await context.cradle.post(`/api/tables/${first.id}/seats`, { name: "Carl" });
  await first.shows({ players: ["You", "Carl"] });
  await late.press("Join the game");
  const answer = bob.page.locator(".join .hint");
  await answer.filter({ hasText: "You can watch." }).waitFor();
  assert.equal(await answer.innerText(), "Player two has already joined. You can watch.");
  proxy.release();
  await late.shows({ watching: "Somebody was faster, and both seats are taken. You are watching. New table" });
  bob.forgive(/409/);
  const stranger = await context.visitor();
  const third = await Table.at(stranger.page, first.path);
  await third.shows({ watching: "You are watching. New table", players: ["Ada", "Carl"] });
});

browserTest("without a server, the computer still plays", async (context) => {
  const visitor = await context.visitor({ serviceWorkers: "allow" });
  const { page } = visitor;
  await Table.at(page, "/play/computer");
  await page.getByRole("link", { name: "Cat’s Cradle" }).click();
  // The whole page is another program, which the browser has kept by now.
  await page.getByText("This page also works offline.").waitFor();
  await context.cradle.kill();
  await page.getByRole("link", { name: "Play a friend" }).click();
  await showsProblem(page, "The server does not answer.", ["Try again", "Play the computer"]);
  await page.getByRole("link", { name: "Play the computer" }).click();
  const table = new Table(page);
  await table.click("b2");
  await table.shows({ board: "O.. .X. ..." });
  visitor.forgive(/ERR_CONNECTION_REFUSED|ERR_FAILED|ERR_ABORTED/);
});

browserTest("a page that is out of date asks for a reload", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  await SocketProxy.of(bob.page, (text) => text.replace('"protocol":1', '"protocol":2'));
  await bob.page.goto(first.path);
  await showsProblem(bob.page, "This page is out of date.", ["Reload", "Home"]);
});

browserTest("a browser without WebAssembly shows what it needs", async (context) => {
  const visitor = await context.visitor();
  await visitor.context.addInitScript(() => delete globalThis.WebAssembly);
  for (const path of ["/", "/play/computer"]) {
    // Leaving a page ends its unfinished requests, which would count as failed.
    await visitor.page.goto(path, { waitUntil: "networkidle" });
    await showsProblem(visitor.page, "This browser cannot run the page.", ["Try again"]);
  }
});
