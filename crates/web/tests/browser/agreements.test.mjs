// Takebacks, absent players, other devices, and the draws of an ended table.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";
import { becomes, playInTurn, Table } from "./table.mjs";

/** Two friends at a table. */
async function friends(context) {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  return { ada, bob, first, second };
}

browserTest("a friend lets a move be taken back, or does not", async (context) => {
  const { ada, bob, first, second } = await friends(context);
  await playInTurn([first, second], "a1 b2");
  await first.shows({ status: "Your turn." });
  await second.press("Take back");
  await second.shows({ watching: "You asked to take your move back. Waiting for an answer …" });
  const question = ada.page.locator("#takeback-question");
  await question.getByText("Bob asks to take the last move back.").waitFor();
  await ada.picture("takeback-question");
  await first.press("Allow it");
  await second.shows({ board: "X.. ... ...", status: "Your turn.", hint: "Ada agreed: your move is taken back." });
  await second.play("c3");
  await first.shows({ board: "X.. ... ..O", status: "Your turn." });
  await first.press("Take back");
  await second.press("No, play on");
  await first.shows({ board: "X.. ... ..O", hint: "Bob did not agree: your move stays." });
  assert.equal(await bob.page.locator("#takeback-question").count(), 0);
  assert.equal(await ada.page.locator("#take-back").count(), 0);
});

browserTest("the computer lets every move be taken back", async (context) => {
  const visitor = await context.visitor();
  const table = await Table.at(visitor.page, "/play/computer");
  await table.play("a1");
  await table.shows({ status: "Your turn." });
  await table.press("Take back");
  await table.shows({ board: "... ... ...", status: "Your turn." });
  assert.equal(await visitor.page.locator("#take-back").count(), 0, "nothing is left to take back");
});

browserTest(
  "the round of a friend who lost the connection is claimed",
  async (context) => {
    const { ada, bob, first, second } = await friends(context);
    await playInTurn([first, second], "a1 b2 c3");
    await second.shows({ status: "Your turn." });
    assert.equal(await ada.page.locator("#claim").count(), 0, "Bob is here");
    await bob.page.goto("about:blank");
    await ada.page.getByText("Bob lost the connection a while ago, and may come back.").waitFor();
    await ada.picture("absent-player");
    await first.press("Claim the round");
    await first.shows({ status: "Bob was away. You win this round.", wins: "1 : 0" });
    await first.press("Next round");
    await first.shows({ board: "... ... ...", round: "Round 2" });
    bob.forgive(/./);
  },
  ["--limit", "claim_after=300"],
);

browserTest("a seat moves to another device once", async (context) => {
  const { ada, bob, first, second } = await friends(context);
  await playInTurn([first, second], "a1 b2");
  await first.shows({ status: "Your turn." });
  await first.press("Another device");
  const link = await ada.page.locator("#device-link").inputValue();
  const size = await ada.page.locator(".qr").boundingBox();
  assert.ok(size.width >= 200, `the code is ${size.width} wide`);
  await ada.picture("another-device");
  const phone = await context.visitor();
  const moved = await Table.at(phone.page, link.replace(/^https?:\/\/[^/]+/, ""));
  await moved.shows({ players: ["You", "Bob"], status: "Your turn." });
  assert.ok(!phone.page.url().includes("#"), "the secret leaves the address");
  await first.shows({ players: ["Ada", "Bob"], hint: "Your seat is on another device now. Here you watch." });
  await moved.play("c3");
  await second.shows({ board: "X.. .O. ..X", status: "Your turn." });
  const third = await context.visitor();
  await third.page.goto(link.replace(/^https?:\/\/[^/]+/, ""));
  await third.page.getByText("This code has been used, or is not valid any more").waitFor();
  third.forgive(/409/);
  ada.forgive(/./);
});

browserTest("a seat moves back to a device that held it before, in the tab that shows the table", async (context) => {
  const { ada, bob, first, second } = await friends(context);
  await playInTurn([first, second], "a1 b2");
  await first.shows({ status: "Your turn." });
  await first.press("Another device");
  const link = new URL(await ada.page.locator("#device-link").inputValue());
  const phone = await context.visitor();
  const moved = await Table.at(phone.page, link.pathname + link.hash);
  await moved.shows({ players: ["You", "Bob"], status: "Your turn." });
  await first.shows({ players: ["Ada", "Bob"] });
  await moved.press("Another device");
  const back = new URL(await phone.page.locator("#device-link").inputValue());
  await ada.page.evaluate((hash) => { location.hash = hash; }, back.hash);
  await first.shows({ players: ["You", "Bob"], status: "Your turn." });
  assert.ok(!ada.page.url().includes("#"), "the secret leaves the address");
  await moved.shows({ players: ["Ada", "Bob"], hint: "Your seat is on another device now. Here you watch." });
  await first.play("c3");
  await second.shows({ board: "X.. .O. ..X", status: "Your turn." });
  for (const visitor of [ada, bob, phone]) visitor.forgive(/./);
});

browserTest("a seat is moved while the page still shows a round that has ended", async (context) => {
  const { ada, first, second } = await friends(context);
  await playInTurn([first, second], "a1 b2");
  await first.shows({ status: "Your turn." });
  await second.press("Resign");
  await second.press("Yes, resign");
  await first.shows({ buttons: ["Next round"] });
  await first.press("Another device");
  const link = new URL(await ada.page.locator("#device-link").inputValue());
  const phone = await context.visitor();
  const moved = await Table.at(phone.page, link.pathname + link.hash);
  await moved.shows({ players: ["You", "Bob"], round: "Round 2" });
  for (const visitor of [ada, phone]) visitor.forgive(/./);
});

browserTest("the draws of a table that has ended are checked by the page", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  await ada.page.goto("/play/friend/pig");
  await ada.page.waitForURL("**/t/*");
  const path = new URL(ada.page.url()).pathname;
  await bob.page.goto(path);
  await bob.page.locator("#join-name").fill("Bob");
  await bob.page.getByRole("button", { name: "Join the game" }).click();
  await ada.page.getByRole("button", { name: "roll" }).click();
  await ada.page.getByText(/^Drawn: \d/).waitFor();
  await ada.page.getByRole("button", { name: "Resign", exact: true }).click();
  await ada.page.getByRole("button", { name: "Yes, resign" }).click();
  await ada.page.getByRole("button", { name: "End the table and check the draws" }).click();
  for (const visitor of [ada, bob]) {
    const said = visitor.page.locator("#draws");
    await becomes("This table has ended, and its seed is public: the only draw follows from it.", () => said.textContent());
  }
  await bob.picture("fair-draws");
});
