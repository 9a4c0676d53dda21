// People play rounds at a table on the server, and others watch.

import assert from "node:assert/strict";

import { scene } from "./scene.mjs";
import { becomes, playInTurn, Table } from "./table.mjs";

scene("two friends play a series by link, and who watches sees the same", async (scene) => {
  const [ada, bob, eve] = await Promise.all([scene.visitor(), scene.visitor(), scene.visitor()]);
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
  await third.point("a1");
  await third.shows({ hint: "You are watching.", offers: [] });
  await all({ board: "... ... ..." });

  await playInTurn([first, second], "a1 b1 b2 c1 c3");
  await all({ board: "XOO .X. ..X" });
  await first.shows({ status: "You won this round." });
  await second.shows({ status: "Ada won this round.", offers: ["Concede"] });
  await third.shows({ status: "Ada won this round.", offers: [] });
  await second.press("Concede");
  await all({ board: "... ... ...", wins: "1 : 0", round: "Round 2" });
  await first.shows({ hint: "Bob conceded. Round 2 begins.", about: ["play O · here", "plays X · here"] });
  await second.shows({ hint: "You conceded. Round 2 begins." });

  await first.shows({ status: "Bob’s turn." });
  await playInTurn([second, first], "b2 a1 c1 a3 a2 c2 b1 b3 c3");
  await all({ board: "OXX XXO OOX", status: "A cat’s game: nobody wins.", wins: "1 : 0" });
  await first.shows({ offers: ["Call it a tie"] });
  await first.press("Call it a tie");
  await all({ board: "... ... ...", wins: "1 : 0", round: "Round 3 · 1 tie", hint: "A tie. Round 3 begins." });

  await first.play("b2");
  await all({ board: "... .X. ..." });
  await second.press("Resign");
  await second.shows({ offers: ["Yes, resign", "No"] });
  await second.press("No");
  await second.shows({ offers: ["Resign"] });
  await all({ board: "... .X. ...", round: "Round 3 · 1 tie" });
  await second.press("Resign");
  await second.press("Yes, resign");
  await all({ board: "... ... ...", wins: "2 : 0", round: "Round 4 · 1 tie" });
  await third.shows({ hint: "Bob resigned. Round 4 begins.", about: ["plays O · here", "plays X · here"] });

  await ada.page.goto("/");
  const recent = ada.page.locator(".recent a");
  assert.equal(await recent.innerText(), "Bob · 2 : 0");
  await second.shows({ presence: ["away", "here"], status: "Your turn." });
  await recent.click();
  await second.shows({ presence: ["here", "here"] });
});

scene("whoever comes next is paired, and others can watch them", async (scene) => {
  const [ada, bob, eve] = await Promise.all([scene.visitor(), scene.visitor(), scene.visitor()]);
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
  // The list is asked for every five seconds.
  await eve.page.clock.fastForward(5_000);
  await eve.page.locator(".listed").getByRole("link", { name: "Watch" }).click();
  await new Table(eve.page).shows({ board: "O.. .X. ...", watching: "You are watching. New table" });
});

scene("a word that was said aloud leads to the table, and another one does not", async (scene) => {
  const [ada, bob] = await Promise.all([scene.visitor(), scene.visitor()]);
  const first = await Table.ofFriends(ada, "Ada");
  const word = await ada.page.locator(".invitation .code").innerText();
  await bob.open("/");
  const say = async (word) => {
    await bob.page.getByLabel("Somebody told you a word?").fill(word);
    await bob.page.getByRole("button", { name: "Go there" }).click();
  };
  const answer = async (text) => await bob.page.locator("#code-answer", { hasText: text }).waitFor();
  await say("no word!");
  await answer("A code is a word of three syllables, such as bodaki.");
  await say("bababa");
  await answer("No table has this code: ask for it again, it is three syllables such as bodaki.");
  bob.forgive(/404/);
  await say(` ${word.toUpperCase()} `);
  await bob.page.waitForURL(`**${first.path}`);
  await bob.page.getByRole("button", { name: "Sit down and play" }).click();
  await first.shows({ players: ["You", "Guest"], round: "Round 1" });
});

scene("a link is copied where the browser lets the page, and the focus stays in the page", async (scene) => {
  const ada = await scene.visitor({ permissions: ["clipboard-read", "clipboard-write"] });
  const first = await Table.ofFriends(ada, "Ada");
  const link = `${ada.origin}${first.path}`;
  assert.equal(await ada.page.getByLabel("Link to this table").inputValue(), link);
  await first.press("Copy the link");
  await ada.page.getByText("Copied.").waitFor();
  assert.equal(await ada.page.evaluate(() => navigator.clipboard.readText()), link);
  await Table.join(await scene.visitor(), first.path, "Bob");
  await ada.page.locator(".square:focus").waitFor();

  const eve = await scene.visitor();
  await eve.context.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  const second = await Table.ofFriends(eve, "Eve");
  await second.press("Copy the link");
  await eve.page.getByText("Copy it by hand, please.").waitFor();
});

scene("what one says appears beside the name, and goes away", async (scene) => {
  const [ada, bob] = await Promise.all([scene.visitor(), scene.visitor()]);
  await bob.page.clock.install();
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await first.press("Well played!");
  const said = { bubbles: ["Well played!"] };
  await Promise.all([second.page.locator(".player.left .bubble").waitFor(), first.shows(said), second.shows(said)]);
  await bob.page.clock.fastForward(4_000);
  await second.shows({ bubbles: [] });
});

scene("a clock runs for the player in turn, once the first move is made", async (scene) => {
  const [ada, bob] = await Promise.all([scene.visitor(), scene.visitor()]);
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
