// Sounds: off unless the person wants them, and off again with one click.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";
import { becomes, Table } from "./table.mjs";

browserTest("marks and ends have sounds for those who want them, and one click ends them", async (context) => {
  const visitor = await context.visitor({ viewport: { width: 320, height: 640 } });
  const { page } = visitor;
  // Records the notes instead of playing them.
  await page.addInitScript(() => {
    globalThis.notes = [];
    const create = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function record() {
      const oscillator = create.call(this);
      oscillator.start = () => globalThis.notes.push(oscillator.frequency.value);
      oscillator.stop = () => {};
      return oscillator;
    };
  });
  const notes = async () => await page.evaluate(() => globalThis.notes);
  const silent = await Table.at(page, "/play/one-screen");
  await silent.click("a1");
  await silent.shows({ board: "X.. ... ..." });
  assert.deepEqual(await notes(), []);

  await visitor.open("/");
  await page.getByLabel("Sounds").selectOption("On");
  await visitor.checkAccessibility();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, "the page scrolls sideways");
  const table = await Table.at(page, "/play/one-screen");
  await page.getByRole("button", { name: "Mute" }).waitFor();
  await table.click("b1");
  await becomes([247], notes);
  await table.click("b2", "c1", "c3");
  await becomes([247, 330, 247, 330, 392, 494, 587], notes);
  await table.press("Mute");
  await table.press("Next round");
  await table.click("a1");
  await table.shows({ board: "X.. ... ..." });
  assert.equal((await notes()).length, 7);
  await visitor.open("/");
  assert.equal(await page.getByLabel("Sounds").inputValue(), "");
});
