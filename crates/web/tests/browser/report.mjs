// Measures the size of the page, how soon a person can play on a slow network and machine, how soon again
// without a network, and how long a click and a frame take.

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { launch } from "./browser.mjs";
import { Cradle } from "./cradle.mjs";

/** The number of visits. */
const VISITS = 5;

/** The most bytes that a first visit loads, compressed. */
const GOAL = 250_000;

/** The most bytes of WebAssembly and JavaScript of the lab, compressed. */
const LAB_GOAL = 150_000;

/** The most milliseconds until a person can play, until they can play again without a network, from a click
 * to its mark, the same on a slow machine, and for a frame while the computer thinks. */
const GOALS = { ready: 2_000, again: 300, mark: 16, slowMark: 50, frame: 50 };

/** A slow network: bytes per second, and milliseconds of latency. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

/** How much slower the machine is. */
const SLOWNESS = 4;

/** The milliseconds until a measurement is given up. */
const TIMEOUT = 60_000;

/** A page that is playable at once. */
const PATH = "/play/computer";

class Unmeasured extends Error {}

/** The compressed bytes that a visit of a document loads; `isCounted` chooses among the files. */
async function size(document, isCounted = () => true) {
  const folder = process.env.CRADLE_PAGE;
  if (!folder) throw new Unmeasured("CRADLE_PAGE must name the packed page. Run cargo xtask page-report.");
  const { assets, ...documents } = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
  const files = [`${document}.html`, ...documents[document].loads].filter(isCounted);
  const entry = (path) => assets[path] ?? documents[document];
  const bytes = files.map((path) => (entry(path).brotli ?? entry(path).plain).bytes);
  return bytes.reduce((sum, more) => sum + more, 0);
}

const isCode = (path) => /\.(wasm|js)$/.test(path);

/** Runs first in the page, and records when each event happens. */
function watch() {
  const noted = {};
  globalThis.noted = noted;
  const attributes = { subtree: true, attributes: true, attributeFilter: ["data-ready"] };
  new MutationObserver(() => {
    if (document.documentElement.dataset.ready === "yes") noted.ready ??= performance.now();
  }).observe(document, attributes);
  const marks = () => document.querySelectorAll("button[data-cell] .mark").length;
  const look = (cell, before, clicked) => {
    const now = performance.now() - clicked;
    if (cell.querySelector(".mark")) noted.mark ??= now;
    if (marks() >= before + 2) noted.reply ??= now;
    if (noted.reply === undefined) requestAnimationFrame(() => look(cell, before, clicked));
  };
  addEventListener(
    "click",
    (event) => {
      const cell = event.target.closest("button[data-cell]");
      if (!cell || noted.clicked) return;
      noted.clicked = true;
      const before = marks();
      requestAnimationFrame(() => look(cell, before, event.timeStamp));
    },
    { capture: true },
  );
}

/** One first visit: the milliseconds until each event, on this network and with a machine that is this much
 * slower. */
async function visit(browser, origin, { network, slowness }) {
  const context = await browser.newContext({ baseURL: origin, serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    const tools = await context.newCDPSession(page);
    await tools.send("Network.enable");
    if (network) await tools.send("Network.emulateNetworkConditions", network);
    await tools.send("Emulation.setCPUThrottlingRate", { rate: slowness });
    await page.addInitScript(watch);
    await page.goto(PATH, { waitUntil: "commit", timeout: TIMEOUT });
    await happened(page, "ready", "marks its board as playable (data-ready on the document)");
    // What still arrives after the board is drawn is not part of the click.
    await page.waitForLoadState("networkidle");
    const free = "button[data-cell]:not(:disabled, [aria-disabled=true], :has(.mark))";
    await page.locator(free).first().click({ timeout: TIMEOUT });
    await happened(page, "mark", "draws a mark where it was clicked (.mark in button[data-cell])");
    await happened(page, "reply", "draws the computer's mark");
    return await page.evaluate(() => globalThis.noted);
  } finally {
    await context.close();
  }
}

/** A second visit without a network: the milliseconds until the board is playable. */
async function visitAgain(browser, origin) {
  const context = await browser.newContext({ baseURL: origin });
  try {
    const page = await context.newPage();
    await page.addInitScript(watch);
    await page.goto(PATH, { timeout: TIMEOUT });
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      const isKept = async () => (await caches.match(location.pathname)) !== undefined;
      while (!navigator.serviceWorker.controller || !(await isKept())) await new Promise((done) => setTimeout(done, 50));
    });
    await context.setOffline(true);
    await page.goto(PATH, { waitUntil: "commit", timeout: TIMEOUT });
    await happened(page, "ready", "can be opened without a network");
    return await page.evaluate(() => globalThis.noted.ready);
  } finally {
    await context.close();
  }
}

/** The longest frame in milliseconds while the computer thinks about its move. */
async function longestFrame(browser, origin) {
  const context = await browser.newContext({ baseURL: origin, serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const person = { name: "", level: "hard", is_second: false, seconds: 0 };
      localStorage.setItem("cradle:person", JSON.stringify(person));
    });
    await page.addInitScript(watch);
    await page.goto(PATH, { timeout: TIMEOUT });
    await happened(page, "ready", "marks its board as playable (data-ready on the document)");
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => {
      let before;
      globalThis.longest = 0;
      const frame = (now) => {
        globalThis.longest = Math.max(globalThis.longest, now - (before ?? now));
        before = now;
        if (globalThis.noted.reply === undefined) requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
    await page.locator("button[data-cell]").first().click({ timeout: TIMEOUT });
    await happened(page, "reply", "draws the computer's mark");
    return await page.evaluate(() => globalThis.longest);
  } finally {
    await context.close();
  }
}

async function happened(page, what, words) {
  const hasHappened = (what) => globalThis.noted?.[what] !== undefined;
  await page.waitForFunction(hasHappened, what, { timeout: TIMEOUT }).catch(() => {
    throw new Unmeasured(`The page at ${PATH} never ${words}.`);
  });
}

/** What is typed at the end of the text in the lab: a mistake, and nothing that matters. */
const TYPED = ["!", "#"];

/** Opens the lab, and measures there on a slower machine. */
async function inLab(browser, origin, slowness, act) {
  const context = await browser.newContext({ baseURL: origin });
  try {
    const page = await context.newPage();
    const tools = await context.newCDPSession(page);
    await page.goto("/lab", { timeout: TIMEOUT });
    await page.locator("#proof .counts").waitFor({ timeout: TIMEOUT });
    await tools.send("Emulation.setCPUThrottlingRate", { rate: slowness });
    return await act(page);
  } finally {
    await context.close();
  }
}

/** One visit of the lab: the milliseconds from a key to mistakes and to verdicts. */
async function visitLab(browser, origin, slowness) {
  return await inLab(browser, origin, slowness, (page) =>
    page.evaluate(async ([mistake, comment]) => {
      const area = document.querySelector("#text");
      const type = (typed) => {
        area.setRangeText(typed, area.value.length, area.value.length, "end");
        const start = performance.now();
        area.dispatchEvent(new InputEvent("input", { bubbles: true }));
        return start;
      };
      const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const proved = () =>
        new Promise((resolve) => {
          const observer = new MutationObserver(() => {
            if (!document.querySelector("#proof .counts")) return;
            observer.disconnect();
            resolve();
          });
          observer.observe(document.querySelector("#proof"), { childList: true });
        });
      let start = type(mistake);
      await painted();
      const mistakes = performance.now() - start;
      area.value = area.value.slice(0, -mistake.length);
      const done = proved();
      start = type(comment);
      await done;
      return { mistakes, verdicts: performance.now() - start };
    }, TYPED),
  );
}

/** The frames that are watched while a proof runs. */
const FRAMES = 120;

/** The longest time between two frames while a large proof runs, in milliseconds. */
async function proofFrames(browser, origin) {
  return await inLab(browser, origin, 1, async (page) => {
    await page.locator("#examples").selectOption("ultimate");
    await page.getByText("states so far").waitFor({ timeout: TIMEOUT });
    return await page.evaluate(async (frames) => {
      const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
      let [longest, before] = [0, await next()];
      for (let frame = 0; frame < frames; frame += 1) {
        const now = await next();
        longest = Math.max(longest, now - before);
        before = now;
      }
      return longest;
    }, FRAMES);
  });
}

async function measure() {
  const cradle = await Cradle.start();
  const browser = await launch();
  try {
    const [visits, quick, slow, again, frames, labs, slowLabs, proofs] = [[], [], [], [], [], [], [], []];
    const origin = `http://${cradle.address}`;
    for (let round = 0; round < VISITS; round += 1) {
      visits.push(await visit(browser, origin, { network: NETWORK, slowness: SLOWNESS }));
      quick.push(await visit(browser, origin, { slowness: 1 }));
      slow.push(await visit(browser, origin, { slowness: SLOWNESS }));
      again.push(await visitAgain(browser, origin));
      frames.push(await longestFrame(browser, origin));
      labs.push(await visitLab(browser, origin, 1));
      slowLabs.push(await visitLab(browser, origin, SLOWNESS));
      proofs.push(await proofFrames(browser, origin));
    }
    return { visits, quick, slow, again, frames, labs, slowLabs, proofs };
  } finally {
    await browser.close();
    await cradle.end();
  }
}

function line(name, numbers, goal) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const chosen = [sorted[Math.floor(sorted.length / 2)], sorted[0], sorted.at(-1)];
  const verdict = goal === undefined ? "" : `  goal ${goal}: ${chosen[0] <= goal ? "met" : "MISSED"}`;
  console.log(`${name.padEnd(34)}${chosen.map((number) => number.toFixed(0).padStart(8)).join("")}${verdict}`);
}

/** A line about bytes. */
function weigh(name, bytes, goal) {
  const verdict = goal === undefined ? "" : `, ${bytes <= goal ? "within" : "MORE than"} ${goal / 1000} kB`;
  console.log(`${name}: ${(bytes / 1000).toFixed(1)} kB${verdict}`);
}

try {
  console.log("Everything that a visit loads, in brotli form:");
  weigh("  tic-tac-toe against the computer", await size("local"), GOAL);
  weigh("  the home page", await size("home"), GOAL);
  weigh("  any other page", await size("table"));
  weigh("  WebAssembly and JavaScript of the lab, with its worker", await size("lab", isCode), LAB_GOAL);
  const { visits, quick, slow, again, frames, labs, slowLabs, proofs } = await measure();
  console.log(`${VISITS} visits each; "slow" is 1.6 Mbit/s with 150 ms latency, and a machine ${SLOWNESS} times slower:`);
  console.log(`${"milliseconds".padEnd(34)}${["median", "least", "most"].map((word) => word.padStart(8)).join("")}`);
  line("slow: from the address to a board", visits.map(({ ready }) => ready), GOALS.ready);
  line("again, without a network", again, GOALS.again);
  line("from a click to the mark", quick.map(({ mark }) => mark), GOALS.mark);
  line("the same, slower machine", slow.map(({ mark }) => mark), GOALS.slowMark);
  line("from a click to the computer's", visits.map(({ reply }) => reply));
  line("longest frame while it thinks", frames, GOALS.frame);
  line("lab: from a key to mistakes", labs.map(({ mistakes }) => mistakes));
  line("lab: from a key to verdicts", labs.map(({ verdicts }) => verdicts));
  line("the same, slower: mistakes", slowLabs.map(({ mistakes }) => mistakes));
  line("the same, slower: verdicts", slowLabs.map(({ verdicts }) => verdicts));
  line("lab: longest frame in a proof", proofs);
  console.log("The goals of the lab: 50, 50, 250, 250, 50.");
} catch (error) {
  if (!(error instanceof Unmeasured)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
