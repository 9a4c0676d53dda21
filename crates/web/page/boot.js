// Starts the page, and tells the person what to do if that fails.

// The focus ring on the board appears with the first key.
document.addEventListener("keydown", () => { document.documentElement.dataset.keys = "yes"; }, { once: true });

// What the person has chosen on the home page. Without storage a choice lasts as long as the page.
const remember = (name, value) => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Nothing is lost but the memory.
  }
};
const recall = (name) => {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
};

// Colours; `theme.js` has applied them already.
const theme = document.getElementById("theme");
if (theme) theme.value = document.documentElement.dataset.theme ?? "";
theme?.addEventListener("change", () => {
  document.documentElement.dataset.theme = theme.value;
  if (!theme.value) delete document.documentElement.dataset.theme;
  remember("theme", theme.value);
});

// A picture of the board to share, drawn when somebody asks for it.
document.addEventListener("click", async ({ target }) => {
  if (target.closest?.("#share-card")) await (await import("{{share-card.js}}")).share();
});

// Sounds, which one click ends.
const [sounds, mute] = ["sounds", "mute"].map((id) => document.getElementById(id));
let silence;
const setSounds = async (choice) => {
  silence?.();
  silence = undefined;
  sounds.value = choice;
  mute.hidden = !choice;
  if (choice) silence = (await import("{{sounds.js}}")).start();
};
if (sounds) {
  const choose = (choice) => {
    remember("sounds", choice);
    setSounds(choice);
  };
  sounds.addEventListener("change", () => choose(sounds.value));
  mute.addEventListener("click", () => choose(""));
  setSounds(recall("sounds"));
}

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

// The browser keeps a copy of the page: it opens at once, works offline, and finds new versions.
const tellCopy = (text) => {
  const place = document.getElementById("kept-copy");
  if (place) place.textContent = text;
};
const offerVersion = () => {
  const place = document.getElementById("new-version");
  if (!place || place.childElementCount) return;
  const reload = Object.assign(document.createElement("button"), { type: "button", textContent: "Reload" });
  reload.addEventListener("click", () => location.reload());
  place.append("A new version is ready. ", reload);
};
const keepCopy = async () => {
  const workers = navigator.serviceWorker;
  // Browsers allow it over HTTPS and on the machine itself.
  const registration = await workers?.register("/service-worker.js");
  if (!registration) {
    tellCopy("This page does not work offline here: browsers keep a copy only of pages over HTTPS.");
    return;
  }
  // The first worker that takes over comes with this page; any other one has a newer page.
  let hasWorker = Boolean(workers.controller);
  workers.addEventListener("controllerchange", () => {
    if (hasWorker) offerVersion();
    hasWorker = true;
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") registration.update().catch(() => {});
  });
  await workers.ready;
  tellCopy("This page also works offline.");
};

const finish = () => {
  stopPostponing();
  early?.();
  keepCopy().catch(() => tellCopy("The browser has kept no copy of this page, so it does not work offline."));
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
