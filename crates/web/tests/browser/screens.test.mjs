// Every screen is accessible in every colour scheme and fits on a small phone.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";
import { playInTurn, Table } from "./table.mjs";

/** The colour schemes that a person can choose in a browser. */
const SCHEMES = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  "more-contrast": { colorScheme: "light", contrast: "more" },
  "dark-more-contrast": { colorScheme: "dark", contrast: "more" },
  // The browser chooses the colours here, so the page's own contrast does not matter.
  "forced-colours": { colorScheme: "dark", forcedColors: "active", without: ["color-contrast"] },
};

const USUAL = { colorScheme: "light", contrast: "no-preference", forcedColors: "none" };

/** Checks a screen in every colour scheme and size. */
async function inspect(visitor, name) {
  const { page } = visitor;
  for (const [scheme, { without, ...media }] of Object.entries(SCHEMES)) {
    await page.emulateMedia({ ...USUAL, ...media });
    await visitor.checkAccessibility({ without });
    await visitor.picture(`${name}-${scheme}`);
  }
  await page.emulateMedia(USUAL);
  const size = page.viewportSize();
  // Phones, and a usual window at 200 % zoom.
  for (const [width, height] of [[640, 360], [360, 740], [320, 740]]) {
    await page.setViewportSize({ width, height });
    const [wide, room] = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return [scrollWidth, clientWidth];
    });
    assert.ok(wide <= room, `${name} scrolls sideways: ${wide} in ${room}`);
    await visitor.picture(`${name}-${width}`);
  }
  await page.setViewportSize(size);
}

const still = { reducedMotion: "reduce" };

browserTest("the menu and the lists", async (context) => {
  const visitor = await context.visitor(still);
  await visitor.page.clock.install();
  await visitor.open("/");
  await inspect(visitor, "home");
  await visitor.page.getByRole("link", { name: "Watch" }).first().click();
  await visitor.page.getByText("Nothing to watch yet.").waitFor();
  await inspect(visitor, "watch-nothing");
  await context.cradle.post("/api/tables", { game: "tic-tac-toe", listed: true });
  await visitor.page.clock.fastForward(5_000);
  await visitor.page.getByText("waits for a player").waitFor();
  await inspect(visitor, "watch");
});

browserTest("the person's own colours win over those of the system", async (context) => {
  const visitor = await context.visitor(still);
  const { page } = visitor;
  const paper = async () => await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const played = await Table.at(page, "/play/one-screen");
  await played.click("a1", "b1", "b2", "c1", "c3");
  const usual = await paper();
  const seen = new Set([usual]);
  for (const theme of ["Night", "Meadow", "High contrast", "Paper"]) {
    await visitor.open("/");
    await page.getByLabel("Colours").selectOption(theme);
    await visitor.checkAccessibility();
    const table = await Table.at(page, "/play/one-screen");
    await table.shows({ status: "X won this round." });
    await visitor.checkAccessibility();
    await visitor.picture(`theme-${theme.replace(" ", "-")}`);
    seen.add(await paper());
  }
  assert.equal(seen.size, 4, "Paper is the usual one on a light system");
  await page.emulateMedia({ colorScheme: "dark" });
  assert.equal(await paper(), usual, "a dark system does not change Paper");
  await visitor.open("/");
  await page.getByLabel("Colours").selectOption("Like the system");
  assert.notEqual(await paper(), usual);
});

browserTest("a game against the computer", async (context) => {
  const visitor = await context.visitor(still);
  const table = await Table.at(visitor.page, "/play/computer");
  await table.click("a1");
  await table.shows({ board: "X.. .O. ..." });
  await table.click("b2");
  await inspect(visitor, "computer");
  await table.press("Why?");
  await visitor.page.getByText("The b-threads behind it").click();
  await inspect(visitor, "computer-why");
});

browserTest("the end of a game", async (context) => {
  const visitor = await context.visitor(still);
  const table = await Table.at(visitor.page, "/play/one-screen");
  await table.click("a1", "b1", "b2", "c1", "c3");
  await table.shows({ status: "X won this round." });
  await inspect(visitor, "won");
  await table.press("Next round");
  await table.click("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3");
  await table.shows({ status: "A cat’s game: nobody wins." });
  await inspect(visitor, "drawn");
});

browserTest("a table for friends", async (context) => {
  const [ada, bob, eve] = await Promise.all([context.visitor(still), context.visitor(still), context.visitor(still)]);
  const first = await Table.ofFriends(ada, "Ada");
  await inspect(ada, "invitation");
  await Table.at(bob.page, first.path);
  await inspect(bob, "join");
  const second = await Table.join(bob, first.path, "Bartholomew the Patient");
  await playInTurn([first, second], "a1 b2");
  await first.press("Resign");
  await first.press("Well played!");
  await first.shows({ bubbles: ["Well played!"] });
  await inspect(ada, "friends");
  await Table.at(eve.page, first.path);
  await inspect(eve, "watching");
});

browserTest("problems", async (context) => {
  const visitor = await context.visitor(still);
  await visitor.page.goto("/play/dead");
  await visitor.page.getByText("Page not found.").waitFor();
  await inspect(visitor, "not-found");
  await visitor.page.goto("/t/AAAAAAAAAAAAAAAAAAAAAA");
  await visitor.page.getByText("This table does not exist.").waitFor();
  await inspect(visitor, "no-table");
  await visitor.page.getByRole("link", { name: "Cat’s Cradle" }).click();
  await context.cradle.kill();
  await visitor.page.getByRole("link", { name: "Play a friend" }).click();
  await visitor.page.getByText("The server does not answer.").waitFor();
  await inspect(visitor, "unreachable");
  visitor.forgive(/ERR_CONNECTION_REFUSED/);
});

browserTest("the small boards of ultimate", async (context) => {
  const [visitor, opponent] = await Promise.all([context.visitor(still), context.visitor(still)]);
  const { id } = await context.cradle.post("/api/tables", { game: "ultimate" });
  const first = await Table.join(visitor, `/t/${id}`, "Ada");
  const second = await Table.join(opponent, `/t/${id}`, "Bob");
  const open = async () => await visitor.page.locator("#board .block.open").count();
  await first.shows({ status: "Your turn." });
  assert.equal(await open(), 9, "the first move can go anywhere");
  await playInTurn([first, second], "d4 b2 e4 e2 f4");
  await first.shows({ status: "Bob’s turn." });
  assert.equal(await open(), 1, "the last move leaves one board");
  assert.equal(await visitor.page.locator("#board .block.won").count(), 1);
  const label = async (name) => await first.square(name).getAttribute("aria-label");
  assert.equal(await label("h2"), "h2, empty, board g1 to i3, open for the next move");
  assert.equal(await label("e5"), "e5, empty, board d4 to f6, won by X");
  await inspect(visitor, "ultimate");

  // The frame of the open board differs from the others in every colour scheme.
  for (const { without, ...media } of Object.values(SCHEMES)) {
    await visitor.page.emulateMedia({ ...USUAL, ...media });
    const frames = await visitor.page.locator("#board .block:not(.won)").evaluateAll((blocks) => {
      return blocks.map((block) => [block.classList.contains("open"), getComputedStyle(block).stroke]);
    });
    const closed = new Set(frames.filter(([isOpen]) => !isOpen).map(([, stroke]) => stroke));
    const [, stroke] = frames.find(([isOpen]) => isOpen);
    assert.ok(!closed.has(stroke), `${stroke} in ${JSON.stringify(media)}`);
  }
});

browserTest("a browser that cannot run the page", async (context) => {
  const visitor = await context.visitor(still);
  await visitor.context.addInitScript(() => delete globalThis.WebAssembly);
  await visitor.page.goto("/");
  await visitor.page.locator("#no-wasm").waitFor();
  await inspect(visitor, "no-wasm");
});

browserTest("the chosen option stands out in forced colours", async (context) => {
  const visitor = await context.visitor({ ...still, forcedColors: "active" });
  await visitor.open("/");
  const colour = async (label) => {
    const { x, y, height } = await visitor.page.getByText(label, { exact: true }).boundingBox();
    const clip = { x: x + 6, y: y + height / 2, width: 2, height: 2 };
    return (await visitor.page.screenshot({ clip })).toString("base64");
  };
  assert.equal(await colour("Easy"), await colour("Perfect"));
  assert.notEqual(await colour("Easy"), await colour("Teacher"));
});

browserTest("a screen that is too wide or inaccessible is noticed", async (context) => {
  const visitor = await context.visitor(still);
  await visitor.page.goto("/play/dead");
  await visitor.page.getByText("Page not found.").waitFor();
  await visitor.page.evaluate(() => {
    const picture = document.createElement("img");
    picture.style.width = "400px";
    document.querySelector("main").append(picture);
  });
  await assert.rejects(inspect(visitor, "too-wide"), /too-wide scrolls sideways: \d+ in 360/);
  await visitor.complains(/accessibility: image-alt/);
  visitor.forgive(/accessibility: image-alt/);
});

for (const motion of ["reduce", "no-preference"]) {
  const isStill = motion === "reduce";
  const name = isStill ? "nothing moves with reduced motion" : "marks are drawn with motion";
  browserTest(name, async (context) => {
    const { page } = await context.visitor({ reducedMotion: motion });
    const table = await Table.at(page, "/play/one-screen");
    await page.evaluate(() => {
      globalThis.most = 0;
      const watch = () => {
        globalThis.most = Math.max(globalThis.most, document.getAnimations().length);
        requestAnimationFrame(watch);
      };
      watch();
    });
    await table.click("a1", "b1", "b2", "c1", "c3");
    await table.shows({ status: "X won this round." });
    const most = await page.evaluate(() => globalThis.most);
    assert.equal(most === 0, isStill, `${most} animations ran`);
  });
}
