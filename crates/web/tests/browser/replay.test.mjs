// Games that are over: replay, analysis, history.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";

import { browserTest } from "./context.mjs";
import { becomes, Table } from "./table.mjs";

/** O answers a corner with an edge, which loses. */
const LOST = "/play/replay/tic-tac-toe/a1.b1.a3.a2.c3.b2.b3";

browserTest("a game is replayed with the exact value of every move and its first mistake", async (context) => {
  const visitor = await context.visitor({ permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = visitor;
  const table = await Table.at(page, `${LOST}/1`);
  await table.shows({ board: "X.. ... ..." });
  const status = async () => await page.locator("#replay-status").innerText();
  await becomes("Then: b1. A mistake.", status);
  await becomes("draw", async () => await table.square("b2").locator(".value.best").innerText());
  assert.match(await table.square("b1").locator(".value").innerText(), /^loss in \d$/);
  assert.equal(await page.locator("#replay-method").innerText(), "The values are exact.");
  await visitor.checkAccessibility();
  await visitor.picture("replay");
  await page.getByLabel("Move of this round").fill("7");
  await table.shows({ board: "XO. OO. XXX" });
  await becomes("X won this round.", status);
  await table.press("First mistake");
  await table.shows({ board: "X.. ... ..." });
  await table.press("Copy link");
  await page.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${visitor.origin}${LOST}/1`);
  await table.press("Why?");
  await page.getByText("After X on a1").waitFor();
});

browserTest("a lost round leads to the move that lost it", async (context) => {
  const { page } = await context.visitor();
  const table = await Table.at(page, "/play/computer");
  // The teacher answers in the centre and at a2; then X does not block its row.
  for (const [chosen, board] of [
    ["a1", "X.. .O. ..."],
    ["a3", "X.. OO. X.."],
    ["c3", "X.. OOO X.X"],
  ]) {
    await table.click(chosen);
    await table.shows({ board });
  }
  await table.press("Where did I lose it?");
  await page.waitForURL("**/play/replay/tic-tac-toe/**");
  await becomes("Then: c3. A mistake.", async () => await page.locator("#replay-status").innerText());
  await page.goBack();
  await page.getByRole("button", { name: "Next round" }).waitFor();
});

browserTest("a download is a transcript that the command accepts", async (context) => {
  const { page } = await context.visitor();
  await Table.at(page, LOST);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#download").click()]);
  assert.equal(download.suggestedFilename(), "tic-tac-toe.txt");
  const path = await download.path();
  const replay = spawnSync(process.env.CRADLE, ["replay", "--game", "tic-tac-toe", path], { encoding: "utf8" });
  assert.equal(replay.status, 0, replay.stderr);
  assert.match(await readFile(path, "utf8"), /XWin\[6,7,8\]/);
});

browserTest("a link to something that is no game says so", async (context) => {
  const { page } = await context.visitor();
  await page.goto("/play/replay/tic-tac-toe/a1.a1");
  await page.getByText("This is no game.").waitFor();
  await page.getByText("The rules do not allow ply 2.").waitFor();
});

browserTest("finished games are kept, searched and looked at again", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  const table = await Table.at(page, "/play/computer");
  await table.click("a1");
  await table.shows({ board: "X.. .O. ..." });
  await table.press("Resign");
  await table.press("Yes, resign");
  await page.locator("#look-again").waitFor();
  await page.goto("/play/history");
  const lines = async () => await page.locator(".history li > span:first-child").allInnerTexts();
  await becomes(["Tic-tac-toe · Computer (Teacher) · Lost"], lines);
  assert.equal(await page.locator("#record").innerText(), "Won 0 · drawn 0 · lost 1");
  await page.getByLabel("Search by game, opponent or result").fill("won");
  await becomes([], lines);
  await page.getByLabel("Search by game, opponent or result").fill("teacher");
  await becomes(1, async () => (await lines()).length);
  await visitor.checkAccessibility();
  await page.getByRole("link", { name: "Look again" }).click();
  await new Table(page).shows({ board: "X.. .O. ..." });
  assert.equal(await page.locator("#download").count(), 0, "a resigned round has no result in a transcript");
});
