// The explanation panel.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";
import { becomes, Table } from "./table.mjs";

/** Reads the panel. */
function read() {
  const text = (element) => element?.textContent.replaceAll(/\s+/g, " ").trim() ?? "";
  const all = (selector) => [...document.querySelectorAll(`.why ${selector}`)].map(text);
  return {
    title: text(document.querySelector(".why h2")),
    sentence: text(document.querySelector(".why-sentence")),
    detail: text(document.querySelector(".behind p")),
    selected: all(".bt.selected code").slice(0, 1),
    alternatives: all(".alternatives li"),
    step: document.querySelector(".why input").value,
  };
}

async function says(page, expected) {
  const names = Object.keys(expected);
  await becomes(expected, async () => {
    const said = await page.evaluate(read);
    return Object.fromEntries(names.map((name) => [name, said[name]]));
  });
}

browserTest("the panel names the selected b-thread and follows the game step by step", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  const table = await Table.at(page, "/play/computer");
  await table.press("Why?");
  const sentence = "Nobody has moved yet.";
  await says(page, { title: "Before the first move", sentence, selected: [], alternatives: [] });
  await table.click("a1");
  await table.shows({ board: "X.. .O. ..." });
  await says(page, { title: "Why O played b2", selected: ["DefaultMoves"], alternatives: [], step: "2" });
  await table.click("c3");
  await table.shows({ board: "XO. .O. ..X" });
  const selected = ["PreventAnotherXFork(a1,c3)"];
  const fork = "It prevented a fork: two threats of X at once.";
  await says(page, { title: "Why O played b1", sentence: fork, selected, step: "4" });
  assert.equal(await page.locator(".reason-thread").count(), 1, "yarn leads from the reason to the square");
  await visitor.picture("why");

  // The slider moves the board too.
  await table.press("One move back");
  const person = "A person chose this move, and the rules allowed it.";
  await says(page, { title: "After X on c3", sentence: person, step: "3" });
  await table.shows({ board: "X.. .O. ..X" });
  await page.getByLabel("Move of this round").fill("2");
  await says(page, { title: "Why O played b2", selected: ["DefaultMoves"], step: "2" });
  await table.shows({ board: "X.. .O. ..." });
  await page.getByLabel("Move of this round").fill("0");
  await says(page, { title: "Before the first move", selected: [], step: "0" });
  await table.shows({ board: "... ... ..." });
  await page.getByLabel("Move of this round").fill("3");
  await table.press("One move forward");
  await says(page, { title: "Why O played b1", selected, step: "4" });
  // A click on an earlier position plays nothing, and leads back to the present.
  await page.getByLabel("Move of this round").fill("1");
  await table.shows({ board: "X.. ... ..." });
  await table.click("b3");
  await table.shows({ board: "XO. .O. ..X", status: "Your turn." });
  await says(page, { step: "4" });
  await table.click("b3");
  await table.shows({ board: "XO. .O. OXX" });
  await says(page, { title: "Why O played a3", selected: ["PreventThirdX(a3,b3,c3)"], step: "6" });
});

browserTest("the panel names the b-threads that wanted another move", async (context) => {
  const { page } = await context.visitor();
  const table = await Table.at(page, "/play/computer");
  await table.press("Why?");
  await table.click("a1");
  await table.shows({ board: "X.. .O. ..." });
  await table.click("a3");
  await table.shows({ board: "X.. OO. X.." });
  await says(page, { title: "Why O played a2", selected: ["PreventThirdX(a1,a2,a3)"] });
  await table.click("c1");
  await table.shows({ board: "X.X OOO X..", status: "The computer won this round." });
  await says(page, {
    title: "Why O played c2",
    selected: ["AddThirdO(a2,b2,c2)"],
    alternatives: ["PreventThirdX(a1,b1,c1) wanted O b1, but lost to AddThirdO(a2,b2,c2)"],
    detail: "AddThirdO(a2,b2,c2) wanted O c2, and so did DefaultMoves. It wanted O a2, O b2 first, but rules blocked them.",
  });
});

browserTest("the panel names a strategy of X if the computer opens", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  await visitor.open("/");
  await page.getByLabel("O", { exact: true }).check();
  await page.getByRole("link", { name: "Play the computer" }).click();
  const table = new Table(page);
  await table.shows({ board: "... .X. ...", status: "Your turn.", players: ["Computer", "You"] });
  await table.press("Why?");
  await says(page, { title: "Why X played b2", selected: ["DefaultXMoves"], step: "1" });
  await table.click("a1");
  await table.shows({ board: "O.. .X. ..X" });
  await table.click("c1");
  await table.shows({ board: "OXO .X. ..X" });
  await says(page, { title: "Why X played b1", selected: ["PreventThirdO(a1,b1,c1)"], step: "5" });
});

for (const [level, sentence] of [
  ["Easy", /./],
  ["Perfect", /^A draw for O; 7 other moves are worse\.$/],
]) {
  browserTest(`the level ${level} uses no strategies, and the panel names none`, async (context) => {
    const visitor = await context.visitor();
    const { page } = visitor;
    await visitor.open("/");
    await page.getByLabel(level).check();
    await page.getByRole("link", { name: "Play the computer" }).click();
    const table = new Table(page);
    await table.press("Why?");
    await table.click("a1");
    await says(page, { step: "2", selected: [] });
    assert.match((await page.evaluate(read)).sentence, sentence);
    await page.getByText("The b-threads behind it").click();
    const kinds = await page.locator(".why .rank").allInnerTexts();
    assert.ok(kinds.some((kind) => kind.endsWith("rule")), "there are rules");
    assert.deepEqual(kinds.filter((kind) => kind.endsWith("strategy")), []);
  });
}
