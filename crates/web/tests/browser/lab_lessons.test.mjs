// The lessons of the lab from start to end: with keys alone, and on a phone.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";
import { Lab } from "./lab.mjs";

/** What a reader writes at each step of the tutorial; for the last one the solution is shown. */
const WRITTEN = [
  ["rule SquareTaken(square)", "  wait for mark(square)", "block mark(square)"],
  ["rule XWins(line)", "  3 times: wait for mark(X, line)", "request win(X)"],
  ["rule OWins(line)", "  3 times: wait for mark(O, line)", "request win(O)"],
  ["rule Turns", "  forever", "  wait for mark(X), block mark(O)", "wait for mark(O), block mark(X)"],
  ["rule End", "  wait for win", "block any"],
  ["rule Draw", "  9 times: wait for mark", "request draw, wait for win"],
  ["strategy DefaultMoves(square) for O", "  forever: request mark(O, square), interrupt win or draw"],
  ["strategy StartAtCenter for O", "  request mark(O, b2), wait for mark(O)"],
  [
    "strategy StopXWin(line) for O",
    "  2 times: wait for mark(X, line), interrupt mark(O, line)",
    "request mark(O, line), wait for win or draw",
  ],
];

const STRATEGIES = [
  "AddThirdO",
  "PreventThirdX",
  "PreventXFork",
  "PreventAnotherXFork",
  "PreventYetAnotherXFork",
  "DefaultMoves",
];

/** A lesson as a reader goes through it. */
class Reader extends Lab {
  async isAt(step, steps) {
    await this.page.getByText(`Step ${step} of ${steps}:`).waitFor();
  }

  async isDone() {
    await this.page.locator("#lesson .good").waitFor();
  }

  /** Presses Tab until the element of this id has the focus. */
  async tabTo(id, back = false) {
    const tab = back ? "Shift+Tab" : "Tab";
    for (let count = 0; count < 120; count += 1) {
      if ((await this.page.evaluate(() => document.activeElement.id)) === id) return;
      await this.page.keyboard.press(tab);
    }
    assert.fail(`no way leads to ${id}`);
  }

  /** The line, counted from 0, at which the reader should write. */
  async place() {
    return (await this.text()).split("\n").indexOf("# Write here.");
  }
}

browserTest("the lessons are done from start to end with keys alone", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  await Lab.at(page);
  const reader = new Reader(page);
  const { keyboard } = page;
  await reader.tabTo("lessons");
  await keyboard.type("Tic");
  for (const [index, lines] of WRITTEN.entries()) {
    await reader.isAt(index + 1, 10);
    assert.equal(await page.evaluate(() => document.activeElement.id), "lesson-heading");
    await reader.tabTo("text");
    await keyboard.press("Control+Home");
    const place = await reader.place();
    for (let line = 0; line < place; line += 1) await keyboard.press("ArrowDown");
    await keyboard.press("Shift+End");
    for (const [number, line] of lines.entries()) {
      // Enter keeps the indentation.
      if (number) await keyboard.press("Enter");
      await keyboard.insertText(line);
    }
    await reader.isDone();
    await keyboard.press("Control+Enter");
  }
  await reader.isAt(10, 10);
  await reader.tabTo("do-lesson-solve-");
  await keyboard.press("Enter");
  await page.getByText("That was the last step.").waitFor();
  await page.reload();
  await reader.tabTo("lessons");
  await keyboard.type("Six");
  for (const [index, strategy] of STRATEGIES.entries()) {
    await reader.isAt(index + 1, 6);
    await reader.tabTo(`switch-${strategy}`);
    await keyboard.press("Space");
    await reader.isDone();
    if (index === 0) await visitor.checkAccessibility();
    if (index + 1 === STRATEGIES.length) break;
    await reader.tabTo("do-lesson-next-", true);
    await keyboard.press("Enter");
  }
  await page.getByText("That was the last step.").waitFor();
});

browserTest("the lessons are done from start to end on a phone, and progress is kept", async (context) => {
  const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
  const visitor = await context.visitor(phone);
  const { page } = visitor;
  await Lab.at(page);
  const reader = new Reader(page);
  await page.locator("#lessons").selectOption("tutorial");
  for (const [index, lines] of WRITTEN.entries()) {
    await reader.isAt(index + 1, 10);
    const text = await reader.text();
    // The keyboard of a phone writes whole lines.
    const indented = lines.map((line, number) => (number && !line.startsWith("  ") ? `  ${line}` : line));
    const written = index === 3 ? [lines[0], "  forever", `    ${lines[2].trim()}`, `    ${lines[3]}`] : indented;
    await page.locator("#text").fill(text.replace("# Write here.", written.join("\n")));
    await reader.isDone();
    if (index === 2) {
      await page.reload();
      await page.locator("#lessons").selectOption("tutorial");
      continue;
    }
    await page.locator("#do-lesson-next-").tap();
  }
  await reader.isAt(10, 10);
  await page.locator("#do-lesson-solve-").tap();
  await page.getByText("That was the last step.").waitFor();
  await visitor.picture("lab-lesson-phone");
  await page.locator("#lessons").selectOption("never-lose");
  for (const [index, strategy] of STRATEGIES.entries()) {
    await reader.isAt(index + 1, 6);
    await page.locator(`#switch-${strategy}`).tap();
    await reader.isDone();
    if (index + 1 < STRATEGIES.length) await page.locator("#do-lesson-next-").tap();
  }
  await page.getByText("That was the last step.").waitFor();
  const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= seen, `the page scrolls sideways: ${wide} in ${seen}`);
});
