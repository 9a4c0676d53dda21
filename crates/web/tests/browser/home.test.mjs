// The home page.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";

browserTest("the home page loads, and requests nothing from other hosts", async (context) => {
  const visitor = await context.visitor();
  const asked = [];
  visitor.context.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const answer = await visitor.page.goto("/");
  assert.equal(answer.status(), 200);
  await visitor.page.waitForFunction(() => document.body.innerText.trim() !== "");
  assert.equal(await visitor.page.title(), "Cat’s Cradle");
  assert.ok(asked.some((path) => path.endsWith(".wasm")), `the command was built with the page: ${asked}`);
  await visitor.checkAccessibility();
  await visitor.picture("home");
});

browserTest("foreign requests, policy violations and errors are noticed", async (context) => {
  const visitor = await context.visitor();
  await visitor.page.goto("/");
  await visitor.page.evaluate(async () => {
    await fetch("http://elsewhere.example/").catch(() => {});
    await fetch("/api/moon");
    const style = document.createElement("style");
    style.textContent = "body { color: red }";
    document.head.append(style);
    setTimeout(() => { throw new Error("by design"); });
  });
  const expected = [/policy: connect-src/, /404 .*moon/, /policy: style-src/, /by design/];
  for (const pattern of expected) await visitor.complains(pattern);
  await visitor.page.goto("http://elsewhere.invalid/").catch(() => {});
  await visitor.complains(/^host: /);
  visitor.forgive(/./);
});

browserTest("fields that change while the page loads are kept", async (context) => {
  const visitor = await context.visitor();
  const { page } = visitor;
  const held = [];
  await page.route("**/*.wasm", (route) => held.push(route));
  await page.goto("/");
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Clock for friends").selectOption("30");
  await page.getByLabel("Perfect").check();
  assert.ok(held.length > 0, "the page is still loading");
  for (const route of held) await route.continue();
  await page.locator("#view > *").first().waitFor({ state: "detached" });
  const kept = async () => [
    await page.getByLabel("Your name").inputValue(),
    await page.getByLabel("Clock for friends").inputValue(),
    await page.getByLabel("Perfect").isChecked(),
  ];
  assert.deepEqual(await kept(), ["Ada", "30", true]);
  await page.unroute("**/*.wasm");
  await visitor.open("/");
  assert.deepEqual(await kept(), ["Ada", "30", true]);
});

browserTest("a choice after typing a name keeps the name", async (context) => {
  const visitor = await context.visitor();
  const name = visitor.page.getByLabel("Your name");
  await visitor.open("/");
  await name.fill("Ada");
  await visitor.page.getByLabel("Clock for friends").selectOption("30");
  assert.equal(await name.inputValue(), "Ada");
  await visitor.open("/");
  assert.equal(await name.inputValue(), "Ada");
});

browserTest("a click while the page loads works afterwards, with what was typed", async (context) => {
  const [ada, bob] = await Promise.all([context.visitor(), context.visitor()]);
  const early = async ({ page }, act) => {
    const held = [];
    let isHolding = true;
    await page.route("**/*.wasm", (route) => (isHolding ? held.push(route) : route.continue()));
    await page.goto("/");
    await act(page);
    assert.ok(held.length > 0, "the page is still loading");
    // The program of the next page is not held up.
    isHolding = false;
    for (const route of held) await route.continue();
  };
  await early(ada, async (page) => {
    await page.getByLabel("Your name").fill("Ada");
    await page.getByRole("link", { name: "Play a friend" }).click();
    await page.getByText("Threading the needle").waitFor();
  });
  const word = await ada.page.locator(".invitation .code").innerText();
  await early(bob, async (page) => {
    await page.getByLabel("Have a code?").fill(word);
    await page.getByRole("button", { name: "Join", exact: true }).click();
  });
  await bob.page.waitForURL(ada.page.url());
  await bob.page.getByText("Ada").first().waitFor();
});
