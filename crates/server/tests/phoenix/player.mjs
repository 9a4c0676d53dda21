// A player at a table, with nothing but the phoenix client from npm.

import { LongPoll, Presence, Socket } from "phoenix";

const WebSocket = globalThis.WebSocket ?? (await import("ws")).WebSocket;

/** The transports of channels. */
export const TRANSPORTS = { websocket: WebSocket, "long poll": LongPoll };

/** The time limit of all waits, in milliseconds. */
const TIMEOUT = 15_000;

/** The codes that decide nothing: the client sends the same action again. */
const UNDECIDED = ["early", "busy", "unavailable", "too_many", "set_aside"];

/** One tab of one player: it records every entry that it receives, in order. */
export class Player {
  constructor(address, transport, table, token, authToken) {
    this.log = [];
    this.version = 0;
    this.joins = 0;
    this.gaps = 0;
    this.starts = 0;
    this.socket = new Socket(`ws://${address}/socket`, {
      transport: TRANSPORTS[transport],
      timeout: 1_000,
      authToken,
      reconnectAfterMs: () => 50,
      rejoinAfterMs: () => 50,
    });
    // Whenever it joins again, it names the last version that it has.
    const hello = () => ({ token, from: this.version, epoch: this.epoch });
    this.channel = this.socket.channel(`table:${table}`, hello);
    this.channel.on("entries", ({ entries }) => this.take(entries));
    this.presence = new Presence(this.channel);
  }

  async join() {
    this.socket.connect();
    await new Promise((resolve, reject) => {
      const never = () => reject(new Error("the channel was not joined in time"));
      setTimeout(never, TIMEOUT).unref();
      const joined = this.channel.join();
      joined.receive("ok", (welcome) => resolve(this.welcome(welcome)));
      joined.receive("error", reject);
    });
  }

  welcome({ epoch, seat, start, entries, view }) {
    this.joins += 1;
    this.seat = seat;
    if (start) {
      this.starts += 1;
      // In a new epoch the log may have lost entries: only those before the start are kept.
      this.log = this.log.filter((entry) => entry.version <= start.version);
      this.version = start.version;
    }
    this.epoch = epoch;
    this.round = view.round;
    this.take(entries);
  }

  take(entries) {
    for (const entry of entries) {
      if (entry.version <= this.version) continue;
      if (entry.version > this.version + 1) this.gaps += 1;
      this.version = entry.version;
      this.log.push(entry);
    }
  }

  /** Sends an action until it is acknowledged or refused. */
  async act(action) {
    const end = Date.now() + TIMEOUT;
    while (Date.now() < end) {
      const { status, response } = await this.push("act", action);
      if (status === "ok") return response.version;
      if (status === "error" && !UNDECIDED.includes(response.code)) throw response;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`this action is never decided: ${JSON.stringify(action)}`);
  }

  push(event, message) {
    return new Promise((resolve) => {
      const push = this.channel.push(event, message);
      for (const status of ["ok", "error", "timeout"]) {
        push.receive(status, (response) => resolve({ status, response }));
      }
    });
  }

  /** How many tabs each player has open. */
  present() {
    const counted = this.presence.list((key, { metas }) => [key, metas.length]);
    return Object.fromEntries(counted);
  }

  leave() {
    return new Promise((resolve) => this.socket.disconnect(resolve));
  }
}

/** Waits until a condition holds. */
export async function until(what, condition) {
  const end = Date.now() + TIMEOUT;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`this never happens: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
