// Connections come and go; a move is made once.

import assert from "node:assert/strict";

import { Line } from "./line.mjs";
import { scene } from "./scene.mjs";
import { playInTurn, Table } from "./table.mjs";

/** What the test causes by taking the server or the line away. */
const CUT = /WebSocket connection|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/;

/** The moves in the log of a table. */
async function moves(cradle, id) {
  const { entries } = await cradle.get(`/api/tables/${id}/log`);
  return entries.filter(({ kind }) => kind === "played").map(({ move }) => move);
}

/** Two friends at a table; the first of them has the line. */
async function friends(scene) {
  const [ada, bob] = await Promise.all([scene.visitor(), scene.visitor()]);
  const line = await Line.of(ada.page);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await first.shows({ presence: ["here", "here"], status: "Your turn." });
  return { ada, bob, first, second, line };
}

scene("who is cut off is away at once, and the move made meanwhile arrives once", async (scene) => {
  const { ada, first, second } = await friends(scene);
  await playInTurn([first, second], "a1 b2");
  await first.shows({ status: "Your turn." });
  await ada.context.setOffline(true);
  await first.shows({ offline: "No connection. Trying again …" });
  await second.shows({ presence: ["away", "here"], status: "Ada lost the connection; the game waits." });
  await first.point("c3");
  const waiting = { board: "X.. .O. ..x", pending: 1, status: "Your move to c3 is on its way …" };
  await first.shows(waiting);
  await ada.picture("table-offline");
  await second.shows({ board: "X.. .O. ..." });
  await ada.context.setOffline(false);
  const arrived = { board: "X.. .O. ..X", pending: 0, presence: ["here", "here"], offline: "" };
  await first.shows({ ...arrived, status: "Bob’s turn." });
  await second.shows({ ...arrived, status: "Your turn." });
  assert.deepEqual(await moves(scene.cradle, first.id), ["a1", "b2", "c3"]);
  ada.forgive(CUT);
});

scene("an answer that was lost with the connection does not make the move twice", async (scene) => {
  const { first, second, line } = await friends(scene);
  line.hold();
  await first.play("b2");
  await first.shows({ board: "... .x. ...", pending: 1 });
  await second.shows({ board: "... .X. ...", status: "Your turn." });
  await line.cut();
  line.forget();
  await second.shows({ presence: ["away", "here"] });
  await first.shows({ pending: 1, offline: "No connection. Trying again …" });
  line.mend();
  await first.shows({ board: "... .X. ...", pending: 0, status: "Bob’s turn." });
  await second.play("a1");
  await first.shows({ board: "O.. .X. ...", status: "Your turn." });
  assert.deepEqual(await moves(scene.cradle, first.id), ["b2", "a1"]);
});

scene("the server is killed in the middle of a game, and everybody comes back to it", async (scene) => {
  const { ada, bob, first, second } = await friends(scene);
  await playInTurn([first, second], "a1 b2");
  await first.shows({ board: "X.. .O. ...", status: "Your turn." });
  await scene.cradle.kill();
  for (const table of [first, second]) await table.shows({ offline: "No connection. Trying again …" });
  await first.point("c3");
  await first.shows({ board: "X.. .O. ..x", pending: 1 });
  await scene.cradle.restart();
  for (const table of [first, second]) {
    await table.shows({ board: "X.. .O. ..X", pending: 0, offline: "", presence: ["here", "here"] });
  }
  await second.play("b1");
  await first.shows({ board: "XO. .O. ..X", status: "Your turn." });
  assert.deepEqual(await moves(scene.cradle, first.id), ["a1", "b2", "c3", "b1"]);
  for (const visitor of [ada, bob]) visitor.forgive(CUT);
});

scene("a page that is loaded again is at its seat, and its move is still on its way", async (scene) => {
  const { ada, first, second, line } = await friends(scene);
  await playInTurn([first, second], "a1 b2");
  await first.shows({ status: "Your turn." });
  await line.cut();
  await scene.cradle.kill();
  await first.point("c3");
  await first.shows({ board: "X.. .O. ..x", pending: 1 });
  await scene.cradle.restart();
  await second.shows({ offline: "", presence: ["away", "here"] });
  await ada.page.reload();
  await second.shows({ board: "X.. .O. ..." });
  line.mend();
  for (const table of [first, second]) {
    await table.shows({ board: "X.. .O. ..X", pending: 0, presence: ["here", "here"] });
  }
  await first.shows({ players: ["You", "Bob"] });
  assert.deepEqual(await moves(scene.cradle, first.id), ["a1", "b2", "c3"]);
  for (const visitor of scene.visitors) visitor.forgive(CUT);
});

scene("two tabs of one person are one player", async (scene) => {
  const { ada, first, second } = await friends(scene);
  const page = await ada.tab();
  const line = await Line.of(page);
  const other = await Table.at(page, first.path);
  await other.shows({ players: ["You", "Bob"], status: "Your turn." });
  await other.play("b2");
  for (const table of [first, other, second]) await table.shows({ board: "... .X. ...", pending: 0 });
  await second.play("a1");
  for (const table of [first, other]) await table.shows({ board: "O.. .X. ...", status: "Your turn." });

  await disagree(other, line, first, second);
  line.mend();
  await other.shows({ board: "O.. .X. ..X", pending: 0, offline: "", ...LATE });
  assert.deepEqual(await moves(scene.cradle, first.id), ["b2", "a1", "c3"]);
});

scene("a move that cannot be made any more is taken back with its reason, also after loading again", async (scene) => {
  const { ada, first, second } = await friends(scene);
  await playInTurn([first, second], "b2 a1");
  const page = await ada.tab();
  const line = await Line.of(page);
  const other = await Table.at(page, first.path);
  await disagree(other, line, first, second);
  await page.reload();
  line.mend();
  await other.shows({ board: "O.. .X. ..X", pending: 0, ...LATE });
  assert.deepEqual(await moves(scene.cradle, first.id), ["b2", "a1", "c3"]);
});

/** What a move is told that came after another one of the same person. */
const LATE = {
  hint: "This move was meant for an earlier position. It is not your turn: EnforceTurns",
  threads: ["EnforceTurns"],
};

/** One tab of somebody is cut off and plays elsewhere than the other one. */
async function disagree(other, line, first, second) {
  await other.shows({ board: "O.. .X. ...", status: "Your turn." });
  await line.cut();
  await other.shows({ offline: "No connection. Trying again …" });
  await second.shows({ presence: ["here", "here"] });
  await other.point("c1");
  await other.shows({ board: "O.x .X. ...", pending: 1 });
  await first.play("c3");
  await second.shows({ board: "O.. .X. ..X" });
}
