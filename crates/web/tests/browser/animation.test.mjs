// The animated picture of the docs is put together from screenshots.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { animated } from "./animation.mjs";

const icon = (size) => readFile(fileURLToPath(new URL(`../../page/icon-${size}.png`, import.meta.url)));

/** The types of all chunks, and the sizes that the frames have. */
function parts(png) {
  const [types, sizes] = [[], []];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const type = png.toString("latin1", at + 4, at + 8);
    types.push(type);
    if (type === "fcTL") sizes.push([png.readUInt32BE(at + 12), png.readUInt32BE(at + 16)]);
  }
  return { types, sizes };
}

test("an animation has the first picture, and of the next one what has changed", async () => {
  const picture = await icon(192);
  const { types, sizes } = parts(animated([[picture, 500], [picture, 1_000]]));
  assert.deepEqual(types, ["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "IEND"]);
  assert.deepEqual(sizes, [[192, 192], [1, 1]], "nothing has changed");
});

test("pictures of different sizes are no animation", async () => {
  const [small, large] = await Promise.all([icon(192), icon(512)]);
  assert.throws(() => animated([[small, 500], [large, 500]]), /the sizes differ/);
});
