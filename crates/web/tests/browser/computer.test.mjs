// Games in the browser: against the computer, and on one screen.

import assert from "node:assert/strict";

import { scene } from "./scene.mjs";
import { becomes, Table } from "./table.mjs";

/** Where the focus is, and whether that can be seen. */
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

/** Somebody without a mouse. */
class Keys {
  constructor(page) {
    this.page = page;
  }

  /** Presses keys; the focus can always be seen. */
  async press(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await becomes(true, async () => (await this.page.evaluate(focus)).isVisible);
    }
  }

  /** Goes on until the focus is there. */
  async tabTo(text) {
    for (let stops = 0; stops < 40; stops += 1) {
      await this.press("Tab");
      const at = await this.page.evaluate(focus);
      if (at.text.startsWith(text)) return;
    }
    assert.fail(`no tab stop says ${text}`);
  }

  /** Waits until the focus is on this square, or on what has this id. */
  async areAt(name) {
    await becomes(name, async () => (await this.page.evaluate(focus)).at);
  }
}

scene("somebody without a mouse comes from the menu to the end of a game", async (scene) => {
  const visitor = await scene.visitor();
  const { page } = visitor;
  await visitor.open("/");
  const keys = new Keys(page);
  await keys.tabTo("To the game");
  await keys.tabTo("Play the computer");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/play/computer");
  const table = new Table(page);
  await table.shows({ board: "... ... ...", status: "Your turn." });
  await keys.areAt("a1");
  assert.equal(await page.locator("#board [tabindex='0']").count(), 1, "the board is one tab stop");
  const names = await page.locator("#board [role=row] [role=gridcell] button").evaluateAll((squares) => {
    return squares.map((square) => square.getAttribute("aria-label"));
  });
  assert.equal(names.length, 9);
  assert.equal(names[5], "row 2, column 3, empty");

  const walk = { ArrowRight: "b1", ArrowDown: "b2", Home: "a2", End: "c2", ArrowUp: "c1", ArrowLeft: "b1" };
  for (const [key, name] of Object.entries(walk)) {
    await keys.press(key);
    await keys.areAt(name);
  }
  await keys.press("ArrowUp");
  await keys.areAt("b1");
  assert.equal(await page.locator("#board [tabindex='0']").getAttribute("data-name"), "b1");
  await table.shows({ board: "... ... ..." });

  // It is announced where something was before: a new place would not be read aloud.
  const status = await page.locator("#status").elementHandle();
  assert.equal(await status.getAttribute("role"), "status");
  await keys.press("1");
  await keys.areAt("a1");
  await table.shows({ board: "X.. .O. ...", announced: "The computer played b2. Your turn." });
  await keys.press("End", "ArrowDown", "ArrowDown", "Enter");
  await keys.areAt("c3");
  await table.shows({ board: "XO. .O. ..X", announced: "The computer played b1. Your turn." });
  await keys.press("ArrowLeft", "Space");
  await table.shows({ board: "XO. .O. OXX", announced: "The computer played a3. Your turn." });
  await keys.press("3");
  await table.shows({ board: "XOX .OO OXX" });
  await keys.press("4");
  await table.shows({ board: "XOX XOO OXX", announced: "A cat’s game: nobody wins." });
  assert.ok(await status.evaluate((place) => place.isConnected));

  await keys.tabTo("Next round");
  await keys.press("Enter");
  await table.shows({ board: "... ... ...", round: "Round 2 · 1 tie", status: "Your turn." });
  await keys.areAt("a1");
});

scene("somebody without a mouse resigns, after a question, and sees where the focus is", async (scene) => {
  const { page } = await scene.visitor();
  const table = await Table.at(page, "/play/computer");
  const keys = new Keys(page);
  await keys.areAt("a1");
  await keys.press("5");
  await table.shows({ board: "O.. .X. ..." });
  await keys.tabTo("Resign");
  await keys.press("Enter");
  await keys.areAt("sure");
  await keys.press("Tab", "Enter");
  await keys.areAt("resign");
  await table.shows({ board: "O.. .X. ..." });
  await keys.press("Enter");
  await keys.areAt("sure");
  await keys.press("Enter");
  await table.shows({ board: "... ... ...", wins: "0 : 1", hint: "You resigned. Round 2 begins." });
  await keys.areAt("a1");
  await keys.tabTo("Why?");
  await keys.press("Enter");
  await page.getByRole("complementary", { name: "Why" }).waitFor();
  await keys.tabTo("×");
  await keys.press("Enter");
  await keys.areAt("why");
});

scene("a square that is taken says so, and which b-thread blocks it", async (scene) => {
  const { page } = await scene.visitor();
  const table = await Table.at(page, "/play/computer");
  await table.point("a1");
  await table.shows({ board: "X.. .O. ...", status: "Your turn." });
  await table.point("b2");
  const taken = "That cell is already marked: SquareTaken(b2)";
  await table.shows({ hint: taken, threads: ["SquareTaken(b2)"], board: "X.. .O. ..." });
  await table.point("c3");
  await table.shows({ board: "XO. .O. ..X", hint: "", threads: [] });
});

scene("who moves out of turn is told why not", async (scene) => {
  const [ada, bob] = await Promise.all([scene.visitor(), scene.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await second.point("a1");
  await second.shows({ hint: "It is not your turn: EnforceTurns", threads: ["EnforceTurns"], board: "... ... ..." });
  await first.play("b2");
  await first.point("b2");
  const both = "It is not your turn: EnforceTurns. That cell is already marked: SquareTaken(b2)";
  await first.shows({ hint: both, threads: ["EnforceTurns", "SquareTaken(b2)"] });
});

scene("a game against the computer goes on where it was when the page is loaded again", async (scene) => {
  const { page } = await scene.visitor();
  const table = await Table.at(page, "/play/computer");
  await table.point("a1");
  await table.shows({ board: "X.. .O. ..." });
  await table.press("Resign");
  await table.press("Yes, resign");
  await table.shows({ wins: "0 : 1", round: "Round 2" });
  await table.point("c3");
  await table.shows({ board: "... .O. ..X" });
  await page.reload();
  await table.shows({ board: "... .O. ..X", wins: "0 : 1", round: "Round 2", status: "Your turn." });
  await table.point("a1");
  await table.shows({ board: "XO. .O. ..X" });
});

scene("two people pass a phone to and fro", async (scene) => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
  const visitor = await scene.visitor(phone);
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
  await table.shows({ board: "X.O XO. O.X", status: "O won this round.", offers: ["Concede"] });
  await visitor.picture("one-screen-phone-won");
  const isWhole = await page.evaluate(() => {
    const { bottom } = document.querySelector("#status").getBoundingClientRect();
    return scrollY === 0 && bottom <= innerHeight;
  });
  assert.ok(isWhole, "board and status fit on the screen");
  await page.getByRole("button", { name: "Concede" }).tap();
  await table.shows({ board: "... ... ...", wins: "0 : 1", round: "Round 2" });
});
