// The lab: rules as text, switched off, played, proved and shared.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";
import { Lab } from "./lab.mjs";
import { becomes } from "./table.mjs";

/** Nothing moves, so that pictures are alike. */
const still = { reducedMotion: "reduce" };

const TIC_TAC_TOE = "641 states · 783 edges";

browserTest("the lab proves, refutes and plays tic-tac-toe", async (context) => {
  const visitor = await context.visitor(still);
  const lab = await Lab.at(visitor.page);
  await lab.proves(TIC_TAC_TOE, { XNeverWins: "✓", EveryGameEnds: "✓" });
  await lab.switch("PreventXFork");
  await lab.finds("XNeverWins", "mark(X, a1) · mark(O, b2) · mark(X, b3)");
  await visitor.picture("lab-refuted");
  await lab.press("Put it on the board");
  for (let place = 0; place < 7; place += 1) await lab.press("Forward");
  await lab.press("Forward");
  await lab.says("The game is over: X wins.");
  await lab.switch("PreventXFork");
  await lab.proves(TIC_TAC_TOE, { XNeverWins: "✓" });
  await lab.click("a1");
  await lab.says("X to move.");
  await lab.click("b2");
  await visitor.page.locator("#play .lab-notice", { hasText: "SquareTaken(b2)" }).waitFor();
  assert.equal(await visitor.page.locator("#weave .knots").count(), 2);
  for (const form of ["svg", "png"]) {
    const download = visitor.page.waitForEvent("download");
    await lab.press(`Save as ${form.toUpperCase()}`);
    assert.equal((await download).suggestedFilename(), `tic-tac-toe-weave.${form}`);
  }
  await lab.press("Draw the states");
  await visitor.page.getByText("near the current one").waitFor();
  await visitor.page.locator("#state-1").click();
  await lab.says("Choose what happens next.");
});

/** The width of the weave as it is drawn. */
const width = (page) => page.locator("#weave svg").evaluate((weave) => weave.clientWidth);

browserTest("the weave becomes larger and smaller by buttons, keys, wheel and two fingers", async (context) => {
  const visitor = await context.visitor({ ...still, hasTouch: true });
  const { page } = visitor;
  const lab = await Lab.at(page);
  await lab.click("a1");
  const usual = await width(page);
  const changes = async (act, isRight, what) => {
    const before = await width(page);
    await act();
    await becomes(true, async () => isRight(await width(page), before));
    assert.ok(isRight(await width(page), before), what);
  };
  const [larger, smaller] = [(now, before) => now > before, (now, before) => now < before];
  await changes(() => lab.press("Larger"), larger, "the button");
  await changes(() => lab.press("Smaller"), smaller, "the other button");
  await page.locator("#weave-picture").focus();
  await changes(() => page.keyboard.press("+"), larger, "the key");
  await changes(() => page.keyboard.press("-"), smaller, "the other key");
  const { x, y } = await page.locator("#weave-picture").boundingBox();
  await page.mouse.move(x + 60, y + 40);
  await page.keyboard.down("Control");
  await changes(() => page.mouse.wheel(0, -200), larger, "the wheel");
  await page.keyboard.up("Control");
  const tools = await page.context().newCDPSession(page);
  const fingers = (type, gap) => {
    const touchPoints = gap ? [{ x: x + 100 - gap, y: y + 40, id: 1 }, { x: x + 100 + gap, y: y + 40, id: 2 }] : [];
    return tools.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  const pinch = async (from, to) => {
    await fingers("touchStart", from);
    await fingers("touchMove", to);
    await fingers("touchEnd");
  };
  await changes(() => pinch(20, 40), larger, "two fingers");
  await changes(() => pinch(40, 10), smaller, "two fingers together");
  await lab.press("The whole weave");
  const room = await page.locator("#weave-picture").evaluate((frame) => frame.clientWidth);
  await becomes(true, async () => Math.abs((await width(page)) - room) <= 1);
  // Another move keeps the size.
  await lab.click("b3");
  assert.ok((await width(page)) > usual);
  await page.locator("#weave .knots").first().click();
  await page.getByText("mark(X, a1):").waitFor();
});

browserTest("others play in the lab, luck has a seed, and a broken claim is red among the states", async (context) => {
  const visitor = await context.visitor(still);
  const { page } = visitor;
  const lab = await Lab.at(page);
  await page.getByLabel("Who plays O?").selectOption("Tries moves out");
  await page.getByLabel("Seed").fill("42");
  await page.getByLabel("Seed").press("Enter");
  await lab.click("a1");
  await page.getByText("games in its head and chose mark(O, b2).").waitFor();
  await lab.says("X to move.");
  await page.getByLabel("Who plays X?").selectOption("Any move");
  await lab.says("The game is over");
  await page.locator("#examples").selectOption("dining");
  await lab.finds("NobodyStarves", "pick(1, 1)");
  await lab.press("Step");
  await lab.press("At random");
  await page.getByText("2 of 2 events").waitFor();
  await page.getByLabel("Seed").fill("7");
  await page.getByLabel("Seed").press("Enter");
  await page.getByText("0 of 0 events").waitFor();
  await lab.press("Draw the states");
  assert.ok((await page.locator(".bad-edge").count()) > 1);
  // The neighbourhood of the current state reaches two events far, and the counterexample has five.
  for (const events of [2, 4, 5]) {
    await page.locator(".state.bad-state").last().click();
    await page.getByText(`${events} of ${events} events`).waitFor();
  }
  await lab.says("Stuck:");
});

browserTest("no other page loads anything of the lab", async (context) => {
  const visitor = await context.visitor(still);
  const loaded = [];
  visitor.page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await visitor.page.goto("/play/computer");
  await visitor.page.locator("html[data-ready=yes]").waitFor();
  assert.ok(loaded.some((path) => path.startsWith("/assets/web-")));
  assert.deepEqual(loaded.filter((path) => /lab|worker/.test(path)), []);
});

browserTest("mistakes are listed, found by keys, and mended", async (context) => {
  const visitor = await context.visitor(still);
  const lab = await Lab.at(visitor.page);
  const text = await lab.text();
  await lab.write(text.replace("wait for mark(square)", "wait for marks(square)"));
  const mistake = visitor.page.getByRole("button", { name: /no event is called `marks`/ });
  await mistake.waitFor();
  await visitor.page.getByText("Mend the mistakes in the text first.").first().waitFor();
  await mistake.focus();
  await visitor.page.keyboard.press("Enter");
  const selected = await visitor.page.evaluate(() => {
    const area = document.activeElement;
    return area.value.slice(area.selectionStart, area.selectionEnd);
  });
  assert.equal(selected, "marks");
  await visitor.picture("lab-mistake");
  await visitor.page.keyboard.type("mark");
  await lab.proves(TIC_TAC_TOE, { XNeverWins: "✓" });
  // Undo and indentation are the browser's own.
  await visitor.page.keyboard.press("Control+End");
  await visitor.page.keyboard.type("  # one");
  await visitor.page.keyboard.press("Enter");
  assert.ok((await lab.text()).endsWith("  # one\n  "));
  await visitor.page.keyboard.press("Control+z");
  assert.ok(!(await lab.text()).endsWith("\n  "));
  await visitor.page.keyboard.press("Control+Shift+f");
  await visitor.page.getByText("The text is in its usual form.").waitFor();
});

browserTest("a shared link gives the same text, verdicts and game to a stranger", async (context) => {
  const writer = await context.visitor({ ...still, permissions: ["clipboard-read", "clipboard-write"] });
  const lab = await Lab.at(writer.page);
  await writer.page.locator("#examples").selectOption("nim");
  await lab.proves("122 states · 518 edges");
  await lab.press("Share link");
  await writer.page.getByText("The link is copied.").waitFor();
  const link = new URL(writer.page.url());
  assert.match(link.hash, /^#text=/);
  const reader = await context.visitor(still);
  const other = await Lab.at(reader.page, link.hash);
  assert.equal(await other.text(), await lab.text());
  await other.proves("122 states · 518 edges");
  const broken = await context.visitor(still);
  await Lab.at(broken.page, "#text=!!!");
  await broken.page.getByText("The link is damaged").waitFor();
});

browserTest("texts are saved in the browser, and lessons go on where they were left", async (context) => {
  const visitor = await context.visitor(still);
  let lab = await Lab.at(visitor.page);
  await visitor.page.locator("#examples").selectOption("dining");
  await lab.finds("NobodyStarves", "pick(1, 1) · pick(2, 2)");
  await visitor.page.getByText("Saved texts").click();
  await visitor.page.locator("#save-name").fill("supper");
  await lab.press("Save");
  await visitor.page.locator("#lessons").selectOption("tutorial");
  await visitor.page.getByText("Step 1 of 10").waitFor();
  await lab.press("Show me");
  await visitor.page.getByText("✓ Nine b-threads, one rule").waitFor();
  await visitor.picture("lab-lesson");
  lab = await Lab.at(visitor.page);
  await visitor.page.locator("#lessons").selectOption("tutorial");
  await visitor.page.getByText("Step 2 of 10").waitFor();
  await visitor.page.getByText("Saved texts").click();
  await lab.press("supper");
  await lab.finds("NobodyStarves", "pick(1, 1)");
});

browserTest("a hostile text is refused, a large one is stopped, and the page stays alive", async (context) => {
  const visitor = await context.visitor(still);
  const lab = await Lab.at(visitor.page);
  await lab.write(`program p\nevent a\nthread T\n  request ${"(".repeat(20_000)}a\n`);
  await visitor.page.locator("#mistakes .mistake").first().waitFor();
  await lab.write("program p\nset s = 1..4000\nevent a(s, t: s, u: s)\nthread T: request a\n");
  await visitor.page.locator("#mistakes .mistake").first().waitFor();
  // Rules that never stop.
  const endless = "game g\nseats X, O\nevent m(seat)  move of seat\nevent a\nrule A: forever: request a\n";
  await lab.write(endless);
  await visitor.page.getByText("500 of 500 events").waitFor();
  await visitor.page.locator("#examples").selectOption("ultimate");
  await lab.press("Stop");
  await visitor.page.getByText("Stopped. Nothing is claimed.").waitFor();
  await visitor.page.locator("#examples").selectOption("hot-and-cold");
  await lab.proves("7 states · 6 edges");
});

const looks = [
  { name: "light", options: { colorScheme: "light", viewport: { width: 1280, height: 860 } } },
  { name: "dark", options: { colorScheme: "dark", viewport: { width: 1280, height: 860 } } },
  { name: "contrast", options: { contrast: "more", viewport: { width: 1280, height: 860 } } },
  { name: "phone", options: { viewport: { width: 390, height: 780 }, hasTouch: true } },
];
browserTest("the lab is accessible in light, dark and high contrast, and fits a phone", async (context) => {
  for (const { name, options } of looks) {
    const visitor = await context.visitor({ ...still, ...options });
    const lab = await Lab.at(visitor.page);
    await lab.click("a1");
    await lab.click("b3");
    await lab.switch("PreventXFork");
    await lab.finds("XNeverWins", "mark(X, a1)");
    await lab.click("a1");
    await visitor.page.locator("#weave .knots").first().click();
    await visitor.picture(`lab-${name}`);
    await visitor.page.locator("#awake summary").click();
    await lab.press("Draw the states");
    await lab.press("What is each b-thread for?");
    await visitor.page.locator("#proof .purposes").waitFor();
    await visitor.checkAccessibility();
    const [wide, seen] = await visitor.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= seen, `${name} scrolls sideways: ${wide} in ${seen}`);
    // The text of a lesson has a warning.
    await visitor.page.locator("#lessons").selectOption("tutorial");
    await visitor.page.locator("#mistakes .warning").waitFor();
    await visitor.checkAccessibility();
  }
});
