// Every game of the catalog on the page.

import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

import { browserTest } from "./context.mjs";
import { becomes, Table } from "./table.mjs";

browserTest("the home page offers every game with a picture, and each has a page", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  const { games } = await context.cradle.get("/api/games");
  await visitor.open("/");
  const links = page.locator("#games a");
  await becomes(games.length, async () => await links.count());
  await becomes(games.length, async () => await page.locator(".small-board > svg").count());
  await visitor.checkAccessibility();
  await visitor.picture("all-games");
  await page.getByRole("link", { name: "Connect Four" }).click();
  await page.getByRole("heading", { name: "Connect Four" }).waitFor();
  assert.equal(await page.title(), "Connect Four · Cat’s Cradle");
  await page.getByText("Four of your pieces in a row").waitFor();
  await visitor.checkAccessibility();
  await visitor.picture("game-page");
  await page.getByRole("link", { name: "One screen" }).click();
  const table = new Table(page);
  await table.click("d1");
  await table.shows({ status: "O’s turn." });
  assert.equal(await table.square("d6").getAttribute("aria-label"), "d6, X");
  await page.goBack();
  await page.goBack();
  await page.getByRole("heading", { name: "Shall we play a game?" }).waitFor();
});

browserTest("every game is played against the computer in the browser", async (context) => {
  const visitor = await context.visitor({ viewport: { width: 390, height: 780 } });
  const { page } = visitor;
  const { games } = await context.cradle.get("/api/games");
  await visitor.open("/");
  await page.getByLabel("Fair").check();
  // The whole page and its searches are loaded with the first game, and then kept by the browser.
  const table = await Table.at(page, "/play/computer/misere");
  await table.click("a1");
  await table.shows({ status: "Your turn." });
  await context.cradle.kill();
  for (const { name } of games) {
    await page.evaluate((path) => {
      const link = Object.assign(document.createElement("a"), { href: path });
      document.body.append(link);
      link.click();
      link.remove();
    }, `/play/computer/${name === "mnk:3,3,3" ? "mnk:4,4,3" : name}`);
    await page.locator(".play .players").waitFor();
    const before = await page.locator(".play").innerText();
    const first = page.locator(".square.free, .play > .actions:not(:has(#why)) button").first();
    await first.click();
    const choice = page.locator(".play > .actions:not(:has(#why)) button");
    if (name === "wild") await choice.first().click();
    await becomes(true, async () => (await page.locator(".play").innerText()) !== before);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${name} scrolls sideways`);
    await visitor.picture(`phone-${name.replaceAll(/\W/g, "-")}`);
  }
  visitor.forgive(/ERR_CONNECTION_REFUSED/);
  // A person who leaves a table ends its worker, which may still be starting.
  visitor.forgive(/search-worker.*ERR_ABORTED/);
});

browserTest("friends play any game that hides nothing", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  await ada.page.goto("/play/friend/odds-and-evens");
  await ada.page.waitForURL("**/t/*");
  const first = new Table(ada.page);
  const path = first.path;
  const second = await (async () => {
    await bob.page.goto(path);
    await bob.page.getByRole("button", { name: "Join the game" }).click();
    return new Table(bob.page);
  })();
  await first.press("one finger");
  await second.press("two fingers");
  await Promise.all([first, second].map((table) => table.page.getByRole("button", { name: "Next round" }).waitFor()));
});

browserTest("games against the computer are listed, continued and removed", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  const table = await Table.at(page, "/play/computer");
  await table.click("a1");
  await table.shows({ board: "X.. .O. ..." });
  await page.goto("/play/one-screen/ultimate");
  await page.locator("#board").waitFor();
  await visitor.open("/");
  const items = async () => await page.locator(".recent li a").allInnerTexts();
  await becomes(["Ultimate tic-tac-toe · on one screen", "Your turn · Tic-tac-toe · Computer (Teacher) · 0 : 0"], items);
  await page.getByRole("button", { name: "Remove Ultimate tic-tac-toe · on one screen" }).click();
  await becomes(["Your turn · Tic-tac-toe · Computer (Teacher) · 0 : 0"], items);
  await page.getByLabel("Easy").check();
  await page.getByRole("link", { name: "Continue: your turn" }).click();
  await table.shows({ board: "X.. .O. ...", about: ["play X · here", "plays O · Teacher"] });
});

/** Two people at a table of Kuhn poker; the first one is in turn. */
async function atKuhnPoker(context) {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  await ada.page.goto("/play/friend/kuhn-poker");
  await ada.page.waitForURL("**/t/*");
  const first = new Table(ada.page);
  await bob.page.goto(first.path);
  await bob.page.getByRole("button", { name: "Join the game" }).click();
  const second = new Table(bob.page);
  await first.shows({ status: "Your turn." });
  return [first, second];
}

browserTest("two people play Kuhn poker, and each sees one card", async (context) => {
  const [first, second] = await atKuhnPoker(context);
  for (const table of [first, second]) {
    const isHidden = (note) => note.endsWith("holds ?");
    await becomes(1, async () => (await table.look()).notes.filter(isHidden).length);
  }
  await first.press("bet");
  await second.shows({ status: "Your turn." });
  await second.press("pass");
  await first.shows({ status: "You won this round.", wins: "1 : 0", buttons: ["Next round"] });
  await first.press("Next round");
  await first.shows({ round: "Round 2" });
  await second.shows({ round: "Round 1", wins: "1 : 0", buttons: ["Next round"] });
  await second.press("Next round");
  await second.shows({ round: "Round 2" });
});

browserTest("a player resigns while the other one thinks, also where only the server knows the cards", async (context) => {
  const [first, second] = await atKuhnPoker(context);
  await second.press("Resign");
  await second.press("Yes, resign");
  const status = "Guest resigned. You win this round.";
  await first.shows({ status, wins: "1 : 0", round: "Round 1", buttons: ["Next round"] });
  await first.press("Next round");
  await first.shows({ wins: "1 : 0", round: "Round 2" });
});

/** A folder with one game as a text. */
const FOLDER = await mkdtemp(join(tmpdir(), "cradle-games-"));
await copyFile(new URL("../../../../games/nim.cradle", import.meta.url), join(FOLDER, "nim.cradle"));
after(async () => await rm(FOLDER, { recursive: true }));

browserTest("a game that the server has as a text is listed and played", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  await visitor.open("/");
  const text = page.locator("#games a", { hasText: "nim" }).first();
  await text.click();
  await page.getByText("The rules of this game are a text on this server").waitFor();
  await page.getByRole("link", { name: "Play a friend" }).click();
  await page.waitForURL("**/t/*");
  const first = new Table(page);
  await first.shows({ status: "Waiting for the other player." });
  const bob = await context.visitor();
  await bob.page.goto(first.path);
  await bob.page.getByRole("button", { name: "Join the game" }).click();
  await first.shows({ status: "Your turn." });
  await page.locator(".square.free, .play > .actions:not(:has(#why)) button").first().click();
  await new Table(bob.page).shows({ status: "Your turn." });
}, ["--games", FOLDER]);
