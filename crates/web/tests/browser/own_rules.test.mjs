// Rules that somebody wrote in the lab, played with a friend on the server.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";
import { Lab } from "./lab.mjs";
import { becomes, Table } from "./table.mjs";

/** A game that no catalog has: two squares in a row of three win, and the middle is closed. */
const RULES = `game bridge "Two neighbours in a row of three by one"

seats X, O
grid square = 3 x 3
set pair = lines of 2 in square

event mark(seat, square)  move of seat, puts seat on square
event win(seat)           win of seat

rule EndOfGame "The bridge is built"
  wait for win
  block any

rule EnforceTurns "Wait for the other one"
  forever
    wait for mark(X), block mark(O)
    wait for mark(O), block mark(X)

rule SquareTaken(square) "Somebody stands there"
  wait for mark(square)
  block mark(square)

rule Water "Nobody stands in the water"
  block mark(_, b2)

rule Bridge(seat, pair) "Two neighbours make a bridge"
  2 times: wait for mark(seat, pair)
  request win(seat), block mark
`;

browserTest("two people play a game that did not exist a minute before", async (context) => {
  const [ada, bob, eve] = await Promise.all([1, 2, 3].map(() => context.visitor({ reducedMotion: "reduce" })));
  const lab = await Lab.at(ada.page);
  await lab.write(RULES);
  await ada.page.getByText("No mistakes.").waitFor();
  await lab.press("Play with a friend");
  await ada.page.getByText("A table with your rules is open.").waitFor();
  const link = new URL(await ada.page.getByLabel("Link to the table").inputValue());
  assert.match(await ada.page.locator("#friend .code").textContent(), /^[a-z]+-[a-z]+$/);
  await ada.checkAccessibility();
  await ada.picture("lab-friend");
  await ada.page.getByRole("link", { name: "Go to the table" }).click();
  const first = new Table(ada.page);
  await first.shows({ status: "Waiting for the other player." });
  assert.equal(first.path, link.pathname);

  // The friend reads the rules before sitting down.
  await bob.page.goto(link.pathname);
  await bob.page.getByText("A player wrote the rules of this game.").waitFor();
  await bob.page.getByText("Read the rules").click();
  await becomes(RULES.trim(), async () => (await bob.page.locator(".rules-text pre").textContent()).trim());
  await bob.checkAccessibility();
  await bob.picture("own-rules");
  const second = await Table.join(bob, link.pathname, "Bob");

  await first.play("a1");
  await second.shows({ status: "Your turn." });
  await second.click("b2");
  const water = "The author of these rules says: “Nobody stands in the water”. ";
  await becomes(true, async () => (await second.look()).hint?.includes(water.trim()));
  await second.click("c3");
  await first.shows({ status: "Your turn." });
  const watching = await Table.at(eve.page, link.pathname);
  await watching.shows({ watching: "You are watching. New table" });
  await first.click("a2");
  await first.shows({ status: "You won this round." });
  await second.shows({ status: "Guest won this round." });
  await watching.shows({ board: "X.. X.. ..O" });

  // They are no game of the catalog, and nobody else finds them.
  const { games } = await context.cradle.get("/api/games");
  assert.ok(!games.some(({ name }) => name.startsWith("bridge")));
  // Anybody looks at the round again, with every b-thread behind it.
  await eve.page.getByRole("button", { name: "Why?" }).click();
  const panel = eve.page.locator("#why-panel");
  await panel.getByText("The b-threads behind the position after 3 moves").waitFor();
  await panel.getByText("EndOfGame").waitFor();
  await panel.getByText("Water").waitFor();
  await eve.checkAccessibility();
  await eve.picture("own-rules-why");
  const [text] = await Promise.all([eve.page.waitForEvent("popup"), panel.getByRole("link", { name: "EndOfGame" }).click()]);
  await text.locator("html[data-ready=yes]").waitFor();
  await becomes("EndOfGame", () => text.evaluate(() => {
    const area = document.querySelector("#text");
    return area.value.slice(area.selectionStart, area.selectionEnd);
  }));
  const why = panel.getByRole("link", { name: "This round in the lab" });
  const [tab] = await Promise.all([eve.page.waitForEvent("popup"), why.click()]);
  await tab.getByText("This is a round of a table.").waitFor();
  await tab.getByText("The game is over: X wins.").waitFor();
  await tab.getByText("requested by Bridge(X, {a1 a2})").waitFor();
  for (let place = 0; place < 2; place += 1) await new Lab(tab).press("Back");
  await tab.getByText("2 of 4 events").waitFor();
  assert.equal(await tab.getByRole("link", { name: "Back to the table" }).getAttribute("href"), link.pathname);
  await bob.page.getByRole("link", { name: "Open these rules in the lab" }).click();
  const opened = new Lab(bob.page);
  await becomes(RULES.trim(), async () => (await opened.text()).trim());
});

browserTest("a server that takes no rules says so in the lab", async (context) => {
  const visitor = await context.visitor({ reducedMotion: "reduce" });
  const lab = await Lab.at(visitor.page);
  await visitor.page.locator("#examples").selectOption("nim");
  await lab.press("Play with a friend");
  await visitor.page.getByText("This server takes no rules from players").waitFor();
  visitor.forgive(/403/);
  const reader = await context.visitor({ reducedMotion: "reduce" });
  await Lab.at(reader.page, "#table=AAAAAAAAAAAAAAAAAAAAAA");
  await reader.page.getByText("The rules of that table cannot be read").waitFor();
  reader.forgive(/404/);
}, ["--limit", "own_rules_per_minute=0"]);
