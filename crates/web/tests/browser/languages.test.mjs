// The page in every language: chosen by the browser or the person, from right to left where it is written so.

import assert from "node:assert/strict";

import { browserTest } from "./context.mjs";
import { Lab } from "./lab.mjs";
import { becomes, Table } from "./table.mjs";

/** The browser's name of each language, and the heading of the home page in it. */
const LANGUAGES = {
  en: ["en-GB", "Shall we play a game?"],
  de: ["de-AT", "Wollen wir ein Spiel spielen?"],
  es: ["es-MX", "¿Jugamos una partida?"],
  ja: ["ja-JP", "ゲームをしませんか？"],
  ar: ["ar-EG", "هل نلعب لعبة؟"],
};

const THEMES = ["paper", "night", "meadow", "contrast"];

const heading = async (page) => await page.locator("#home-heading").textContent();
const lang = async (page) => await page.evaluate(() => document.documentElement.lang);

browserTest("the browser's language is spoken until the person chooses another one", async (context) => {
  const visitor = await context.visitor({ locale: "de-AT" });
  const { page } = visitor;
  await visitor.open("/");
  assert.deepEqual([await lang(page), await heading(page)], ["de", LANGUAGES.de[1]]);
  assert.equal(await page.title(), "Cat’s Cradle");
  await page.getByLabel("Sprache").selectOption("Español");
  await page.getByRole("heading", { name: LANGUAGES.es[1] }).waitFor();
  assert.equal(await lang(page), "es");
  const table = await Table.at(page, "/play/one-screen");
  await table.shows({ status: "Turno de X." });
  assert.equal(await page.title(), "Tres en raya en una sola pantalla · Cat’s Cradle");
  await visitor.open("/");
  assert.equal(await heading(page), LANGUAGES.es[1], "the choice is kept");
  await page.getByLabel("Idioma").selectOption("Como el navegador");
  await page.getByRole("heading", { name: LANGUAGES.de[1] }).waitFor();
});

browserTest("a language that the page does not speak becomes English", async (context) => {
  const visitor = await context.visitor({ locale: "fi-FI" });
  await visitor.open("/");
  assert.deepEqual([await lang(visitor.page), await heading(visitor.page)], ["en", LANGUAGES.en[1]]);
});

browserTest("each visitor loads the sentences of one language at most", async (context) => {
  for (const [code, expected] of [["en", []], ["ja", ["texts-ja"]]]) {
    const visitor = await context.visitor({ locale: LANGUAGES[code][0] });
    const loaded = [];
    visitor.page.on("request", (request) => {
      const name = /\/assets\/(.*texts-\w+)-[^-]*\.json$/.exec(request.url());
      if (name) loaded.push(name[1]);
    });
    await visitor.open("/");
    await Table.at(visitor.page, "/play/one-screen");
    assert.deepEqual([...new Set(loaded)], expected);
  }
});

browserTest("a page whose sentences are lost speaks English", async (context) => {
  const visitor = await context.visitor({ locale: "ar-EG" });
  const { page } = visitor;
  await page.route("**/texts-ar-*.json", (route) => route.abort());
  await visitor.open("/");
  assert.deepEqual([await lang(page), await heading(page)], ["en", LANGUAGES.en[1]]);
  assert.equal(await page.evaluate(() => document.documentElement.dir), "");
  visitor.forgive(/texts-ar|ERR_FAILED/);
});

browserTest("Arabic is mirrored, and its board is not", async (context) => {
  const visitor = await context.visitor({ locale: "ar-EG" });
  const { page } = visitor;
  await visitor.open("/");
  const [brand, menu] = await Promise.all([".brand", "nav"].map((part) => page.locator(part).boundingBox()));
  assert.ok(brand.x > menu.x, "the header begins at the right");
  const table = await Table.at(page, "/play/computer");
  await table.click("a1");
  await becomes("دورك.", async () => (await table.look()).status);
  const place = async (name) => await table.square(name).boundingBox();
  const [a1, c1] = [await place("a1"), await place("c1")];
  assert.ok(a1.x < c1.x, "a is left of c, as everywhere");
  await table.click("a1");
  await becomes("ذلك المربع مشغول. أي قاعدة؟ SquareTaken(a1)", async () => (await table.look()).hint);
  assert.equal((await table.look()).because, "لا شيء عاجل، فأخذ أفضل مربع شاغر: المركز ثم الزاوية ثم الحافة.");
  const [own, other] = await Promise.all([".player.left", ".player.right"].map((part) => page.locator(part).boundingBox()));
  assert.ok(own.x > other.x, "the first player is at the right");
  await visitor.picture("arabic");
});

/** Whether a page fits on a narrow phone. */
async function fits(page) {
  await page.setViewportSize({ width: 320, height: 740 });
  return await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
}

browserTest("German works offline after the first visit", async (context) => {
  const visitor = await context.visitor({ locale: "de-DE", serviceWorkers: "allow" });
  const { page } = visitor;
  await visitor.open("/");
  await page.getByText("Diese Seite geht auch ohne Netz.").waitFor();
  const isKept = async () => {
    const path = document.documentElement.dataset.texts;
    return (await caches.match(path)) !== undefined;
  };
  await becomes(true, async () => await page.evaluate(isKept));
  await visitor.context.setOffline(true);
  await page.reload();
  assert.equal(await heading(page), LANGUAGES.de[1]);
  const table = await Table.at(page, "/play/one-screen");
  await table.shows({ status: "X ist dran." });
  visitor.forgive(/ERR_INTERNET_DISCONNECTED/);
});

browserTest("the lab speaks Japanese, and its text is from left to right", async (context) => {
  const visitor = await context.visitor({ locale: "ja-JP" });
  const { page } = visitor;
  await Lab.at(page);
  await becomes(["ルール", "遊ぶ", "本当に？"], async () => {
    const texts = ["#rules-heading", "#play-heading", "#proof-heading"].map((id) => page.locator(id).textContent());
    return await Promise.all(texts);
  });
  assert.equal(await page.locator("#text").getAttribute("dir"), "ltr");
});

/** The screens, each with what must be on it. */
const SCREENS = {
  home: async (visitor) => await visitor.open("/"),
  game: async ({ page }) => {
    await page.goto("/play/game/connect-four");
    await page.locator(".game-page h1").waitFor();
  },
  analysis: async ({ page }) => {
    await page.goto("/play/analyse");
    await page.locator(".value").first().waitFor();
  },
  computer: async ({ page }) => {
    const table = await Table.at(page, "/play/computer");
    await table.click("a1");
    await page.locator("#why").click();
    await page.locator("#why-panel").waitFor();
  },
  won: async ({ page }) => {
    const table = await Table.at(page, "/play/one-screen");
    await table.click("a1", "b1", "b2", "c1", "c3");
    await page.locator("#next").waitFor();
  },
  invitation: async ({ page }) => {
    await page.goto("/play/friend");
    await page.locator(".invitation .code").waitFor();
  },
  watch: async ({ page }) => {
    await page.goto("/play/watch");
    await page.locator(".problem:not([hidden]) h1").waitFor();
  },
  history: async ({ page }) => {
    await page.goto("/play/history");
    await page.locator("#record").waitFor();
  },
  replay: async ({ page }) => {
    await page.goto("/play/replay/tic-tac-toe/a1.b1.a3.a2.c3.b2.b3/1");
    await page.locator(".value.best").first().waitFor();
  },
  missing: async ({ page }) => {
    await page.goto("/play/dead");
    await page.locator(".problem:not([hidden]) h1").waitFor();
  },
  lab: async ({ page }) => {
    await Lab.at(page);
    await page.locator("#proof .counts").waitFor();
  },
};

// Each language meets each theme, and each screen is there twice, in different languages and themes.
const pairs = Object.keys(LANGUAGES).flatMap((language) => THEMES.map((theme) => ({ language, theme })));
const names = Object.keys(SCREENS);
for (const theme of THEMES) {
  browserTest(`each screen is accessible in its languages: ${theme}`, async (context) => {
    for (const [index, pair] of pairs.entries()) {
      if (pair.theme !== theme) continue;
      const screen = names[(index + Math.floor(index / names.length)) % names.length];
      const visitor = await context.visitor({ locale: LANGUAGES[pair.language][0] });
      await visitor.context.addInitScript((theme) => localStorage.setItem("theme", theme), theme);
      await SCREENS[screen](visitor);
      assert.equal(await lang(visitor.page), pair.language);
      await visitor.checkAccessibility();
      await visitor.picture(`pair-${screen}-${pair.language}-${theme}`);
      if (screen !== "lab") assert.ok(await fits(visitor.page), `${screen} in ${pair.language} scrolls sideways at 320 px`);
      await visitor.leave();
    }
  });
}

browserTest("an inaccessible page in another language is noticed", async (context) => {
  const visitor = await context.visitor({ locale: "de-DE" });
  await visitor.open("/");
  await visitor.page.evaluate(() => document.documentElement.setAttribute("lang", "no such language"));
  await visitor.checkAccessibility();
  await visitor.complains(/accessibility: html-lang-valid/);
  visitor.forgive(/accessibility: html-lang-valid/);
});
