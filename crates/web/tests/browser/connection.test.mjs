// Connections come and go; every move is made once.

import assert from "node:assert/strict";

import { SocketProxy } from "./socket_proxy.mjs";
import { browserTest } from "./context.mjs";
import { becomes, playInTurn, Table } from "./table.mjs";

/** What a test causes by taking the server or the network away. */
const CUT = /WebSocket connection|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/;

/** The moves in a table's log. */
async function moves(cradle, id) {
  const { entries } = await cradle.get(`/api/tables/${id}/log`);
  return entries.filter(({ kind }) => kind === "played").map(({ move }) => move);
}

/** Two friends at a table; the sockets of the first go through a proxy. */
async function friends(context) {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const proxy = await SocketProxy.of(ada.page);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await first.shows({ presence: ["here", "here"], status: "Your turn." });
  return { ada, bob, first, second, proxy };
}

browserTest("a player without a network is away at once, and their move arrives once", async (context) => {
  const { ada, first, second } = await friends(context);
  await playInTurn([first, second], "a1 b2");
  await first.shows({ status: "Your turn." });
  await ada.context.setOffline(true);
  await first.shows({ offline: "No connection. Retrying …" });
  await second.shows({ presence: ["away", "here"], status: "Ada lost the connection; the game waits." });
  await first.click("c3");
  const waiting = { board: "X.. .O. ..x", pending: 1, status: "Your move to c3 is on its way …" };
  await first.shows(waiting);
  await ada.picture("table-offline");
  await second.shows({ board: "X.. .O. ..." });
  await ada.context.setOffline(false);
  const arrived = { board: "X.. .O. ..X", pending: 0, presence: ["here", "here"], offline: "" };
  await first.shows({ ...arrived, status: "Bob’s turn." });
  await second.shows({ ...arrived, status: "Your turn." });
  assert.deepEqual(await moves(context.cradle, first.id), ["a1", "b2", "c3"]);
  ada.forgive(CUT);
});

browserTest("a lost answer does not make the move twice", async (context) => {
  const { first, second, proxy } = await friends(context);
  proxy.hold();
  await first.play("b2");
  await first.shows({ board: "... .x. ...", pending: 1 });
  await second.shows({ board: "... .X. ...", status: "Your turn." });
  await proxy.cut();
  proxy.discard();
  await second.shows({ presence: ["away", "here"] });
  await first.shows({ pending: 1, offline: "No connection. Retrying …" });
  proxy.restore();
  await first.shows({ board: "... .X. ...", pending: 0, status: "Bob’s turn." });
  await second.play("a1");
  await first.shows({ board: "O.. .X. ...", status: "Your turn." });
  assert.deepEqual(await moves(context.cradle, first.id), ["b2", "a1"]);
});

browserTest("a game survives a killed server", async (context) => {
  const { ada, bob, first, second } = await friends(context);
  await playInTurn([first, second], "a1 b2");
  await first.shows({ board: "X.. .O. ...", status: "Your turn." });
  await context.cradle.kill();
  for (const table of [first, second]) await table.shows({ offline: "No connection. Retrying …" });
  await first.click("c3");
  await first.shows({ board: "X.. .O. ..x", pending: 1 });
  await context.cradle.restart();
  for (const table of [first, second]) {
    await table.shows({ board: "X.. .O. ..X", pending: 0, offline: "", presence: ["here", "here"] });
  }
  await second.play("b1");
  await first.shows({ board: "XO. .O. ..X", status: "Your turn." });
  assert.deepEqual(await moves(context.cradle, first.id), ["a1", "b2", "c3", "b1"]);
  for (const visitor of [ada, bob]) visitor.forgive(CUT);
});

/** How long the server of the next test drains, in milliseconds. */
const DRAIN = 2_000;

async function drainedGame(context) {
  const { cradle } = context;
  const { ada, bob, first, second } = await friends(context);
  await playInTurn([first, second], "a1 b2");
  const stopped = cradle.stop();
  await becomes(503, async () => (await fetch(`http://${cradle.address}/readyz`)).status);
  await assert.rejects(cradle.post("/api/tables", { game: "tic-tac-toe" }), /about to restart/);
  // The game goes on while the server drains.
  await playInTurn([first, second], "c3 b1");
  for (const table of [first, second]) await table.shows({ board: "XO. .O. ..X", pending: 0 });
  assert.equal(await stopped, 0);
  for (const table of [first, second]) await table.shows({ offline: "No connection. Retrying …" });
  await first.click("b3");
  await first.shows({ board: "XO. .O. .xX", pending: 1 });
  await cradle.restart();
  await first.shows({ board: "XO. .O. .XX", pending: 0, offline: "", presence: ["here", "here"] });
  await second.play("a3");
  await first.shows({ board: "XO. .O. OXX", status: "Your turn." });
  assert.deepEqual(await moves(cradle, first.id), ["a1", "b2", "c3", "b1", "b3", "a3"]);
  for (const visitor of [ada, bob]) visitor.forgive(CUT);
}

browserTest("two players go on while the server drains and after it has restarted", drainedGame, [
  "--limit",
  `drain=${DRAIN}`,
]);

browserTest("a reload keeps the seat and the pending move", async (context) => {
  const { ada, first, second, proxy } = await friends(context);
  await playInTurn([first, second], "a1 b2");
  await first.shows({ status: "Your turn." });
  await proxy.cut();
  await context.cradle.kill();
  await first.click("c3");
  await first.shows({ board: "X.. .O. ..x", pending: 1 });
  await context.cradle.restart();
  await second.shows({ offline: "", presence: ["away", "here"] });
  await ada.page.reload();
  await second.shows({ board: "X.. .O. ..." });
  proxy.restore();
  for (const table of [first, second]) {
    await table.shows({ board: "X.. .O. ..X", pending: 0, presence: ["here", "here"] });
  }
  await first.shows({ players: ["You", "Bob"] });
  assert.deepEqual(await moves(context.cradle, first.id), ["a1", "b2", "c3"]);
  for (const visitor of context.visitors) visitor.forgive(CUT);
});

browserTest("two tabs of one person are one player", async (context) => {
  const { ada, first, second } = await friends(context);
  const page = await ada.tab();
  const proxy = await SocketProxy.of(page);
  const other = await Table.at(page, first.path);
  await other.shows({ players: ["You", "Bob"], status: "Your turn." });
  await other.play("b2");
  for (const table of [first, other, second]) await table.shows({ board: "... .X. ...", pending: 0 });
  await second.play("a1");
  for (const table of [first, other]) await table.shows({ board: "O.. .X. ...", status: "Your turn." });

  await disagree(other, proxy, first, second);
  proxy.restore();
  await other.shows({ board: "O.. .X. ..X", pending: 0, offline: "", ...LATE });
  assert.deepEqual(await moves(context.cradle, first.id), ["b2", "a1", "c3"]);
});

browserTest("an overtaken move is rolled back with its reason, also after a reload", async (context) => {
  const { ada, first, second } = await friends(context);
  await playInTurn([first, second], "b2 a1");
  const page = await ada.tab();
  const proxy = await SocketProxy.of(page);
  const other = await Table.at(page, first.path);
  await disagree(other, proxy, first, second);
  await page.reload();
  proxy.restore();
  await other.shows({ board: "O.. .X. ..X", pending: 0, ...LATE });
  assert.deepEqual(await moves(context.cradle, first.id), ["b2", "a1", "c3"]);
});

/** The note for a move that another tab has overtaken. */
const LATE = {
  hint: "This move was meant for an earlier position. It is not your turn. Which rule? EnforceTurns",
  threads: ["EnforceTurns"],
};

/** One tab of a person loses its connection and plays another move than the other tab. */
async function disagree(other, proxy, first, second) {
  await other.shows({ board: "O.. .X. ...", status: "Your turn." });
  await proxy.cut();
  await other.shows({ offline: "No connection. Retrying …" });
  await second.shows({ presence: ["here", "here"] });
  await other.click("c1");
  await other.shows({ board: "O.x .X. ...", pending: 1 });
  await first.play("c3");
  await second.shows({ board: "O.. .X. ..X" });
}
