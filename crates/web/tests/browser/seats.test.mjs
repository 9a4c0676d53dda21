// No seat is lost or taken by mistake.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";
import { playInTurn, Table } from "./table.mjs";

/** Lets requests reach the server, but replaces its answers. */
async function instead(page, pattern, answer) {
  await page.route(pattern, async (route) => {
    await route.fetch();
    await answer(route);
  });
}

/** A visitor takes a seat, loses the answer, and has the seat anyway. */
async function joinWithoutAnswer(context, answer) {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.at(bob.page, first.path);
  await instead(bob.page, "**/seats", answer);
  await second.press("Join the game");
  await playInTurn([first, second], "b2 a1");
  await first.shows({ board: "O.. .X. ...", players: ["You", "Guest"] });
  bob.forgive(/ERR_FAILED|seats|503/);
}

browserTest("a seat is kept when the answer is lost", async (context) => {
  await joinWithoutAnswer(context, (route) => route.abort());
});

/** The answer of a server that does not know the result. */
async function unavailable(route) {
  const refusal = { code: "unavailable", message: "Try again", because: [] };
  const body = JSON.stringify({ refusal: { ...refusal, reasons: [refusal] } });
  await route.fulfill({ status: 503, contentType: "application/problem+json", body });
}

browserTest("a seat is kept when the server does not know the result", async (context) => {
  await joinWithoutAnswer(context, unavailable);
});

browserTest("a seat that moves to another device is kept when the server does not know the result", async (context) => {
  const [ada, bob, phone] = await Promise.all([context.visitor(), context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await playInTurn([first, second], "b2 a1");
  await first.shows({ status: "Your turn." });
  await first.press("Another device");
  const link = new URL(await ada.page.locator("#device-link").inputValue());
  await instead(phone.page, "**/actions", unavailable);
  const moved = await Table.at(phone.page, link.pathname + link.hash);
  await moved.shows({ players: ["You", "Bob"], status: "Your turn." });
  await moved.play("c3");
  await second.shows({ board: "O.. .X. ..X", status: "Your turn." });
  phone.forgive(/503|actions/);
  ada.forgive(/./);
});

browserTest("two tabs of one person share a seat", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.at(bob.page, first.path);
  const third = await Table.at(await bob.tab(), first.path);
  await second.press("Join the game");
  await first.shows({ players: ["You", "Guest"], status: "Your turn." });
  // The other tab finds out without a reload.
  await third.shows({ players: ["Ada", "You"], watching: undefined });
});

browserTest("a browser without storage can play with a friend", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  await ada.context.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
    }
  });
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await playInTurn([first, second], "b2 a1");
  await first.shows({ board: "O.. .X. ...", status: "Your turn." });
});

browserTest("a slow new table does not pull the person away from another page", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  // All of it happens in one program: leaving a document would end the request.
  await visitor.open("/play/game/tic-tac-toe");
  const held = [];
  await page.route("**/api/tables", (route) => held.push(route));
  await page.getByRole("link", { name: "Play a friend" }).click();
  await page.getByText("Opening a table …").waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "One screen" }).click();
  await page.locator("#board").waitFor();
  const seated = page.waitForResponse("**/seats");
  for (const route of held) await route.continue();
  await seated;
  assert.equal(new URL(page.url()).pathname, "/play/one-screen");
});

browserTest("five quick clicks start one round, and none lands on the button after it", async (context) => {
  const { page } = await context.visitor();
  const table = await Table.at(page, "/play/one-screen");
  await table.click("a1", "a2", "b1", "b2", "c1");
  const place = await page.getByRole("button", { name: "Next round" }).boundingBox();
  await page.mouse.click(place.x + 20, place.y + 20, { clickCount: 5 });
  await table.shows({ round: "Round 2", wins: "1 : 0", buttons: ["Resign"] });
});

browserTest("a quick match never pairs a person with themselves", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const wait = async (page) => {
    await page.goto("/play/anybody");
    await page.waitForURL("**/t/*");
    const table = new Table(page);
    await table.shows({ players: ["You", "Nobody yet"] });
    return table;
  };
  await wait(ada.page);
  await ada.open("/");
  const first = await wait(ada.page);
  const tab = await wait(await ada.tab());
  assert.equal(tab.path, first.path, "two tabs of one person are one player");
  await bob.page.goto("/play/anybody");
  await bob.page.waitForURL(`**${first.path}`);
  for (const table of [first, tab]) await table.shows({ players: ["You", "Guest"], status: "Your turn." });
});
