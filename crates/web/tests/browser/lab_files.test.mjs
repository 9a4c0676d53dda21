// Texts of the lab: saved, renamed, deleted, in files, dropped on the page, and without a network.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { browserTest } from "./context.mjs";
import { Lab } from "./lab.mjs";
import { becomes } from "./table.mjs";

const PROGRAM = "program greeting\nevent hello\nthread Greet: request hello\n";

browserTest("texts are saved, renamed, deleted and brought back", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  const lab = await Lab.at(page);
  await lab.write(PROGRAM);
  await page.getByText("Saved texts").click();
  await lab.press("Save");
  await page.getByText("Saved in this browser as greeting.").waitFor();
  await page.locator("#save-name").fill("salute");
  await page.getByRole("button", { name: "Rename greeting to the name in the field" }).click();
  await page.getByText("greeting is called salute now.").waitFor();
  await visitor.checkAccessibility();
  await page.getByRole("button", { name: "Delete salute" }).click();
  await page.getByText("Nothing is saved in this browser yet.").waitFor();
  await lab.press("Undo");
  await Lab.at(page);
  await page.getByText("Saved texts").click();
  await lab.press("salute");
  assert.equal(await lab.text(), PROGRAM);
});

browserTest("files are downloaded, opened and dropped on the page", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  const lab = await Lab.at(page);
  await lab.write(PROGRAM);
  const [download] = await Promise.all([page.waitForEvent("download"), lab.press("Download")]);
  assert.equal(download.suggestedFilename(), "greeting.cradle");
  assert.equal(await readFile(await download.path(), "utf8"), PROGRAM);
  const other = PROGRAM.replace("greeting", "parting");
  const file = (text) => ({ name: "a.cradle", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.locator("#file").setInputFiles(file(other));
  await becomes(other, () => lab.text());
  const drop = (text) =>
    page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "b.cradle", { type: "text/plain" }));
      document.querySelector("#text").dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer }));
    }, text);
  await drop(PROGRAM);
  await becomes(PROGRAM, () => lab.text());
  await drop("#".repeat(65_537));
  await page.getByText("That file is longer than 64 KiB and was not opened.").waitFor();
  assert.equal(await lab.text(), PROGRAM);
});

browserTest("the lab works without a network", async (context) => {
  const visitor = await context.visitor({ serviceWorkers: "allow" });
  const { page } = visitor;
  await Lab.at(page);
  await page.evaluate(async () => await navigator.serviceWorker.ready);
  await context.cradle.kill();
  await page.reload();
  const lab = new Lab(page);
  await lab.proves("641 states · 783 edges", { XNeverWins: "✓" });
  await lab.switch("PreventXFork");
  await lab.finds("XNeverWins", "mark(X, a1)");
  await lab.press("Play with a friend");
  await page.getByText("Something is switched off.").waitFor();
  await lab.switch("PreventXFork");
  await lab.press("Play with a friend");
  await page.getByText("The server does not answer. Try again when you are connected.").waitFor();
  visitor.forgive(/ERR_CONNECTION_REFUSED|ERR_ABORTED|ERR_FAILED/);
});

browserTest("words are completed, and what is awake is lit in the text", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  const lab = await Lab.at(page);
  const marked = (kind) => page.locator(`#colours .src.${kind}`).allTextContents();
  await lab.click("a1");
  assert.ok((await marked("here")).includes("  block mark(square)"));
  assert.ok((await marked("stands")).includes("  wait for mark(square)"));
  await page.locator("#text").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("requ");
  await page.keyboard.press("Control+Space");
  await becomes(true, async () => (await lab.text()).endsWith("require"));
});
