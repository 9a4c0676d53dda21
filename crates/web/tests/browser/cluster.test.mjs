// Two people play at two servers of a cluster while parts of it die.

import assert from "node:assert/strict";

import { Cluster } from "./cluster.mjs";
import { visitorTest } from "./context.mjs";
import { playInTurn, Table } from "./table.mjs";

/** A move that waits for the cluster. */
const LATE = "Your move to c3 is not recorded yet. We keep trying …";

/** The moves in the log of a table, as one server tells them. */
async function moves(address, id) {
  const answer = await fetch(`http://${address}/api/tables/${id}/log`);
  const { entries } = await answer.json();
  return entries.filter(({ kind }) => kind === "played").map(({ move }) => move);
}

/** Takes a picture of both players' screens. */
async function pictures([ada, bob], moment) {
  await Promise.all([ada.picture(`cluster-${moment}-first`), bob.picture(`cluster-${moment}-second`)]);
}

async function survive(context) {
  const [one, two, three] = context.cradle.nodes;
  const [ada, bob] = await Promise.all([context.visitor({}, one.address), context.visitor({}, two.address)]);
  const first = await Table.ofFriends(ada, "Ada");
  const second = await Table.join(bob, first.path, "Bob");
  await first.shows({ presence: ["here", "here"], status: "Your turn." });
  process.kill(three.pid, "SIGKILL");
  await playInTurn([first, second], "a1 b2");
  for (const table of [first, second]) await table.shows({ board: "X.. .O. ...", pending: 0 });
  await pictures([ada, bob], "server-killed");

  // With one of three NATS servers killed and another one asleep, nothing can be recorded.
  const { leader, followers } = await context.cradle.leader();
  process.kill(followers[0].pid, "SIGSTOP");
  process.kill(leader.pid, "SIGKILL");
  try {
    await first.play("c3");
    await first.shows({ board: "X.. .O. ..x", pending: 1, status: LATE });
    await pictures([ada, bob], "without-leader");
    assert.equal((await second.look()).board, "X.. .O. ...", "nobody sees a move that is not recorded");
  } finally {
    process.kill(followers[0].pid, "SIGCONT");
  }
  for (const table of [first, second]) await table.shows({ board: "X.. .O. ..X", pending: 0 });
  await playInTurn([second, first], "b1 b3");
  for (const table of [first, second]) await table.shows({ board: "XO. .O. .XX", pending: 0 });
  await pictures([ada, bob], "recovered");
  for (const { address } of [one, two]) {
    assert.deepEqual(await moves(address, first.id), ["a1", "b2", "c3", "b1", "b3"]);
  }
}

const NAME = "two players at two servers go on when a server and the NATS leader are killed";
// Where there is no NATS server, `cargo xtask test` says aloud that this was not tested.
if (process.env.NATS) visitorTest(NAME, survive, Cluster.start);
