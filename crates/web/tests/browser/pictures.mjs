// Takes the screenshots for the docs.

import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { animated } from "./animation.mjs";
import { launch, Visitor } from "./browser.mjs";
import { Cradle } from "./cradle.mjs";
import { drawIcons } from "./icons.mjs";
import { Lab } from "./lab.mjs";
import { Table } from "./table.mjs";

/** Nothing moves, so that every picture shows the end of each movement. */
const STILL = { reducedMotion: "reduce" };

/** The size of a phone. */
const PHONE_SIZE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.5, hasTouch: true };

/** The pictures: a name, the browser's options, and what happens before the picture is taken. */
const PICTURES = [
  ["table", { viewport: { width: 1180, height: 800 } }, explainedTable],
  ["won-dark", { viewport: { width: 1000, height: 780 }, colorScheme: "dark" }, wonRound],
  ["phone", PHONE_SIZE, phone],
  ["replay", { viewport: { width: 1000, height: 860 } }, replay],
  ["what-if", { viewport: { width: 1000, height: 860 } }, whatIf],
  ["puzzle", { viewport: { width: 1000, height: 860 } }, puzzle],
  ["all-games", { viewport: { width: 1180, height: 800 } }, allGames],
  ["phone-connect-four", PHONE_SIZE, onPhone("connect-four", "d1", "d1", "c1")],
  ["phone-ultimate", PHONE_SIZE, onPhone("ultimate", "e5", "d4", "b2")],
  ["arabic", { viewport: { width: 1000, height: 860 }, locale: "ar-EG" }, foreignTable],
  ["arabic-home", { viewport: { width: 1180, height: 900 }, locale: "ar-EG" }, home],
  ["japanese-phone", { ...PHONE_SIZE, locale: "ja-JP" }, foreignTable],
  ["german-home", { viewport: { width: 1180, height: 900 }, locale: "de-DE" }, home],
  ["spanish-phone", { ...PHONE_SIZE, locale: "es-ES" }, home],
  ["lab", { viewport: { width: 1280, height: 900 } }, refutedLab],
  ["lab-dark", { viewport: { width: 1280, height: 900 }, colorScheme: "dark" }, wovenLab],
  ["lab-phone", PHONE_SIZE, phoneLesson],
  ["lab-phone-dark", { ...PHONE_SIZE, colorScheme: "dark" }, phoneLab],
];

/** The computer has prevented a fork, and a person has clicked a taken square. */
async function explainedTable(page) {
  const table = await Table.at(page, "/play/computer");
  await table.click("a1");
  await table.shows({ board: "X.. .O. ..." });
  await table.click("c3");
  await table.shows({ board: "XO. .O. ..X" });
  await table.press("Why?");
  await table.click("b2");
  await page.locator("#hint summary").waitFor();
}

/** A replay at the first mistake. */
async function replay(page) {
  await Table.at(page, "/play/replay/tic-tac-toe/a1.b1.a3.a2.c3.b2.b3/1");
  await page.locator(".value.best").first().waitFor();
}

/** What each free square would lead to. */
async function whatIf(page) {
  const table = await Table.at(page, "/play/computer");
  await table.click("a1");
  await table.shows({ board: "X.. .O. ..." });
  await table.press("What if?");
  await page.locator(".value.best").first().waitFor();
}

/** The puzzle of some day. */
async function puzzle(page) {
  await page.clock.setFixedTime(new Date("2026-01-01T12:00:00Z"));
  await Table.at(page, "/play/puzzle");
}

/** The page of all games. */
async function allGames(page) {
  await page.goto("/");
  await page.locator("#games svg").last().waitFor();
  await page.locator(".all-games").scrollIntoViewIfNeeded();
}

/** The home page. */
async function home(page) {
  await page.goto("/");
  await page.locator("#games svg").last().waitFor();
}

/** A game against the computer in another language, with the reason of its last move. */
async function foreignTable(page) {
  const table = await Table.at(page, "/play/computer");
  await table.click("a1");
  await page.locator("#because:not(:empty)").waitFor();
  await table.click("c3");
  await page.locator("[data-name=b1] .mark").waitFor();
  await table.click("a1");
  await page.locator("#hint summary").waitFor();
}

/** A game on a phone, some moves in. */
function onPhone(game, ...moves) {
  return async (page) => {
    const table = await Table.at(page, `/play/one-screen/${game}`);
    await table.click(...moves);
  };
}


async function wonRound(page) {
  const table = await Table.at(page, "/play/one-screen");
  await table.click("a1", "b1", "b2", "a2", "c1", "c3", "a3");
  await table.shows({ status: "X won this round." });
}

async function phone(page) {
  const table = await Table.at(page, "/play/computer");
  await table.click("b2");
  await table.shows({ board: "O.. .X. ..." });
  await table.click("b1");
  await table.shows({ board: "OX. .X. .O." });
}

/** A strategy is switched off, and its counterexample is on the board. */
async function refutedLab(page) {
  const lab = await Lab.at(page);
  await lab.switch("PreventXFork");
  await lab.finds("XNeverWins", "mark(X, a1)");
  await lab.press("Put it on the board");
  for (let place = 0; place < 5; place += 1) await lab.press("Forward");
}

async function phoneLab(page) {
  const lab = await Lab.at(page);
  await lab.proves("641 states");
  await lab.click("a1");
  await page.locator("#play-heading").scrollIntoViewIfNeeded();
}

/** A game against a player that tries moves out, and its weave. */
async function wovenLab(page) {
  const lab = await Lab.at(page);
  await page.getByLabel("Who plays O?").selectOption("Tries moves out");
  for (const square of ["a1", "c3"]) {
    await lab.click(square);
    await lab.says("X to move.");
  }
  await page.locator("#weave .knots").last().click();
  await page.evaluate(() => document.querySelector("#weave").scrollIntoView({ block: "end" }));
}

async function phoneLesson(page) {
  await Lab.at(page);
  await page.locator("#lessons").selectOption("tutorial");
  await page.locator("#proof .counts").waitFor();
}

/** A walk through the lab: after each step a frame, and how long it is shown. */
async function* walk(page) {
  const lab = await Lab.at(page);
  await lab.proves("641 states");
  yield 2_000;
  await lab.click("a1");
  yield 1_200;
  await lab.click("b2");
  yield 2_000;
  await page.locator("#switch-PreventXFork").scrollIntoViewIfNeeded();
  yield 1_000;
  await lab.switch("PreventXFork");
  await lab.finds("XNeverWins", "mark(X, a1)");
  yield 2_500;
  await lab.press("Put it on the board");
  for (let place = 0; place < 8; place += 1) {
    await lab.press("Forward");
    yield 500;
  }
  yield 1_500;
  await page.locator("#weave-heading").scrollIntoViewIfNeeded();
  await page.locator("#weave .knots").nth(5).click();
  await page.evaluate(() => scrollTo(0, document.querySelector("#weave").getBoundingClientRect().top + scrollY - 60));
  yield 3_000;
  await page.evaluate(() => scrollTo(0, 0));
  await lab.switch("PreventXFork");
  await lab.proves("641 states");
  yield 1_500;
  await lab.press("Play with a friend");
  await page.getByText("A table with your rules is open.").waitFor();
  yield 3_000;
}

/** Takes the frames of the walk, and makes one picture of them. */
async function animatedWalk(browser, address, path) {
  const options = { ...STILL, viewport: { width: 1120, height: 720 } };
  const visitor = await Visitor.arrive(browser, `http://${address}`, options);
  const frames = [];
  for await (const time of walk(visitor.page)) frames.push([await visitor.page.screenshot(), time]);
  const picture = animated(frames);
  if (picture.length > MOST_BYTES) throw new Error(`the walk has ${picture.length} bytes`);
  await writeFile(path, picture);
  await visitor.leave();
}

/** The most bytes of the walk. */
const MOST_BYTES = 1_000_000;

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("name the folder of the pictures. Run cargo xtask pictures.");
const own = await mkdtemp(join(tmpdir(), "cradle-pictures-"));
process.env.PICTURES = own;
const [cradle, browser] = await Promise.all([Cradle.start(), launch()]);
try {
  for (const [name, options, prepare] of PICTURES) {
    const visitor = await Visitor.arrive(browser, `http://${cradle.address}`, { ...STILL, ...options });
    await prepare(visitor.page);
    await visitor.picture(name);
    if (visitor.complaints.length > 0) throw new Error(visitor.complaints.join("\n"));
    await copyFile(join(own, `${name}.png`), join(folder, `${name}.png`));
    console.log(`${name}.png`);
    await visitor.leave();
  }
  await animatedWalk(browser, cradle.address, join(folder, "lab-walk.png"));
  console.log("lab-walk.png");
  await drawIcons(browser);
} finally {
  await browser.close();
  await cradle.end();
  await rm(own, { recursive: true, force: true });
}
