// Whole games, over both transports.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Cradle } from "./cradle.mjs";
import { Player, TRANSPORTS, until } from "./player.mjs";

/** A server, a table, and two players; the first has two tabs. */
async function gather(transport) {
  const cradle = await Cradle.start();
  const created = await cradle.post("/api/tables", { game: "tic-tac-toe", name: "Ada" });
  const joined = await cradle.post(`/api/tables/${created.id}/seats`, { name: "Bob" });
  const sit = (token) => new Player(cradle.address, transport, created.id, token);
  const [ada, bob, tab] = [sit(created.token), sit(joined.token), sit(created.token)];
  const all = [ada, bob, tab];
  const log = async () => (await cradle.get(`/api/tables/${created.id}/log`)).entries;
  const end = async () => {
    await Promise.all(all.map((player) => player.leave()));
    await cradle.end();
  };
  await Promise.all(all.map((player) => player.join())).catch(async (error) => {
    await end();
    throw error;
  });
  return { cradle, table: created.id, ada, bob, tab, all, log, end };
}

const move = (id, ply, square) => ({ id, action: "play", round: 1, ply, move: square });

/** Checks that all received the entries of the log, once and in order. */
async function agree(all, log) {
  const written = await log();
  const last = written.at(-1).version;
  await until("all have the last entry", () => all.every((player) => player.version === last));
  const kept = (entry) => [entry.version, entry.kind, entry.move];
  for (const player of all) {
    const told = player.log.map(kept);
    assert.deepEqual(told, written.slice(-told.length).map(kept));
    assert.equal(player.gaps, 0);
  }
  return written;
}

for (const transport of Object.keys(TRANSPORTS)) {
  test(`a whole game and the next round, over ${transport}`, async () => {
    const { ada, bob, tab, all, log, end } = await gather(transport);
    try {
      assert.deepEqual([ada.seat, bob.seat, tab.seat], [0, 1, 0]);
      const squares = ["a1", "b1", "a2", "b2", "a3"];
      for (const [ply, square] of squares.entries()) {
        const [player, id] = ply % 2 === 0 ? [ada, `ada:${ply + 1}`] : [bob, `bob:${ply + 1}`];
        assert.equal(await player.act(move(id, ply, square)), 4 + ply);
      }
      const next = { id: "bob:9", action: "next_round", round: 1, ply: 5 };
      assert.equal(await bob.act(next), 9);
      const written = await agree(all, log);
      assert.deepEqual(written.slice(3, 8).map((entry) => entry.move), squares);
      await tab.act({ ...move("tab:1", 0, "c3"), round: 2 });
      await agree(all, log);
    } finally {
      await end();
    }
  });

  test(`a refused move is answered with its reasons, over ${transport}`, async () => {
    const { ada, bob, all, log, end } = await gather(transport);
    try {
      await ada.act(move("ada:1", 0, "b2"));
      const refusal = await bob.act(move("bob:1", 1, "b2")).catch((refusal) => refusal);
      assert.equal(refusal.code, "already_taken");
      assert.equal(refusal.reasons[0].because[0].thread, "SquareTaken(b2)");
      await bob.act(move("bob:2", 1, "a1"));
      await agree(all, log);
    } finally {
      await end();
    }
  });

  test(`two tabs of a player are one presence with two metas, over ${transport}`, async () => {
    const { ada, bob, tab, end } = await gather(transport);
    try {
      for (const player of [ada, bob, tab]) {
        const isPresent = () => player.present()["0"] === 2 && player.present()["1"] === 1;
        await until("all see both tabs", isPresent);
      }
      await tab.act(move("tab:1", 0, "b2"));
      await until("the other tab has the entry", () => ada.version === 4);
      await new Promise((resolve) => tab.channel.leave().receive("ok", resolve));
      await until("one tab is left", () => bob.present()["0"] === 1);
      await bob.act(move("bob:1", 1, "a1"));
      await ada.act(move("ada:1", 2, "c3"));
    } finally {
      await end();
    }
  });

  test(`a token for all channels holds the seat, over ${transport}`, async () => {
    const cradle = await Cradle.start();
    const created = await cradle.post("/api/tables", { game: "pig", name: "Ada" });
    const sit = (authToken) => new Player(cradle.address, transport, created.id, undefined, authToken);
    const [ada, eve] = [sit(created.token), sit(undefined)];
    try {
      await Promise.all([ada.join(), eve.join()]);
      assert.deepEqual([ada.seat, eve.seat], [0, undefined]);
    } finally {
      await Promise.all([ada.leave(), eve.leave()]);
      await cradle.end();
    }
  });

  test(`a lost connection is restored without starting over, over ${transport}`, async () => {
    const { ada, bob, all, log, end } = await gather(transport);
    try {
      await ada.act(move("ada:1", 0, "a1"));
      await until("all have the last entry", () => all.every((player) => player.version === 4));
      const [joins, starts] = [bob.joins, bob.starts];
      bob.socket.conn.close(4000, "the network is gone", false);
      const pending = bob.act(move("bob:1", 1, "b1"));
      assert.equal(await pending, 5);
      await until("it is back", () => bob.joins > joins);
      assert.equal(bob.starts, starts, "it received only what it had missed");
      await ada.act(move("ada:2", 2, "a2"));
      await agree(all, log);
    } finally {
      await end();
    }
  });

  test(`players reconnect after the server was killed, over ${transport}`, async () => {
    const { cradle, ada, bob, tab, all, log, end } = await gather(transport);
    try {
      await ada.act(move("ada:1", 0, "a1"));
      await bob.act(move("bob:1", 1, "b1"));
      await until("all have the last entry", () => all.every((player) => player.version === 5));
      const [epoch, joins] = [ada.epoch, all.map((player) => player.joins)];
      // Its outcome is unknown.
      const pending = ada.act(move("ada:2", 2, "a2"));
      await cradle.kill();
      await cradle.restart();
      assert.equal(await pending, 6);
      await until("all are back", () => all.every((player, at) => player.joins > joins[at]));
      assert.notEqual(ada.epoch, epoch, "entries might have been lost");
      await bob.act(move("bob:2", 3, "b2"));
      await tab.act(move("tab:1", 4, "a3"));
      await ada.act({ id: "ada:3", action: "next_round", round: 1, ply: 5 });
      const written = await agree(all, log);
      const moves = written.filter((entry) => entry.kind === "played").map((entry) => entry.move);
      assert.deepEqual(moves, ["a1", "b1", "a2", "b2", "a3"], "each is there once");
      await until("all are seen", () => bob.present()["0"] === 2 && bob.present()["1"] === 1);
    } finally {
      await end();
    }
  });
}
