// The puzzle of the day, what if, frames of other sites, and a picture of the board to share.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

import { browserTest } from "./context.mjs";
import { becomes, playInTurn, Table } from "./table.mjs";

const marksOf = (board) => board.replaceAll(/[. ]/g, "").length;

browserTest("the puzzle of the day has one solution, and a wrong move can be taken back", async (context) => {
  const visitor = await context.visitor({ reducedMotion: "reduce" });
  await visitor.page.clock.setFixedTime(new Date("2026-01-01T12:00:00Z"));
  const table = await Table.at(visitor.page, "/play/puzzle");
  const said = visitor.page.locator("#puzzle");
  await said.getByText(/One move wins, in \d plies: find it\./).waitFor();
  assert.equal(await visitor.page.locator("#take-back").count(), 0, "the position stays");
  await visitor.picture("puzzle");
  const before = (await table.look()).board;
  const free = await visitor.page.locator("#board .square.free").evaluateAll((squares) => squares.map((square) => square.dataset.name));
  let solved = 0;
  for (const name of free) {
    await table.click(name);
    await said.getByText(/That is it!|Not that one/).waitFor();
    if ((await said.textContent()).startsWith("That is it!")) solved += 1;
    // The computer answers, or has won.
    const marks = marksOf(before) + 2;
    const again = visitor.page.locator("#again");
    await becomes(true, async () => (await again.count()) > 0 || marksOf((await table.look()).board) === marks);
    if ((await again.count()) > 0) await again.click();
    else await table.press("Take back");
    await said.getByText(/One move wins/).waitFor();
    await table.shows({ board: before });
  }
  assert.equal(solved, 1);
});

browserTest("against the computer, what if writes a value on every free square", async (context) => {
  const visitor = await context.visitor();
  const table = await Table.at(visitor.page, "/play/computer");
  await table.play("a1");
  await table.shows({ status: "Your turn." });
  await table.press("What if?");
  await visitor.page.locator(".value").first().waitFor();
  assert.equal(await visitor.page.locator(".value").count(), 7);
  await visitor.picture("what-if");
  await table.click("c3");
  await visitor.page.locator(".value").first().waitFor({ state: "detached" });
});

browserTest("a game is analysed by playing both sides, and every free square says what it is worth", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  await page.goto("/play/game/tic-tac-toe");
  await page.getByRole("link", { name: "Analyse" }).click();
  await page.waitForURL("**/play/analyse");
  const table = new Table(page);
  const values = async () => await page.locator(".value").count();
  await becomes(9, values);
  await page.getByText("The values are exact.").waitFor();
  await table.click("a1", "b1");
  await table.shows({ board: "XO. ... ..." });
  await becomes(7, values);
  assert.match(await table.square("b2").getAttribute("aria-label"), /win in \d/);
  await visitor.checkAccessibility();
  await visitor.picture("analysis");
  await table.press("Take back");
  await table.shows({ board: "X.. ... ..." });
  await becomes(8, values);
  await table.click("b1", "b2", "a2", "c3");
  await page.getByText("X won this round.").waitFor();
  await page.getByRole("button", { name: "Play again" }).click();
  await table.shows({ board: "... ... ..." });
  await page.goto("/play/history");
  assert.equal(await page.locator(".history li").count(), 0, "what is tried out is no game");
  await page.goto("/play/game/odds-and-evens");
  await page.getByRole("link", { name: "Play a friend" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Analyse" }).count(), 0, "both choose at once");
  visitor.forgive(/search-worker.*ERR_ABORTED/);
});

browserTest("between people there is neither a hint nor what if", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await playInTurn([first, second], "a1 b2");
  await first.shows({ status: "Your turn." });
  for (const name of ["Hint", "What if?"]) {
    assert.equal(await ada.page.getByRole("button", { name }).count(), 0, name);
  }
});

/** A page of another site with one frame. */
async function otherSite(context, path) {
  const body = `<!doctype html><title>Another site</title><iframe src="http://${context.cradle.address}${path}" width="420" height="700"></iframe>`;
  const server = createServer((_request, response) => response.end(body)).listen(0, "localhost");
  await new Promise((resolve) => server.once("listening", resolve));
  return { address: `localhost:${server.address().port}`, end: () => server.close() };
}

browserTest("another site shows a live table and a replay in a frame, in which nobody plays", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await playInTurn([first, second], "a1");
  for (const path of [`/embed${first.path}`, "/embed/play/replay/tic-tac-toe/a1"]) {
    const site = await otherSite(context, path);
    const guest = await context.visitor({}, site.address);
    await guest.page.goto("/");
    const frame = guest.page.frameLocator("iframe");
    await frame.locator('[data-name="a1"] .mark').waitFor();
    assert.equal(await frame.getByRole("button", { name: "Join the game" }).count(), 0);
    assert.equal(await frame.locator("body > header").isVisible(), false);
    await guest.picture(path.includes("replay") ? "embedded-replay" : "embedded-table");
    // A page that is closed requests nothing more.
    await guest.leave();
    guest.forgive(/./);
    site.end();
  }
  await second.play("b2");
});

browserTest("no link leads to a playable page inside a frame of another site", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await playInTurn([first, second], "a1");
  const visits = [
    [`/embed${first.path}`, "Open this table", first.path],
    ["/embed/play/replay/tic-tac-toe/a1", "Play again", "/play/game/tic-tac-toe"],
    ["/embed/moon", "Home", "/"],
  ];
  for (const [path, name, to] of visits) {
    const site = await otherSite(context, path);
    const guest = await context.visitor({}, site.address);
    await guest.page.goto("/");
    const frame = guest.page.frameLocator("iframe");
    const link = frame.locator("#view").getByRole("link", { name, exact: true });
    await link.waitFor();
    assert.equal(await frame.locator("body > header").isVisible(), false, path);
    const [opened] = await Promise.all([guest.context.waitForEvent("page"), link.click()]);
    await opened.waitForURL(`**${to}`);
    const inside = guest.page.frames().find((each) => each !== guest.page.mainFrame());
    assert.equal(new URL(inside.url()).pathname, path, "the frame stays where it is");
    assert.equal(await link.count(), 1, "and shows the same");
    assert.equal(await frame.getByRole("button", { name: "Join the game" }).count(), 0);
    // The new tab is at the server, and not at the site that the guest visits.
    await opened.waitForLoadState("networkidle");
    await opened.close();
    // A page that is closed requests nothing more.
    await guest.leave();
    guest.forgive(/./);
    site.end();
  }
  await second.play("b2");
});

browserTest("a picture of the board can be shared", async (context) => {
  const visitor = await context.visitor();
  await Table.at(visitor.page, "/play/replay/tic-tac-toe/a1.b1.b2.a2.c3");
  const downloaded = visitor.page.waitForEvent("download");
  await visitor.page.getByRole("button", { name: "Share a picture" }).click();
  const picture = await downloaded;
  assert.equal(picture.suggestedFilename(), "board.png");
  const bytes = await readFile(await picture.path());
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  assert.ok(bytes.length > 20_000, `${bytes.length} bytes`);
  if (process.env.PICTURES) await picture.saveAs(`${process.env.PICTURES}/shared-board.png`);
});
