// Games without a server: against the computer, and on one screen.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";
import { becomes, Table } from "./table.mjs";

/** The focused element, and whether its focus is visible. */
function focus() {
  const element = document.activeElement;
  const labelled = element.matches("input[type=radio]") ? element.nextElementSibling : element;
  const { outlineStyle, outlineWidth } = getComputedStyle(labelled);
  const box = labelled.getBoundingClientRect();
  const isInside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  return {
    at: element.dataset.name ?? (element.id || element.localName),
    text: element === document.body ? "" : element.textContent.trim(),
    isVisible: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && box.width > 0 && isInside,
  };
}

/** A person without a mouse. */
class Keyboard {
  constructor(page) {
    this.page = page;
  }

  /** Presses keys and checks that the focus is visible. */
  async press(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await becomes(true, async () => (await this.page.evaluate(focus)).isVisible);
    }
  }

  /** Presses Tab until the focus is on an element with this text. */
  async tabTo(text) {
    for (let stops = 0; stops < 40; stops += 1) {
      await this.press("Tab");
      const at = await this.page.evaluate(focus);
      if (at.text.startsWith(text)) return;
    }
    assert.fail(`no tab stop says ${text}`);
  }

  /** Waits until the focus is on this square or id. */
  async focuses(name) {
    await becomes(name, async () => (await this.page.evaluate(focus)).at);
  }
}

browserTest("a game can be played with the keyboard alone", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  await visitor.open("/");
  const keys = new Keyboard(page);
  await keys.tabTo("To the game");
  await keys.tabTo("Play the computer");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/play/computer");
  const table = new Table(page);
  await table.shows({ board: "... ... ...", status: "Your turn." });
  await keys.focuses("a1");
  assert.equal(await page.locator("#board [tabindex='0']").count(), 1, "the board is one tab stop");
  const help = "Arrow keys move, Enter plays, keys 0 to 8 play the squares 0 to 8, row by row.";
  assert.equal(await page.locator("#board-keys").innerText(), help);
  assert.equal(await page.locator("#board").getAttribute("aria-describedby"), "board-keys");
  const names = await page.locator("#board [role=row] [role=gridcell] button").evaluateAll((squares) => {
    return squares.map((square) => square.getAttribute("aria-label"));
  });
  assert.equal(names.length, 9);
  assert.equal(names[5], "c2, empty");

  const walk = { ArrowRight: "b1", ArrowDown: "b2", Home: "a2", End: "c2", ArrowUp: "c1", ArrowLeft: "b1" };
  for (const [key, name] of Object.entries(walk)) {
    await keys.press(key);
    await keys.focuses(name);
  }
  await keys.press("ArrowUp");
  await keys.focuses("b1");
  assert.equal(await page.locator("#board [tabindex='0']").getAttribute("data-name"), "b1");
  await table.shows({ board: "... ... ..." });

  // Screen readers only read changes of an existing element.
  const status = await page.locator("#status").elementHandle();
  assert.equal(await status.getAttribute("role"), "status");
  await keys.press("0");
  await keys.focuses("a1");
  await table.shows({ board: "X.. .O. ...", announced: "The computer played b2. Your turn." });
  await keys.press("End", "ArrowDown", "ArrowDown", "Enter");
  await keys.focuses("c3");
  await table.shows({ board: "XO. .O. ..X", announced: "The computer played b1. Your turn." });
  await keys.press("ArrowLeft", "Space");
  await table.shows({ board: "XO. .O. OXX", announced: "The computer played a3. Your turn." });
  await keys.press("2");
  await table.shows({ board: "XOX .OO OXX" });
  await keys.press("3");
  await table.shows({ board: "XOX XOO OXX", announced: "A cat’s game: nobody wins." });
  assert.ok(await status.evaluate((place) => place.isConnected));

  await keys.tabTo("Next round");
  await keys.press("Enter");
  await table.shows({ board: "... ... ...", round: "Round 2 · 1 tie", status: "Your turn." });
  await keys.focuses("a1");
});

browserTest("resigning with the keyboard asks first and keeps the focus visible", async (context) => {
  const { page } = await context.visitor();
  const table = await Table.at(page, "/play/computer");
  const keys = new Keyboard(page);
  await keys.focuses("a1");
  await keys.press("4");
  await table.shows({ board: "O.. .X. ..." });
  await keys.tabTo("Resign");
  await keys.press("Enter");
  await keys.focuses("confirm");
  await keys.press("Tab", "Enter");
  await keys.focuses("resign");
  await table.shows({ board: "O.. .X. ..." });
  await keys.press("Enter");
  await keys.focuses("confirm");
  await keys.press("Enter");
  const ended = "You resigned. The computer wins this round.";
  await table.shows({ board: "O.. .X. ...", wins: "0 : 1", status: ended, buttons: ["Next round"] });
  await keys.focuses("a1");
  await keys.tabTo("Next round");
  await keys.press("Enter");
  await table.shows({ board: "... ... ...", wins: "0 : 1", round: "Round 2" });
  await keys.focuses("a1");
  await keys.tabTo("Why?");
  await keys.press("Enter");
  await page.getByRole("complementary", { name: "Why" }).waitFor();
  await keys.focuses("why-panel");
  await keys.tabTo("×");
  await keys.press("Enter");
  await keys.focuses("why");
  await keys.press("Enter");
  await keys.focuses("why-panel");
  await page.keyboard.press("Escape");
  await keys.focuses("why");
  assert.equal(await page.locator("#why-panel").count(), 0, "Escape closes the panel");
});

browserTest("a refusal is a sentence, and names the b-thread for those who ask", async (context) => {
  const { page } = await context.visitor();
  const table = await Table.at(page, "/play/computer");
  await table.click("a1");
  await table.shows({ board: "X.. .O. ...", status: "Your turn." });
  await table.click("b2");
  const taken = "That cell is already marked. Which rule? SquareTaken(b2)";
  await table.shows({ hint: taken, threads: ["SquareTaken(b2)"], board: "X.. .O. ..." });
  const thread = page.locator("#hint code");
  assert.equal(await thread.isVisible(), false);
  await page.getByText("Which rule?").click();
  await thread.waitFor();
  await table.click("c3");
  await table.shows({ board: "XO. .O. ..X", hint: "", threads: [] });
});

browserTest("a move out of turn is explained", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await second.click("a1");
  await second.shows({ hint: "It is not your turn. Which rule? EnforceTurns", threads: ["EnforceTurns"], board: "... ... ..." });
  await first.play("b2");
  await first.click("b2");
  const both = "It is not your turn. That cell is already marked. Which rules? EnforceTurns SquareTaken(b2)";
  await first.shows({ hint: both, threads: ["EnforceTurns", "SquareTaken(b2)"] });
});

browserTest("a game against the computer survives a reload", async (context) => {
  const { page } = await context.visitor();
  const table = await Table.at(page, "/play/computer");
  await table.click("a1");
  await table.shows({ board: "X.. .O. ..." });
  await table.press("Resign");
  await table.press("Yes, resign");
  await table.shows({ wins: "0 : 1", round: "Round 1" });
  await table.press("Next round");
  await table.shows({ wins: "0 : 1", round: "Round 2" });
  await table.click("c3");
  await table.shows({ board: "... .O. ..X" });
  await page.reload();
  await table.shows({ board: "... .O. ..X", wins: "0 : 1", round: "Round 2", status: "Your turn." });
  await table.click("a1");
  await table.shows({ board: "XO. .O. ..X" });
});

browserTest("two people share a phone", async (context) => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
  const visitor = await context.visitor(phone);
  const { page } = visitor;
  await page.goto("/");
  await page.getByRole("link", { name: "One screen" }).tap();
  const table = new Table(page);
  await table.shows({ board: "... ... ...", status: "X’s turn." });
  const turns = { a1: "O", b2: "X", c3: "O", a3: "X", a2: "O" };
  for (const [square, next] of Object.entries(turns)) {
    await table.square(square).tap();
    await table.shows({ status: `${next}’s turn.` });
  }
  await visitor.picture("one-screen-phone");
  await table.square("c1").tap();
  await table.shows({ board: "X.O XO. O.X", status: "O won this round.", wins: "0 : 1", buttons: ["Next round"] });
  await visitor.picture("one-screen-phone-won");
  const isWhole = await page.evaluate(() => {
    const { bottom } = document.querySelector("#status").getBoundingClientRect();
    return scrollY === 0 && bottom <= innerHeight;
  });
  assert.ok(isWhole, "board and status fit on the screen");
  await page.getByRole("button", { name: "Next round" }).tap();
  await table.shows({ board: "... ... ...", wins: "0 : 1", round: "Round 2" });
});

browserTest("the computer says why after every move, and pauses before it for those who like motion", async (context) => {
  const { page } = await context.visitor({ reducedMotion: "no-preference" });
  await page.clock.install();
  const table = await Table.at(page, "/play/computer");
  await table.click("a1");
  await table.shows({ board: "X.. ... ...", status: "The computer is thinking …", because: "" });
  await page.clock.fastForward(400);
  const because = "Nothing was urgent, so it took the best free square: centre, corner, edge.";
  await table.shows({ board: "X.. .O. ...", because, about: ["play X · here", "plays O · Teacher"] });
  await table.click("c3");
  await page.clock.fastForward(400);
  await table.shows({ board: "XO. .O. ..X", because: "It prevented a fork: two threats of X at once." });
});

browserTest("a match goes to three rounds, and a rematch begins at 0 : 0", async (context) => {
  const { page } = await context.visitor();
  const table = await Table.at(page, "/play/one-screen");
  for (const wins of ["1 : 0", "2 : 0"]) {
    const before = await page.locator(".wins").elementHandle();
    await table.click("a1", "a2", "b1", "b2", "c1");
    await table.shows({ wins, status: "X won this round.", buttons: ["Next round"] });
    assert.equal(await before.evaluate((score) => score.isConnected), false, "a new score is tied up");
    await table.press("Next round");
  }
  await table.click("a1", "a2", "b1", "b2", "c1");
  await table.shows({ wins: "3 : 0", status: "X won the match, 3 : 0.", buttons: ["Rematch"] });
  await table.press("Rematch");
  await table.shows({ board: "... ... ...", wins: "0 : 0", round: "Round 4" });
});

browserTest("two tabs of a game against the computer show the same game", async (context) => {
  const visitor = await context.visitor();
  const first = await Table.at(visitor.page, "/play/computer");
  const second = await Table.at(await visitor.tab(), "/play/computer");
  await first.click("a1");
  await first.shows({ board: "X.. .O. ..." });
  await second.shows({ board: "X.. .O. ..." });
  await second.click("c3");
  await first.shows({ board: "XO. .O. ..X", status: "Your turn." });
});
