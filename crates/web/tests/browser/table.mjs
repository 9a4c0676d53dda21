// A table on a page.

import assert from "node:assert/strict";
import { setInterval } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { TIMEOUT } from "./browser.mjs";

/** Waits until a value is as expected, or fails with the last one. */
export async function becomes(expected, read) {
  const end = Date.now() + TIMEOUT;
  for await (const _tick of setInterval(20)) {
    const actual = await read();
    if (isDeepStrictEqual(actual, expected)) return;
    if (Date.now() > end) assert.deepEqual(actual, expected);
  }
}

/** A table on a page. */
export class Table {
  constructor(page) {
    this.page = page;
  }

  /** Opens the address of a table. */
  static async at(page, path) {
    await page.goto(path);
    await page.locator("#board").waitFor();
    return new Table(page);
  }

  /** Opens a new table for a friend. */
  static async ofFriends(visitor, name) {
    await visitor.open("/");
    await visitor.page.getByLabel("Your name").fill(name);
    await visitor.page.getByRole("link", { name: "Play a friend" }).click();
    await visitor.page.waitForURL("**/t/*");
    const table = new Table(visitor.page);
    await table.shows({ status: "Waiting for the other player." });
    return table;
  }

  /** Opens a link and takes the free seat. */
  static async join(visitor, path, name) {
    const table = await Table.at(visitor.page, path);
    await visitor.page.locator("#join-name").fill(name);
    await table.press("Join the game");
    await visitor.page.locator(".join").waitFor({ state: "detached" });
    return table;
  }

  get path() {
    return new URL(this.page.url()).pathname;
  }

  get id() {
    return this.path.replace("/t/", "");
  }

  square(name) {
    return this.page.locator(`[data-name="${name}"]`);
  }

  /** Clicks squares, one after the other. */
  async click(...names) {
    // Squares without a legal move can be clicked too.
    for (const name of names) await this.square(name).click({ force: true });
  }

  /** Waits for this player's turn and moves. */
  async play(name) {
    await this.shows({ status: "Your turn." });
    await this.click(name);
  }

  async press(label) {
    await this.page.getByRole("button", { name: label, exact: true }).click();
  }

  async look() {
    return await this.page.evaluate(look);
  }

  /** Waits until the named parts of the table look like this. */
  async shows(expected) {
    const names = Object.keys(expected);
    await becomes(expected, async () => {
      const seen = await this.look();
      return Object.fromEntries(names.map((name) => [name, seen[name]]));
    });
  }
}

/** Plays moves in turn; the first player begins. */
export async function playInTurn(players, moves) {
  for (const [ply, move] of moves.split(" ").entries()) await players[ply % players.length].play(move);
}

/** Reads the table. A small letter on the board is a pending mark. */
function look() {
  const read = (element) => element?.textContent.replaceAll(/\s+/g, " ").trim();
  const text = (selector) => read(document.querySelector(selector));
  const texts = (selector) => [...document.querySelectorAll(selector)].map(read);
  const squares = [...document.querySelectorAll("#board [data-cell]")].map((square) => {
    const [, what, pending] = square.getAttribute("aria-label").split(", ");
    const mark = what === "empty" ? "." : what;
    return pending === "on its way" ? mark.toLowerCase() : mark;
  });
  return {
    board: squares.join("").replaceAll(/...(?=.)/g, "$& "),
    pending: document.querySelectorAll(".mark.pending").length,
    status: text("#status span.who") + document.querySelector("#status")?.lastChild.textContent,
    announced: text("#status"),
    offline: text(".offline"),
    because: text("#because"),
    hint: text("#hint"),
    threads: texts("#hint code"),
    wins: text(".wins"),
    round: text(".round"),
    players: texts(".player .name"),
    about: texts(".player .sub"),
    presence: [...document.querySelectorAll(".player")].map((player) => player.dataset.presence),
    bubbles: texts(".bubble"),
    clocks: texts(".clock"),
    notes: texts(".note span"),
    buttons: texts(".play > .actions:not(:has(#why)) button, .play > .actions:has(#why) button:not(#why, #lost)"),
    watching: text(".watching"),
    problem: text(".problem:not([hidden]) h1"),
  };
}
