// Starts the page. Where that fails, the person is told what to do.

// Who uses keys is shown where the focus is.
document.addEventListener("keydown", () => { document.documentElement.dataset.keys = "yes"; }, { once: true });

// Who is faster than the page gets what was asked for once it is there, with all that was typed.
let wanted;
const wait = (event) => {
  const link = event.target.closest("a[href^='/play']");
  const isElsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey;
  if (event.type === "click" && (!link || isElsewhere)) return;
  event.preventDefault();
  wanted = () => (link ? link.click() : event.target.requestSubmit());
  if (link) document.body.dataset.page = "table";
};
const early = ["click", "submit"];
for (const kind of early) document.addEventListener(kind, wait);
const waitNoMore = () => {
  for (const kind of early) document.removeEventListener(kind, wait);
};

const start = () => {
  waitNoMore();
  wanted?.();
};
const fail = (notice) => {
  waitNoMore();
  document.body.dataset.page = "trouble";
  document.getElementById(notice).hidden = false;
};

if (typeof WebAssembly === "object") {
  const page = import("{{web.js}}").then((web) => web.default({ module_or_path: "{{web.wasm}}" }));
  page.then(start).catch((error) => {
    console.error(error);
    fail("not-loaded");
  });
} else {
  fail("no-wasm");
}
