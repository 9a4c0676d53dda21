// A real browser, and visitors who notice everything that a page should not do.

import { EventEmitter, on } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import { chromium } from "playwright-core";

/** Nothing is asked for but what the page asks for. */
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** What accessibility is held to: WCAG 2.2, levels A and AA. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** How many milliseconds anything may take. */
export const PATIENCE = 15_000;

export async function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return await chromium.launch({ executablePath, args: FLAGS });
}

/** Somebody with a browser of their own: nothing is shared with other visitors. */
export class Visitor {
  /** What the page did that it should not have done. */
  complaints = [];
  noted = new EventEmitter();

  /** `options` are those of a context in Playwright: a viewport, a locale, a colour scheme. */
  static async arrive(browser, origin, options = {}) {
    const visitor = new Visitor();
    visitor.origin = origin;
    visitor.context = await browser.newContext({ baseURL: origin, ...options });
    visitor.context.setDefaultTimeout(PATIENCE);
    visitor.context.on("request", (request) => visitor.judge("asks", request.url()));
    visitor.context.on("requestfailed", (request) => {
      visitor.complain("request", `${request.url()} ${request.failure()?.errorText}`);
    });
    visitor.context.on("response", (response) => {
      if (response.status() >= 400) visitor.complain("answer", `${response.status()} ${response.url()}`);
    });
    await visitor.context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (violation) => {
        console.error(`policy: ${violation.violatedDirective} ${violation.blockedURI}`);
      });
    });
    visitor.page = await visitor.tab();
    return visitor;
  }

  /** One more tab; the first is `page`. */
  async tab() {
    const page = await this.context.newPage();
    page.on("pageerror", (error) => this.complain("error", error.stack ?? error.message));
    page.on("websocket", (socket) => this.judge("connects to", socket.url()));
    page.on("console", (message) => {
      if (message.type() === "error") this.complain("console", message.text());
    });
    return page;
  }

  /** Opens an address, and waits until the page has put its own in place of what stood there first. */
  async open(path, page = this.page) {
    await page.goto(path);
    await page.locator("#view [aria-hidden].players").waitFor({ state: "detached" });
  }

  judge(does, url) {
    const { protocol, host } = new URL(url);
    if (["data:", "blob:"].includes(protocol)) return;
    if (host !== new URL(this.origin).host) this.complain("host", `the page ${does} ${url}`);
  }

  complain(kind, text) {
    this.complaints.push(`${kind}: ${text}`);
    this.noted.emit("complaint");
  }

  /** Waits until there is such a complaint. */
  async noticed(pattern) {
    const signal = AbortSignal.timeout(PATIENCE);
    const isThere = () => this.complaints.some((complaint) => pattern.test(complaint));
    if (isThere()) return;
    for await (const _complaint of on(this.noted, "complaint", { signal })) {
      if (isThere()) return;
    }
  }

  /** What a test has caused itself is no complaint: `forgive(/WebSocket/)` after a kill. */
  forgive(pattern) {
    this.complaints = this.complaints.filter((complaint) => !pattern.test(complaint));
  }

  /** Looks for what keeps people out, and complains of it; `without` are rules that do not count. */
  async examine({ page = this.page, without = [] } = {}) {
    const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
    // The policy of the page forbids it scripts from elsewhere, but not the browser's own tools.
    await page.evaluate(await readFile(path, "utf8"));
    const run = ({ values, rules }) => globalThis.axe.run({ runOnly: { type: "tag", values }, rules });
    const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
    const { violations } = await page.evaluate(run, { values: RULES, rules });
    for (const { id, help, nodes } of violations) {
      const places = nodes.map((node) => node.html).join("\n    ");
      this.complain("accessibility", `${id}: ${help}\n    ${places}`);
    }
  }

  /** Keeps how the page looks now, among the artefacts. */
  async picture(name, page = this.page) {
    const folder = process.env.PICTURES;
    if (!folder) return;
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }

  async leave() {
    await this.context.close();
  }
}
