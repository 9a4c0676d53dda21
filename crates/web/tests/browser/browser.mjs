// A real browser, and visitors who record everything that a page should not do.

import { EventEmitter, on } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import { chromium } from "playwright-core";

/** The browser makes no requests of its own. */
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

/** The accessibility rules: WCAG 2.2, levels A and AA. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** The milliseconds that anything may take. */
export const TIMEOUT = 15_000;

export async function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return await chromium.launch({ executablePath, args: FLAGS });
}

/** Tells requests that a browser gives up because the person goes to another document. */
class RequestedDocuments {
  /** For each page the number of documents that it has requested, and the number of the one it shows. */
  #requested = new WeakMap();
  #shown = new WeakMap();
  #begun = new WeakMap();

  constructor(context) {
    context.on("page", (page) => {
      page.on("framenavigated", (frame) => {
        if (frame === page.mainFrame()) this.#shown.set(page, this.#requestedBy(page));
      });
    });
    context.on("request", (request) => this.#note(request));
  }

  /** Whether the browser gave up this request of a document because another one was requested. */
  hasLeft(request) {
    const page = pageOf(request);
    const isGivenUp = request.failure()?.errorText === "net::ERR_ABORTED";
    return page !== undefined && isGivenUp && this.#begun.get(request) < this.#requestedBy(page);
  }

  // An icon may be requested for a document that is about to be left.
  #note(request) {
    const page = pageOf(request);
    if (page === undefined) return;
    const isDocument = request.isNavigationRequest() && request.frame().parentFrame() === null;
    if (isDocument) this.#requested.set(page, this.#requestedBy(page) + 1);
    this.#begun.set(request, isDocument ? this.#requestedBy(page) : (this.#shown.get(page) ?? 0));
  }

  #requestedBy(page) {
    return this.#requested.get(page) ?? 0;
  }
}

/** The page of a request; service workers have none, and neither has the first request of a new tab. */
function pageOf(request) {
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}

/** A person with a browser profile of their own. */
export class Visitor {
  /** What the page did that it should not have done. */
  complaints = [];
  emitter = new EventEmitter();

  /** `options` are those of a context in Playwright: a viewport, a locale, a colour scheme. */
  static async arrive(browser, origin, options = {}) {
    const visitor = new Visitor();
    visitor.origin = origin;
    // Without motion the computer does not pause before its moves. Without a service worker a test sees
    // each request of its page.
    const usual = { baseURL: origin, reducedMotion: "reduce", serviceWorkers: "block" };
    visitor.context = await browser.newContext({ ...usual, ...options });
    visitor.context.setDefaultTimeout(TIMEOUT);
    const documents = new RequestedDocuments(visitor.context);
    visitor.context.on("request", (request) => visitor.checkHost("requests", request.url()));
    visitor.context.on("requestfailed", (request) => {
      if (documents.hasLeft(request)) return;
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

  /** Opens another tab; the first one is `page`. */
  async tab() {
    const page = await this.context.newPage();
    page.on("pageerror", (error) => this.complain("error", error.stack ?? error.message));
    page.on("websocket", (socket) => this.checkHost("connects to", socket.url()));
    page.on("console", (message) => {
      if (message.type() === "error") this.complain("console", message.text());
    });
    return page;
  }

  /** Opens an address and waits until the page has replaced the placeholder. */
  async open(path, page = this.page) {
    await page.goto(path);
    await page.locator("#view [aria-hidden].players").waitFor({ state: "detached" });
  }

  checkHost(verb, url) {
    const { protocol, host } = new URL(url);
    if (["data:", "blob:"].includes(protocol)) return;
    if (host !== new URL(this.origin).host) this.complain("host", `the page ${verb} ${url}`);
  }

  complain(kind, text) {
    this.complaints.push(`${kind}: ${text}`);
    this.emitter.emit("complaint");
  }

  /** Waits for a complaint. */
  async complains(pattern) {
    const signal = AbortSignal.timeout(TIMEOUT);
    const isThere = () => this.complaints.some((complaint) => pattern.test(complaint));
    if (isThere()) return;
    for await (const _complaint of on(this.emitter, "complaint", { signal })) {
      if (isThere()) return;
    }
  }

  /** Drops complaints that the test itself has caused: `forgive(/WebSocket/)` after a kill. */
  forgive(pattern) {
    this.complaints = this.complaints.filter((complaint) => !pattern.test(complaint));
  }

  /** Checks accessibility; `without` are rules to skip. */
  async checkAccessibility({ page = this.page, without = [] } = {}) {
    const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
    // The page's policy forbids foreign scripts, but not those of the browser's own tools.
    await page.evaluate(await readFile(path, "utf8"));
    const run = ({ values, rules }) => globalThis.axe.run({ runOnly: { type: "tag", values }, rules });
    const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
    const { violations } = await page.evaluate(run, { values: RULES, rules });
    for (const { id, help, nodes } of violations) {
      const places = nodes.map((node) => node.html).join("\n    ");
      this.complain("accessibility", `${id}: ${help}\n    ${places}`);
    }
  }

  /** Takes a screenshot for the artefacts. */
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
