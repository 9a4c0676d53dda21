// The copy of the page that the browser keeps: it opens without a server, and new versions offer themselves.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";

import { browserTest } from "./context.mjs";
import { becomes, Table } from "./table.mjs";

const KEPT = "This page also works offline.";

/** A visitor whose browser keeps a copy of the page. */
async function keeper(context, address) {
  const visitor = await context.visitor({ serviceWorkers: "allow" }, address);
  await visitor.open("/");
  await visitor.page.getByText(KEPT).waitFor();
  return visitor;
}

browserTest("after one visit the page works without a server", async (context) => {
  const visitor = await keeper(context);
  const { page } = visitor;
  await visitor.checkAccessibility();
  await page.getByLabel("Perfect").check();
  await context.cradle.kill();
  await page.reload();
  await page.getByRole("link", { name: "Play the computer" }).click();
  const table = new Table(page);
  await table.click("a1");
  await table.shows({ board: "X.. .O. ...", status: "Your turn." });
  await page.goto("/play/computer/connect-four");
  await table.shows({ status: "Your turn." });
  await page.goto("/play/replay/tic-tac-toe/a1.b1/1");
  await becomes("Then: b1. A mistake.", async () => await page.locator("#replay-status").innerText());
  visitor.forgive(/ERR_CONNECTION_REFUSED|ERR_ABORTED|ERR_FAILED/);
});

/** A server in front of another one, whose page has a new version from the moment that it is told. */
async function changingServer(address) {
  let version = "";
  const server = createServer(async (request, response) => {
    const answer = await fetch(`http://${address}${request.url}`);
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get("content-type") ?? "text/plain";
    response.writeHead(answer.status, { "content-type": type, "cache-control": "no-cache" });
    const isWorker = request.url === "/service-worker.js";
    response.end(isWorker ? body.toString().replace('const CACHE = "page-', `$&${version}`) : body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${server.address().port}`,
    change: () => (version = "new-"),
    end: () => server.close(),
  };
}

browserTest("a new version offers itself and does not disturb a game", async (context) => {
  const server = await changingServer(context.cradle.address);
  const visitor = await keeper(context, server.address);
  const { page } = visitor;
  const table = await Table.at(page, "/play/computer");
  await table.click("a1");
  await table.shows({ board: "X.. .O. ..." });
  assert.equal(await page.locator("#new-version").innerText(), "");
  server.change();
  await page.evaluate(async () => await (await navigator.serviceWorker.ready).update());
  await page.getByText("A new version is ready.").waitFor();
  await table.shows({ board: "X.. .O. ..." });
  await visitor.checkAccessibility();
  await table.press("Hint");
  await becomes(true, async () => (await table.look()).hint.startsWith("Try "));
  await page.getByRole("button", { name: "Reload" }).click();
  await page.locator("#new-version button").waitFor({ state: "detached" });
  await table.shows({ board: "X.. .O. ...", status: "Your turn." });
  const caches = await page.evaluate(async () => (await globalThis.caches.keys()).length);
  assert.equal(caches, 2, "the version before is kept for other tabs");
  server.end();
});

browserTest("where browsers keep no copy the page says so and works", async (context) => {
  const visitor = await context.visitor({ viewport: { width: 320, height: 640 } });
  const { page } = visitor;
  await page.addInitScript(() => delete Navigator.prototype.serviceWorker);
  await visitor.open("/");
  await page.getByText("This page does not work offline here").waitFor();
  await page.getByRole("link", { name: "Play the computer" }).click();
  const table = new Table(page);
  await table.play("a1");
  await table.shows({ board: "X.. .O. ..." });
});

browserTest("the page can be installed", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  await visitor.open("/");
  const path = await page.locator("link[rel=manifest]").getAttribute("href");
  const manifest = await context.cradle.get(path);
  assert.equal(manifest.start_url, "/");
  for (const { src, sizes } of manifest.icons) {
    const [width] = sizes === "any" ? [0] : sizes.split("x").map(Number);
    const drawn = await page.evaluate(async (path) => {
      const image = new Image();
      image.src = path;
      await image.decode();
      return image.naturalWidth;
    }, src);
    if (width) assert.equal(drawn, width, src);
  }
  const client = await page.context().newCDPSession(page);
  const { errors } = await client.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
});
