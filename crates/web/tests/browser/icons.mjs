// Draws the icons that phones show for the installed page, from the icon of the page.

import { readFile, writeFile } from "node:fs/promises";

const PAGE = new URL("../../page/", import.meta.url);

/** The sizes that phones ask for. */
const SIZES = [192, 512];

/** Draws `icon-192.png` and `icon-512.png`, with paper behind and around the icon. */
export async function drawIcons(browser) {
  const icon = await readFile(new URL("icon.svg", PAGE), "utf8");
  const page = await browser.newPage();
  await page.setContent(`<style>body { margin: 0; background: #faf6ef } svg { display: block; padding: 14%; width: 72% }</style>${icon}`);
  for (const size of SIZES) {
    await page.setViewportSize({ width: size, height: size });
    await writeFile(new URL(`icon-${size}.png`, PAGE), await page.screenshot());
    console.log(`icon-${size}.png`);
  }
  await page.close();
}
