// Seats are neither lost nor taken by mistake.

import assert from "node:assert/strict";

import { scene } from "./scene.mjs";
import { playInTurn, Table } from "./table.mjs";

/** Lets requests reach the server, and something else happen to what it answers. */
async function instead(page, pattern, answer) {
  await page.route(pattern, async (route) => {
    await route.fetch();
    await answer(route);
  });
}

/** Somebody sits down and does not hear that the seat is theirs: they have it all the same. */
async function sitUnheard(scene, answer) {
  const [ada, bob] = await Promise.all([scene.visitor(), scene.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.at(bob.page, first.path);
  await instead(bob.page, "**/seats", answer);
  await second.press("Sit down and play");
  await playInTurn([first, second], "b2 a1");
  await first.shows({ board: "O.. .X. ...", players: ["You", "Guest"] });
  bob.forgive(/ERR_FAILED|seats|503/);
}

scene("who did not hear that the seat is theirs has it all the same", async (scene) => {
  await sitUnheard(scene, (route) => route.abort());
});

scene("who is told that nobody knows yet whether the seat is theirs has it all the same", async (scene) => {
  const refusal = { code: "unavailable", message: "Try again", because: [] };
  const body = JSON.stringify({ refusal: { ...refusal, reasons: [refusal] } });
  await sitUnheard(scene, (route) => route.fulfill({ status: 503, contentType: "application/problem+json", body }));
});

scene("two tabs that sit down at once are one player", async (scene) => {
  const [ada, bob] = await Promise.all([scene.visitor(), scene.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.at(bob.page, first.path);
  const third = await Table.at(await bob.tab(), first.path);
  await second.press("Sit down and play");
  await first.shows({ players: ["You", "Guest"], status: "Your turn." });
  // The other tab learns of it by itself.
  await third.shows({ players: ["Ada", "You"], watching: undefined });
});

scene("a browser that keeps nothing can play with a friend all the same", async (scene) => {
  const [ada, bob] = await Promise.all([scene.visitor(), scene.visitor()]);
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

scene("who has gone elsewhere is not pulled to a table that was slow to come", async (scene) => {
  const visitor = await scene.visitor();
  const { page } = visitor;
  await visitor.open("/");
  const held = [];
  await page.route("**/api/tables", (route) => held.push(route));
  await page.getByRole("link", { name: "Play a friend" }).click();
  await page.getByText("Making a table …").waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "One screen" }).click();
  await page.locator("#board").waitFor();
  const seated = page.waitForResponse("**/seats");
  for (const route of held) await route.continue();
  await seated;
  assert.equal(new URL(page.url()).pathname, "/play/one-screen");
});

scene("who presses too often gives up once", async (scene) => {
  const { page } = await scene.visitor();
  const table = await Table.at(page, "/play/one-screen");
  await table.point("a1", "a2", "b1", "b2", "c1");
  const place = await page.getByRole("button", { name: "Concede" }).boundingBox();
  await page.mouse.click(place.x + 20, place.y + 20, { clickCount: 5 });
  await table.shows({ round: "Round 2", wins: "1 : 0" });
});

scene("nobody meets themselves in a quick match", async (scene) => {
  const [ada, bob] = await Promise.all([scene.visitor(), scene.visitor()]);
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
