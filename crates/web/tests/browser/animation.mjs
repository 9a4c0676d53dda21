// An animated PNG from screenshots: the first one whole, and of each later one what has changed.

import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The chunks of a PNG: their types and contents. */
function* chunks(png) {
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield [png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length)];
    at += length + 12;
  }
}

function chunk(type, contents) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), contents]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(contents.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** What a filtered byte is predicted from: left, above, and left above. */
const FILTERS = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const sum = left + above - corner;
    const [one, two, three] = [left, above, corner].map((value) => Math.abs(sum - value));
    if (one <= two && one <= three) return left;
    return two <= three ? above : corner;
  },
];

/** The pixels of a screenshot, four bytes each. */
function pixels(png) {
  const parts = [...chunks(png)];
  const header = parts.find(([type]) => type === "IHDR")[1];
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, kind] = [header[8], header[9]];
  if (depth !== 8 || ![2, 6].includes(kind) || header[12]) throw new Error("this is no screenshot");
  const bytes = kind === 6 ? 4 : 3;
  const packed = parts.filter(([type]) => type === "IDAT").map(([, contents]) => contents);
  const raw = inflateSync(Buffer.concat(packed));
  const line = width * bytes;
  const plain = Buffer.alloc(line * height);
  for (let y = 0; y < height; y += 1) {
    const predict = FILTERS[raw[y * (line + 1)]];
    for (let x = 0; x < line; x += 1) {
      const left = x < bytes ? 0 : plain[y * line + x - bytes];
      const above = y ? plain[(y - 1) * line + x] : 0;
      const corner = y && x >= bytes ? plain[(y - 1) * line + x - bytes] : 0;
      plain[y * line + x] = raw[y * (line + 1) + 1 + x] + predict(left, above, corner);
    }
  }
  const data = new Uint32Array(width * height);
  for (let at = 0; at < data.length; at += 1) {
    data[at] = ((plain[at * bytes] << 16) | (plain[at * bytes + 1] << 8) | plain[at * bytes + 2]) >>> 0;
  }
  return { width, height, data };
}

/** The smallest rectangle with all that has changed; one pixel if nothing has. */
function changed(before, after) {
  let [left, top, right, bottom] = [after.width, after.height, 0, 0];
  for (let at = 0; at < after.data.length; at += 1) {
    if (before.data[at] === after.data[at]) continue;
    const [x, y] = [at % after.width, Math.floor(at / after.width)];
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
  }
  return right ? { left, top, right, bottom } : { left: 0, top: 0, right: 1, bottom: 1 };
}

/** The pixels of a rectangle, compressed. Those that have not changed are transparent. */
function compressed(before, after, { left, top, right, bottom }) {
  const line = (right - left) * 4 + 1;
  const raw = Buffer.alloc(line * (bottom - top));
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const at = y * after.width + x;
      if (before && before.data[at] === after.data[at]) continue;
      raw.writeUInt32BE(((after.data[at] << 8) | 0xff) >>> 0, (y - top) * line + 1 + (x - left) * 4);
    }
  }
  return deflateSync(raw, { level: 9 });
}

/** An animated PNG of screenshots of one size: `[png, milliseconds]` each. It repeats for ever. */
export function animated(frames) {
  const pictures = frames.map(([png, time]) => ({ ...pixels(png), time }));
  const [{ width, height }] = pictures;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const count = Buffer.alloc(8);
  count.writeUInt32BE(pictures.length, 0);
  const parts = [SIGNATURE, chunk("IHDR", header), chunk("acTL", count)];
  let number = 0;
  const next = () => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(number);
    number += 1;
    return bytes;
  };
  for (const [index, picture] of pictures.entries()) {
    const before = pictures[index - 1];
    if (picture.width !== width || picture.height !== height) throw new Error("the sizes differ");
    const area = before ? changed(before, picture) : { left: 0, top: 0, right: width, bottom: height };
    const control = Buffer.alloc(22);
    control.writeUInt32BE(area.right - area.left, 0);
    control.writeUInt32BE(area.bottom - area.top, 4);
    control.writeUInt32BE(area.left, 8);
    control.writeUInt32BE(area.top, 12);
    control.writeUInt16BE(picture.time, 16);
    control.writeUInt16BE(1_000, 18);
    // What was drawn stays, and transparent pixels show it.
    control.set([0, before ? 1 : 0], 20);
    parts.push(chunk("fcTL", Buffer.concat([next(), control])));
    const data = compressed(before, picture, area);
    parts.push(before ? chunk("fdAT", Buffer.concat([next(), data])) : chunk("IDAT", data));
  }
  return Buffer.concat([...parts, chunk("IEND", Buffer.alloc(0))]);
}
