// Starts the page, and tells the person what to do if that fails.

// The focus ring on the board appears with the first key.
document.addEventListener("keydown", () => { document.documentElement.dataset.keys = "yes"; }, { once: true });

// A click or a form that comes before the page is loaded is repeated afterwards.
let early;
const postpone = (event) => {
  const link = event.target.closest("a[href^='/play']");
  const opensElsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey;
  if (event.type === "click" && (!link || opensElsewhere)) return;
  event.preventDefault();
  early = () => (link ? link.click() : event.target.requestSubmit());
  if (link) document.body.dataset.page = "table";
};
const events = ["click", "submit"];
for (const event of events) document.addEventListener(event, postpone);
const stopPostponing = () => {
  for (const event of events) document.removeEventListener(event, postpone);
};

const finish = () => {
  stopPostponing();
  early?.();
};
const fail = (notice) => {
  stopPostponing();
  document.body.dataset.page = "problem";
  document.getElementById(notice).hidden = false;
};

if (typeof WebAssembly === "object") {
  const isLab = document.body.dataset.page === "lab";
  // Where the program finds its worker.
  document.documentElement.dataset.worker = isLab ? "{{lab-worker.js}}" : "{{search-worker.js}}";
  const program = isLab ? import("{{lab.js}}") : import("{{web.js}}");
  const code = isLab ? "{{lab.wasm}}" : "{{web.wasm}}";
  program.then((module) => module.default({ module_or_path: code })).then(finish).catch((error) => {
    console.error(error);
    fail("not-loaded");
  });
} else {
  fail("no-wasm");
}
