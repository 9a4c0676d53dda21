// A whole cluster as one process of the driver: three NATS servers, three servers and a balancer.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Three NATS servers, three servers of Cat's Cradle and a balancer. Each of them can be killed. */
export class Cluster {
  /** The NATS servers: their names, processes and monitoring addresses. */
  nats = [];
  /** The servers: their names, processes and addresses. */
  nodes = [];

  static async start() {
    const { DRIVER, CRADLE, NATS } = process.env;
    if (!DRIVER || !CRADLE || !NATS) {
      throw new Error("the variables DRIVER, CRADLE and NATS must name programs, as cargo xtask test sets them");
    }
    const cluster = new Cluster();
    const given = ["cluster", "--server", CRADLE, "--nats", NATS, "--listen", "127.0.0.1:0"];
    cluster.child = spawn(DRIVER, given, { stdio: ["ignore", "pipe", "inherit"] });
    cluster.ended = new Promise((resolve) => cluster.child.once("exit", resolve));
    await cluster.read(createInterface({ input: cluster.child.stdout }));
    return cluster;
  }

  async read(lines) {
    for await (const line of lines) {
      const [, name, pid, address, monitor] =
        /^ *(\S+): process (\d+) at \w+:\/\/([^\s,]+)(?:, monitored at http:\/\/(\S+))?$/.exec(line) ?? [];
      if (monitor) this.nats.push({ name, pid: Number(pid), monitor });
      else if (name) this.nodes.push({ name, pid: Number(pid), address });
      else this.address ??= /at http:\/\/(\S+)$/.exec(line)?.[1];
      if (/Ctrl-C/.test(line)) return;
    }
    throw new Error("the cluster did not start");
  }

  /** Divides the NATS servers into the leader of the stream of moves and the others. */
  async leader() {
    const answers = this.nats.map(({ monitor }) => fetch(`http://${monitor}/jsz?streams=true`));
    for (const answer of await Promise.all(answers)) {
      const { account_details: [account] = [] } = await answer.json();
      const logs = account?.stream_detail.find(({ name }) => name === "cradle_logs");
      const leader = this.nats.find(({ name }) => name === logs?.cluster?.leader);
      if (leader) return { leader, followers: this.nats.filter((other) => other !== leader) };
    }
    throw new Error("the stream of moves has no leader");
  }

  async end() {
    this.child.kill("SIGTERM");
    await this.ended;
  }
}
