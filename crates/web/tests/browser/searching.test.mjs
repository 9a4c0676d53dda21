// What the page lets its worker do: the searches of the computer, hints and analysis.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

import { browserTest } from "./context.mjs";
import { becomes, Table } from "./table.mjs";

/** A game of Connect Four whose positions cannot be solved in no time. */
const LONG = "/play/replay/connect-four/d.d.d.d.d.c.c.c.c.e.e.e";

browserTest("the page draws on while a worker searches", async (context) => {
  const { page } = await context.visitor();
  await Table.at(page, LONG);
  // Counts the frames until there is an answer. A search on the page's own thread would let it draw two
  // at most.
  const frames = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const buttons = [...document.querySelectorAll("button")];
        let frames = 0;
        const draw = () => {
          if (!document.getElementById("hint").textContent.startsWith("Looking")) return resolve(frames);
          frames += 1;
          requestAnimationFrame(draw);
        };
        buttons.find((button) => button.textContent === "First mistake").click();
        requestAnimationFrame(draw);
      }),
  );
  assert.ok(frames > 5, `${frames} frames`);
});

browserTest("the searches are loaded when somebody needs them, and not before", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  const loaded = [];
  visitor.context.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  const searches = () => loaded.filter((path) => /search/.test(path)).length;
  const table = await Table.at(page, "/play/computer");
  await table.play("a1");
  await table.shows({ board: "X.. .O. ..." });
  assert.equal(searches(), 0, "the teacher follows its b-threads");
  await table.press("Hint");
  await becomes(true, async () => (await table.look()).hint.startsWith("Try "));
  await becomes(true, async () => searches() > 0);
});

browserTest("a search that cannot be loaded is told", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  await visitor.context.route("**/assets/search-*.wasm", (route) => route.abort());
  const table = await Table.at(page, "/play/computer");
  await table.press("Hint");
  await page.getByText("The computer's part of the page could not be loaded.").waitFor();
  visitor.forgive(/search/);
  visitor.forgive(/console|error/);
});

browserTest("the tables of a visit share one worker", async (context) => {
  const { page } = await context.visitor();
  const workers = [];
  page.on("worker", (worker) => workers.push(worker));
  const hint = async (table) => {
    await table.press("Hint");
    await becomes(true, async () => (await table.look()).hint.startsWith("Try "));
  };
  await hint(await Table.at(page, "/play/computer"));
  await page.getByRole("link", { name: "Home" }).click();
  await page.getByRole("link", { name: "One screen" }).waitFor();
  await page.getByRole("link", { name: "Play the computer" }).click();
  await page.locator("#board").waitFor();
  await hint(new Table(page));
  assert.equal(workers.length, 1);
});

/** What a worker of the page answers to a request. */
async function answered(page, request) {
  const message = JSON.stringify({ id: 1, request });
  const reply = await page.evaluate(
    (message) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(document.documentElement.dataset.worker, { type: "module" });
        worker.onerror = () => reject(new Error("the worker cannot be loaded"));
        worker.onmessage = ({ data }) => {
          if (data === "ready") return worker.postMessage(message);
          worker.terminate();
          resolve(data);
        };
      }),
    message,
  );
  // A number of JavaScript does not hold all bits of a fraction.
  const { id, answer } = JSON.parse(reply.replaceAll(/"(expected|probability)":(\d+)/g, '"$1":"$2"'));
  assert.equal(id, 1);
  return answer;
}

/** A fraction by its bits. */
function fraction(bits) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(bits));
  return view.getFloat64(0);
}

/** The fields that have a value. */
function known(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}

function worth({ expected, exact, plies, score }) {
  return known({ expected: fraction(expected), exact, plies, score: score == null ? null : score | 0 });
}

/** An analysis of the worker as the command writes it. */
function written({ method, value, moves, line }) {
  const each = ({ move, value, visits, probability }) =>
    known({ move, ...worth(value), visits, probability: probability == null ? null : fraction(probability) });
  return known({ method, value: worth(value), moves: moves.map(each), line: line?.length ? line : null });
}

browserTest("a worker in the browser finds what the command finds, to the last digit", async (context) => {
  const { page } = await context.visitor();
  await Table.at(page, "/play/computer");
  const [positions, simulations] = [2_000_000, 2_000];
  for (const [name, plies, method] of [
    ["tic-tac-toe", ["a1", "b1"], "every position"],
    ["connect-four", ["d", "d", "c", "c", "b"], "connect-four solver"],
    ["mnk:6,5,4", ["c3", "c2"], "k in a row solver"],
    ["mnk:7,6,5", ["d3", "d4"], "mcts:2000"],
    ["ultimate", [], "mcts:2000"],
    ["pig:50", ["roll", "~6"], "value iteration"],
    ["kuhn-poker", ["~KQ"], "cfr:2000"],
  ]) {
    const game = { name, plies: plies.join("."), positions, simulations };
    const { kind, about } = await answered(page, { kind: "analysis", about: { game, number: plies.length } });
    const limits = ["--json", "--positions", positions, "--simulations", simulations].map(String);
    const moves = plies.map((ply) => ply.replace("~", ""));
    const command = spawnSync(process.env.CRADLE, ["analyze", name, ...moves, ...limits], { encoding: "utf8" });
    assert.equal(command.status, 0, command.stderr);
    const expected = JSON.parse(command.stdout);
    for (const field of ["game", "position", "seat"]) delete expected[field];
    assert.deepEqual([kind, about.method], ["analysis", method], name);
    assert.deepEqual(written(about), expected, name);
  }
});
