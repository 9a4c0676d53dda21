// The real server as a process.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A server with its own folder, which can be killed and restarted. */
export class Cradle {
  /** `flags` are more flags of `cradle serve`. */
  static async start(flags = []) {
    const cradle = new Cradle();
    cradle.flags = flags;
    cradle.folder = await mkdtemp(join(tmpdir(), "cradle-phoenix-"));
    await cradle.run("127.0.0.1:0");
    return cradle;
  }

  async run(listen) {
    const program = process.env.CRADLE;
    if (!program) throw new Error("the variable CRADLE must name the program, as cargo xtask test sets it");
    const given = ["serve", "--listen", listen, "--data", this.folder, "--log", "error", ...this.flags];
    this.child = spawn(program, given, { stdio: ["ignore", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.child.once("exit", resolve));
    const lines = createInterface({ input: this.child.stdout });
    const first = new Promise((resolve) => lines.once("line", resolve));
    const line = await Promise.race([first, this.ended]);
    const address = /http:\/\/(\S+)/.exec(String(line));
    if (!address) throw new Error(`the server did not start: ${line}`);
    this.address = address[1];
  }

  /** Kills the process, as if the machine failed. */
  async kill() {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  /** Stops it as an operator would; resolves to the exit code. */
  async stop() {
    this.child.kill("SIGTERM");
    return await this.ended;
  }

  /** Starts it again at the same address with the same data. */
  async restart() {
    await this.run(this.address);
  }

  async end() {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  async get(path) {
    const answer = await fetch(`http://${this.address}${path}`);
    return await answer.json();
  }

  async post(path, body) {
    const headers = { "content-type": "application/json" };
    const asked = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`http://${this.address}${path}`, asked);
    const result = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(result));
    return result;
  }
}
