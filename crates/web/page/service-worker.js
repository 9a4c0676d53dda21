// Keeps a copy of the page in the browser, so that it opens at once and works offline.
//
// A new version is kept beside the one before it: a page that is open goes on with its own files, and the
// next document that is opened is the new one.

const CACHE = "page-{{version}}";

// The documents of the two programs of the page: tic-tac-toe in this browser, and everything else.
const LOCAL = "/play/computer";
const TABLE = "/play/watch";
const DOCUMENTS = ["/", LOCAL, TABLE, "/lab"];

// What everybody needs who plays without a server. The lab is kept when somebody has opened it.
const FILES = [
  "{{style.css}}",
  "{{icon.svg}}",
  "{{app.webmanifest}}",
  "{{choices.js}}",
  "{{boot.js}}",
  "{{sounds.js}}",
  "{{share-card.js}}",
  "{{web.js}}",
  "{{web.wasm}}",
  "{{pages.js}}",
  "{{pages.wasm}}",
  "{{search-worker.js}}",
  "{{search.js}}",
  "{{search.wasm}}",
];

// The sentences of other languages. Those that the person reads are kept.
const TEXTS = ["{{texts-de.json}}", "{{texts-es.json}}", "{{texts-ja.json}}", "{{texts-ar.json}}"];

/** The document that is shown at a path, if it is one of the page. */
const documentAt = (path) => {
  if (path === "/") return "/";
  if (path === "/lab" || path === "/lab/") return "/lab";
  if (/^\/play\/(computer|one-screen)\/?$/.test(path)) return LOCAL;
  return /^\/(play(\/|$)|t\/)/.test(path) ? TABLE : undefined;
};

const keep = async () => {
  const cache = await caches.open(CACHE);
  const stem = (path) => path.replace(/-[^-]*$/, "");
  const kept = [];
  for (const name of await caches.keys()) {
    const requests = await (await caches.open(name)).keys();
    kept.push(...requests.map(({ url }) => stem(new URL(url).pathname)));
  }
  const texts = TEXTS.filter((path) => kept.includes(stem(path)));
  const documents = DOCUMENTS.map((path) => new Request(path, { cache: "reload" }));
  await cache.addAll([...documents, ...FILES, ...texts]);
};

/** Forgets all versions but this one and the one before it, which other tabs may still show. */
const tidy = async () => {
  const versions = (await caches.keys()).filter((name) => name.startsWith("page-"));
  const others = versions.filter((name) => name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
};

const openDocument = async (path, request) => {
  const cache = await caches.open(CACHE);
  return (await cache.match(path)) ?? (await fetch(request));
};

/** A file whose content never changes. */
const openFile = async (request) => {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
};

self.addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(tidy().then(() => self.clients.claim()));
});

// The first page that is opened reads its sentences before this worker is there.
self.addEventListener("message", (event) => {
  const path = event.data?.keep;
  if (TEXTS.includes(path)) event.waitUntil(caches.open(CACHE).then((cache) => cache.add(path)));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  const path = request.mode === "navigate" ? documentAt(pathname) : undefined;
  if (path) event.respondWith(openDocument(path, request));
  else if (pathname.startsWith("/assets/")) event.respondWith(openFile(request));
});
