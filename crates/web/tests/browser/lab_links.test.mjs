// From tables and games to their rules in the lab.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";
import { Lab } from "./lab.mjs";
import { Table } from "./table.mjs";

/** The lab that a link opens in another tab. */
async function opened(page, link) {
  const [tab] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await tab.locator("html[data-ready=yes]").waitFor();
  return new Lab(tab);
}

/** The selected part of the text. */
function selected(lab) {
  return lab.page.evaluate(() => {
    const area = document.querySelector("#text");
    return area.value.slice(area.selectionStart, area.selectionEnd);
  });
}

browserTest("from a table to its rules, from the reason of a move to its b-thread, from a replay to its position", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  const table = await Table.at(page, "/play/computer");
  await table.click("a1");
  await table.shows({ board: "X.. .O. ..." });
  const rules = await opened(page, page.getByRole("link", { name: "Open these rules in the lab" }));
  await rules.proves("641 states · 783 edges", { XNeverWins: "✓" });
  await table.press("Why?");
  await page.getByText("The b-threads behind it").click();
  const thread = await opened(page, page.locator("#why-panel .selected a"));
  assert.equal(await selected(thread), "DefaultMoves");
  await page.goto("/play/replay/tic-tac-toe/a1.b2.c3.a3/2");
  await page.locator("#in-lab").click();
  const lab = new Lab(page);
  await page.getByText("2 of 4 events").waitFor();
  await lab.press("Forward");
  await lab.press("Forward");
  assert.equal(await page.locator("#weave .knots").count(), 4);
});

browserTest("a game whose rules are no text has no such link", async (context) => {
  const visitor = await context.visitor();
  const table = await Table.at(visitor.page, "/play/one-screen/connect-four");
  assert.equal(await visitor.page.locator("#open-rules").count(), 1);
  await table.click("d1");
  for (const [game, links] of [["pig", 1], ["odds-and-evens", 0]]) {
    await visitor.page.goto(`/play/one-screen/${game}`);
    await visitor.page.locator("html[data-ready=yes]").waitFor();
    assert.equal(await visitor.page.locator("#open-rules").count(), links, game);
  }
});
