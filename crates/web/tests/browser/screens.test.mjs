// Every screen can be read by everybody, in every look, and fits on a small phone.

import assert from "node:assert/strict";

import { scene } from "./scene.mjs";
import { playInTurn, Table } from "./table.mjs";

/** Every look that a person can ask a browser for. */
const LOOKS = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  "more-contrast": { colorScheme: "light", contrast: "more" },
  "dark-more-contrast": { colorScheme: "dark", contrast: "more" },
  // The browser chooses the colours then, and what the page would have is beside the point.
  "forced-colours": { colorScheme: "dark", forcedColors: "active", without: ["color-contrast"] },
};

const USUAL = { colorScheme: "light", contrast: "no-preference", forcedColors: "none" };

/** Looks at a screen in every look and size. */
async function inspect(visitor, name) {
  const { page } = visitor;
  for (const [look, { without, ...media }] of Object.entries(LOOKS)) {
    await page.emulateMedia({ ...USUAL, ...media });
    await visitor.examine({ without });
    await visitor.picture(`${name}-${look}`);
  }
  await page.emulateMedia(USUAL);
  const size = page.viewportSize();
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 740 });
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

scene("the menu and the lists", async (scene) => {
  const visitor = await scene.visitor(still);
  await visitor.page.clock.install();
  await visitor.open("/");
  await inspect(visitor, "home");
  await visitor.page.getByRole("link", { name: "Watch" }).first().click();
  await visitor.page.getByText("Nothing to watch yet.").waitFor();
  await inspect(visitor, "watch-nothing");
  await scene.cradle.post("/api/tables", { game: "tic-tac-toe", listed: true });
  await visitor.page.clock.fastForward(5_000);
  await visitor.page.getByText("waits for a player").waitFor();
  await inspect(visitor, "watch");
});

scene("a game against the computer", async (scene) => {
  const visitor = await scene.visitor(still);
  const table = await Table.at(visitor.page, "/play/computer");
  await table.point("a1");
  await table.shows({ board: "X.. .O. ..." });
  await table.point("b2");
  await inspect(visitor, "computer");
  await table.press("Why?");
  await inspect(visitor, "computer-why");
});

scene("the end of a game", async (scene) => {
  const visitor = await scene.visitor(still);
  const table = await Table.at(visitor.page, "/play/one-screen");
  await table.point("a1", "b1", "b2", "c1", "c3");
  await table.shows({ status: "X won this round." });
  await inspect(visitor, "won");
  await table.press("Concede");
  await table.point("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3");
  await table.shows({ status: "A cat’s game: nobody wins." });
  await inspect(visitor, "drawn");
});

scene("a table for friends", async (scene) => {
  const [ada, bob, eve] = await Promise.all([scene.visitor(still), scene.visitor(still), scene.visitor(still)]);
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

scene("what is wrong", async (scene) => {
  const visitor = await scene.visitor(still);
  await visitor.page.goto("/play/dead");
  await visitor.page.getByText("There is nothing here.").waitFor();
  await inspect(visitor, "nothing-here");
  await visitor.page.goto("/t/AAAAAAAAAAAAAAAAAAAAAA");
  await visitor.page.getByText("There is no such table.").waitFor();
  await inspect(visitor, "no-such-table");
  await visitor.page.getByRole("link", { name: "Cat’s Cradle" }).click();
  await scene.cradle.kill();
  await visitor.page.getByRole("link", { name: "Play a friend" }).click();
  await visitor.page.getByText("The server does not answer.").waitFor();
  await inspect(visitor, "away");
  visitor.forgive(/ERR_CONNECTION_REFUSED/);
});

scene("a browser that cannot run the page", async (scene) => {
  const visitor = await scene.visitor(still);
  await visitor.context.addInitScript(() => delete globalThis.WebAssembly);
  await visitor.page.goto("/");
  await visitor.page.locator("#no-wasm").waitFor();
  await inspect(visitor, "no-wasm");
});

scene("what is chosen can be told from the rest where the browser chooses the colours", async (scene) => {
  const visitor = await scene.visitor({ ...still, forcedColors: "active" });
  await visitor.open("/");
  const colour = async (label) => {
    const { x, y, height } = await visitor.page.getByText(label, { exact: true }).boundingBox();
    const clip = { x: x + 6, y: y + height / 2, width: 2, height: 2 };
    return (await visitor.page.screenshot({ clip })).toString("base64");
  };
  assert.equal(await colour("Any move"), await colour("Perfect"));
  assert.notEqual(await colour("Any move"), await colour("B-threads"));
});

scene("a screen that is too wide, or that not everybody can read, is noticed", async (scene) => {
  const visitor = await scene.visitor(still);
  await visitor.page.goto("/play/dead");
  await visitor.page.getByText("There is nothing here.").waitFor();
  await visitor.page.evaluate(() => {
    const picture = document.createElement("img");
    picture.style.width = "400px";
    document.querySelector("main").append(picture);
  });
  await assert.rejects(inspect(visitor, "too-wide"), /too-wide scrolls sideways: \d+ in 360/);
  await visitor.noticed(/accessibility: image-alt/);
  visitor.forgive(/accessibility: image-alt/);
});

for (const motion of ["reduce", "no-preference"]) {
  const isStill = motion === "reduce";
  const what = isStill ? "who wants no motion sees none" : "others see a mark being drawn";
  scene(what, async (scene) => {
    const { page } = await scene.visitor({ reducedMotion: motion });
    const table = await Table.at(page, "/play/one-screen");
    await page.evaluate(() => {
      globalThis.most = 0;
      const watch = () => {
        globalThis.most = Math.max(globalThis.most, document.getAnimations().length);
        requestAnimationFrame(watch);
      };
      watch();
    });
    await table.point("a1", "b1", "b2", "c1", "c3");
    await table.shows({ status: "X won this round." });
    const most = await page.evaluate(() => globalThis.most);
    assert.equal(most === 0, isStill, `${most} animations ran`);
  });
}
