// Rounds at a table on the server, with spectators.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";
import { becomes, playInTurn, Table } from "./table.mjs";

browserTest("two friends play a series, and a spectator sees the same", async (context) => {
  const [ada, bob, eve] = await Promise.all([context.visitor(), context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  await first.shows({ wins: "0 : 0", round: "", players: ["You", "Nobody yet"] });
  const second = await Table.join(bob, first.path, "Bob");
  const third = await Table.at(eve.page, first.path);
  const all = async (expected) => {
    for (const table of [first, second, third]) await table.shows(expected);
  };

  await all({ board: "... ... ...", wins: "0 : 0", round: "Round 1", presence: ["here", "here"] });
  await first.shows({ players: ["You", "Bob"], hint: "Bob has joined.", status: "Your turn." });
  await second.shows({ players: ["Ada", "You"], status: "Ada’s turn." });
  await third.shows({ players: ["Ada", "Bob"], status: "Ada’s turn.", watching: "You are watching. New table" });
  await third.click("a1");
  await third.shows({ hint: "You are watching.", buttons: [] });
  await all({ board: "... ... ..." });

  await playInTurn([first, second], "a1 b1 b2 c1 c3");
  await all({ board: "XOO .X. ..X", wins: "1 : 0", round: "Round 1" });
  await first.shows({ status: "You won this round.", buttons: ["Next round"] });
  await second.shows({ status: "Ada won this round.", buttons: ["Next round"] });
  await third.shows({ status: "Ada won this round.", buttons: [] });
  await second.press("Next round");
  await second.shows({ board: "... ... ...", wins: "1 : 0", round: "Round 2" });
  // The others keep the finished round until they go on, or for five seconds.
  await first.shows({ board: "XOO .X. ..X", status: "You won this round. Bob is ready.", buttons: ["Next round"] });
  await third.shows({ board: "XOO .X. ..X", status: "Ada won this round. Bob is ready." });
  await first.press("Next round");
  await first.shows({ board: "... ... ...", round: "Round 2", about: ["play O · here", "plays X · here"] });
  await third.shows({ board: "... ... ...", round: "Round 2" });

  await first.shows({ status: "Bob’s turn." });
  await playInTurn([second, first], "b2 a1 c1 a3 a2 c2 b1 b3 c3");
  await all({ board: "OXX XXO OOX", status: "A cat’s game: nobody wins.", wins: "1 : 0", round: "Round 2 · 1 tie" });
  await first.press("Next round");
  await second.press("Next round");
  await third.shows({ status: "A cat’s game: nobody wins. Ada is ready." });
  await third.press("Next round");
  await all({ board: "... ... ...", wins: "1 : 0", round: "Round 3 · 1 tie" });

  await first.play("b2");
  await all({ board: "... .X. ..." });
  await second.press("Resign");
  await second.shows({ buttons: ["Yes, resign", "No"] });
  await second.press("No");
  await second.shows({ buttons: ["Resign"] });
  await all({ board: "... .X. ...", round: "Round 3 · 1 tie" });
  await second.press("Resign");
  await second.press("Yes, resign");
  await all({ board: "... .X. ...", wins: "2 : 0", round: "Round 3 · 1 tie" });
  await first.shows({ status: "Bob resigned. You win this round.", buttons: ["Next round"] });
  await second.shows({ status: "You resigned. Ada wins this round." });
  for (const table of [first, second, third]) await table.press("Next round");
  await all({ board: "... ... ...", wins: "2 : 0", round: "Round 4 · 1 tie" });
  await third.shows({ about: ["plays O · here", "plays X · here"] });

  await ada.page.goto("/");
  const recent = ada.page.locator(".recent li a");
  assert.equal(await recent.innerText(), "Tic-tac-toe · Bob · 2 : 0");
  await second.shows({ presence: ["away", "here"], status: "Your turn." });
  await recent.click();
  await second.shows({ presence: ["here", "here"] });
});

browserTest("a quick match pairs two people, and others can watch", async (context) => {
  const [ada, bob, eve] = await Promise.all([context.visitor(), context.visitor(), context.visitor()]);
  await eve.page.clock.install();
  await eve.page.goto("/play/watch");
  await eve.page.getByText("Nothing to watch yet.").waitFor();
  await ada.page.goto("/play/anybody");
  await ada.page.waitForURL("**/t/*");
  await bob.page.goto("/");
  await bob.page.getByRole("link", { name: "Quick match" }).click();
  await bob.page.waitForURL("**/t/*");
  const [first, second] = [new Table(ada.page), new Table(bob.page)];
  assert.equal(first.id, second.id);
  await first.shows({ round: "Round 1", presence: ["here", "here"] });
  await playInTurn([first, second], "b2 a1");
  await second.shows({ board: "O.. .X. ..." });
  // The page loads the list every five seconds.
  await eve.page.clock.fastForward(5_000);
  await eve.page.locator(".table-list").getByText("Tic-tac-toe · Guest – Guest, 0 : 0, round 1").waitFor();
  await eve.page.locator(".table-list").getByRole("link", { name: "Watch" }).click();
  await new Table(eve.page).shows({ board: "O.. .X. ...", watching: "You are watching. New table" });
});

browserTest("a person who waits in a quick match plays the computer meanwhile", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  await ada.page.goto("/play/anybody");
  await ada.page.waitForURL("**/t/*");
  const first = new Table(ada.page);
  await first.press("Play the computer meanwhile");
  await first.play("a1");
  await first.shows({ board: "X.. .O. ...", status: "Your turn." });
  await ada.page.getByText("Still waiting for an opponent.").waitFor();
  await ada.checkAccessibility();
  await first.press("Stop playing the computer");
  await ada.page.getByText("Waiting for an opponent. You can also").waitFor();
  await first.press("Play the computer meanwhile");
  await first.shows({ board: "X.. .O. ..." });
  await bob.page.goto("/play/anybody");
  await bob.page.waitForURL("**/t/*");
  await first.shows({ board: "... ... ...", players: ["You", "Guest"], status: "Your turn." });
  await playInTurn([first, new Table(bob.page)], "b2 a1");
  await first.shows({ board: "O.. .X. ..." });
});

browserTest("a player resigns while the other one thinks", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await first.play("a1");
  await first.shows({ status: "Bob’s turn.", buttons: ["Resign", "Take back"] });
  await first.press("Resign");
  await first.press("Yes, resign");
  await second.shows({ status: "Ada resigned. You win this round." });
});

browserTest("a code word leads to its table, and another one does not", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const word = await ada.page.locator(".invitation .code").innerText();
  await bob.open("/");
  const enter = async (word) => {
    await bob.page.getByLabel("Have a code?").fill(word);
    await bob.page.getByRole("button", { name: "Join", exact: true }).click();
  };
  const answer = async (text) => await bob.page.locator("#code-answer", { hasText: text }).waitFor();
  await enter(" ");
  await answer("A code has two words, like bodaki-murosi.");
  await enter("bababa");
  await answer("No open table has this code");
  bob.forgive(/404/);
  await enter(` ${word.toUpperCase()} `);
  await bob.page.waitForURL(`**${first.path}`);
  await bob.page.getByRole("button", { name: "Join the game" }).click();
  await first.shows({ players: ["You", "Guest"], round: "Round 1" });
});

browserTest("a code that is shown is renewed, and one that cannot be is not shown", async (context) => {
  const ada = await context.visitor();
  await ada.page.clock.install();
  const first = await Table.ofFriends(ada, "Ada");
  const code = ada.page.locator(".invitation .code");
  const word = await code.innerText();
  const [renewed] = await Promise.all([ada.page.waitForResponse("**/code"), ada.page.clock.fastForward(60_000)]);
  assert.equal((await renewed.json()).code, word);
  const other = JSON.stringify({ code: "nanana-nanana", valid_for: 90_000 });
  await ada.page.route("**/code", (route) => route.fulfill({ contentType: "application/json", body: other }));
  await ada.page.clock.fastForward(60_000);
  await code.getByText("nanana-nanana").waitFor();
  await ada.page.unroute("**/code");
  await ada.page.route("**/code", (route) => route.abort());
  await ada.page.clock.fastForward(60_000);
  assert.equal(await code.innerText(), "nanana-nanana");
  await ada.page.clock.fastForward(60_000);
  await ada.page.getByText("The code has expired. The link still works.").waitFor();
  await ada.page.unroute("**/code");
  await ada.page.clock.fastForward(60_000);
  await code.getByText(word).waitFor();
  ada.forgive(/ERR_FAILED|code/);
});

browserTest("the link is copied if the browser allows it, and the focus stays on the page", async (context) => {
  const ada = await context.visitor({ permissions: ["clipboard-read", "clipboard-write"] });
  const first = await Table.ofFriends(ada, "Ada");
  const link = `${ada.origin}${first.path}`;
  assert.equal(await ada.page.getByLabel("Link to this table").inputValue(), link);
  await first.press("Copy link");
  await ada.page.getByText("Copied.").waitFor();
  assert.equal(await ada.page.evaluate(() => navigator.clipboard.readText()), link);
  await Table.join(await context.visitor(), first.path, "Bob");
  await ada.page.locator(".square:focus").waitFor();

  const eve = await context.visitor();
  await eve.context.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  const second = await Table.ofFriends(eve, "Eve");
  await second.press("Copy link");
  await eve.page.getByText("Please copy it by hand.").waitFor();
});

browserTest("a short message appears beside the name and fades", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  await bob.page.clock.install();
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await first.press("Well played!");
  const shown = { bubbles: ["Well played!"] };
  await Promise.all([second.page.locator(".player.left .bubble").waitFor(), first.shows(shown), second.shows(shown)]);
  await bob.page.clock.fastForward(4_000);
  await second.shows({ bubbles: [] });
});

browserTest("the clock of the player in turn runs from the first move on", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  await ada.open("/");
  await ada.page.getByLabel("Clock for friends").selectOption("15");
  const first = await Table.ofFriends(ada, "Ada");
  await bob.open(first.path);
  await bob.page.getByText("There is a clock: 15 s a move.").waitFor();
  const second = await Table.join(bob, first.path, "Bob");
  await second.shows({ clocks: ["15 s a move", "15 s a move"] });
  await first.play("b2");
  for (const table of [first, second]) {
    await table.page.locator(".player.right .clock.runs").waitFor();
    const { clocks: [rests, runs] } = await table.look();
    assert.match(runs, /^0:1\d$/);
    assert.equal(rests, "15 s a move");
    await becomes(true, async () => (await table.look()).clocks[1] < runs);
  }
  await second.play("a1");
  await first.page.locator(".player.left .clock.runs").waitFor();
  await second.page.locator(".player.left .clock.low").waitFor();
});

browserTest("waiting can be cancelled, and the table is gone from the list", async (context) => {
  const ada = await context.visitor();
  await Table.ofFriends(ada, "Ada");
  await new Table(ada.page).press("Cancel");
  await ada.page.waitForURL(`${ada.origin}/`);
  assert.equal(await ada.page.locator(".recent li a").count(), 0);
});

browserTest("an opponent who has left is no dead end", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  await ada.page.clock.install();
  const first = await Table.ofFriends(ada, "Ada");
  const { path } = first;
  const second = await Table.join(bob, path, "Bob");
  await playInTurn([first, second], "b2");
  await bob.page.goto("/");
  await first.shows({ presence: ["here", "away"], status: "Bob lost the connection; the game waits." });
  assert.equal(await ada.page.locator(".absent").count(), 0, "he may come back soon");
  await ada.page.clock.fastForward(10_000);
  await ada.page.getByText("Bob lost the connection a while ago, and may come back.").waitFor();
  await first.press("Leave");
  await ada.page.waitForURL(`${ada.origin}/`);
  await bob.page.goto(path);
  await second.shows({ presence: ["left-table", "here"] });
  await bob.page.getByText("Ada has left the table.").first().waitFor();
  await second.press("Find another");
  await second.shows({ players: ["You", "Nobody yet"] });
});
