// When something is not as it should be, the page says what, and what to do next.

import assert from "node:assert/strict";

import { Line } from "./line.mjs";
import { scene } from "./scene.mjs";
import { Table } from "./table.mjs";

/** The page says what is wrong, and offers these ways on. */
async function troubled(page, title, ways) {
  const trouble = page.locator(".trouble", { hasText: title });
  await trouble.waitFor();
  assert.deepEqual(await trouble.locator(".actions > *").allInnerTexts(), ways);
}

scene("a link to a table that does not exist, or that was cut off", async (scene) => {
  const { page } = await scene.visitor();
  for (const path of ["/t/AAAAAAAAAAAAAAAAAAAAAA", "/t/AAAAAAAAAA"]) {
    await page.goto(path);
    await troubled(page, "There is no such table.", ["New table", "To the beginning"]);
  }
  await page.getByRole("link", { name: "New table" }).click();
  await page.waitForURL("**/t/*");
  await new Table(page).shows({ status: "Waiting for the other player." });
});

scene("an address at which there is nothing", async (scene) => {
  const visitor = await scene.visitor();
  const { page } = visitor;
  for (const path of ["/t/a/b", "/play/dead"]) {
    await page.goto(path);
    await troubled(page, "There is nothing here.", ["Play the computer", "To the beginning"]);
  }
  await page.locator(".trouble").getByRole("link", { name: "Play the computer" }).click();
  await new Table(page).shows({ status: "Your turn." });
  await page.goto("/nowhere");
  await page.getByRole("link", { name: "To the beginning" }).click();
  await page.getByRole("heading", { name: "Shall we play a game?" }).waitFor();
  visitor.forgive(/404/);
});

scene("somebody is faster, and who comes late is told so and watches", async (scene) => {
  const [ada, bob] = await Promise.all([scene.visitor(), scene.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const line = await Line.of(bob.page);
  const late = await Table.at(bob.page, first.path);
  line.hold();
  await scene.cradle.post(`/api/tables/${first.id}/seats`, { name: "Carl" });
  await first.shows({ players: ["You", "Carl"] });
  await late.press("Sit down and play");
  const answer = bob.page.locator(".join .hint");
  await answer.filter({ hasText: "You can watch." }).waitFor();
  assert.equal(await answer.innerText(), "Player two has already joined. You can watch.");
  line.letGo();
  await late.shows({ watching: "Somebody was faster: both seats are taken. You are watching. New table" });
  bob.forgive(/409/);
  const stranger = await scene.visitor();
  const third = await Table.at(stranger.page, first.path);
  await third.shows({ watching: "You are watching. New table", players: ["Ada", "Carl"] });
});

scene("without the server there is no table for friends, but the computer plays", async (scene) => {
  const visitor = await scene.visitor();
  const { page } = visitor;
  await Table.at(page, "/play/computer");
  await page.getByRole("link", { name: "Cat’s Cradle" }).click();
  await scene.cradle.kill();
  await page.getByRole("link", { name: "Play a friend" }).click();
  await troubled(page, "The server does not answer.", ["Try again", "Play the computer"]);
  await page.getByRole("link", { name: "Play the computer" }).click();
  const table = new Table(page);
  await table.point("b2");
  await table.shows({ board: "O.. .X. ..." });
  visitor.forgive(/ERR_CONNECTION_REFUSED/);
});

scene("a page that is older than the server asks to be loaded again", async (scene) => {
  const [ada, bob] = await Promise.all([scene.visitor(), scene.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  await Line.of(bob.page, (text) => text.replace('"protocol":1', '"protocol":2'));
  await bob.page.goto(first.path);
  await troubled(bob.page, "This page is older than the server.", ["Load it again", "To the beginning"]);
});

scene("a browser without WebAssembly is told what it needs", async (scene) => {
  const visitor = await scene.visitor();
  await visitor.context.addInitScript(() => delete globalThis.WebAssembly);
  for (const path of ["/", "/play/computer"]) {
    await visitor.page.goto(path);
    await troubled(visitor.page, "This browser cannot run the page.", ["Try again"]);
  }
});
