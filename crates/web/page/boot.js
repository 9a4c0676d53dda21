// Starts the page, and tells the person what to do if that fails.

// The sentences of the person's language, which `choices.js` has asked for; none in English.
const texts = await globalThis.cradleTexts;
const say = (english) => texts?.[english] ?? english;

// The programs read them here.
globalThis.cradleTexts = texts ?? {};

/** Translates what stands in the document. */
const translate = () => {
  const nodes = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const english = nodes.currentNode.data.trim();
    if (english && texts[english]) nodes.currentNode.data = nodes.currentNode.data.replace(english, () => texts[english]);
  }
  for (const name of ["aria-label", "placeholder"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      element.setAttribute(name, say(element.getAttribute(name)));
    }
  }
};
const root = document.documentElement;
if (texts) {
  translate();
} else {
  root.lang = "en";
  root.removeAttribute("dir");
}
root.dataset.speaks = root.lang;

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

// Colours and language; `choices.js` has applied them already.
const theme = document.getElementById("theme");
if (theme) theme.value = document.documentElement.dataset.theme ?? "";
theme?.addEventListener("change", () => {
  document.documentElement.dataset.theme = theme.value;
  if (!theme.value) delete document.documentElement.dataset.theme;
  remember("theme", theme.value);
});

// Another language is another set of sentences, which the page reads when it is opened.
const language = document.getElementById("language");
if (language) language.value = recall("language");
language?.addEventListener("change", () => {
  remember("language", language.value);
  location.reload();
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
  const reload = Object.assign(document.createElement("button"), { type: "button", textContent: say("Reload") });
  reload.addEventListener("click", () => location.reload());
  place.append(say("A new version is ready."), " ", reload);
};
const keepCopy = async () => {
  const workers = navigator.serviceWorker;
  // Browsers allow it over HTTPS and on the machine itself.
  const registration = await workers?.register("/service-worker.js");
  if (!registration) {
    tellCopy(say("This page does not work offline here: browsers keep a copy only of pages over HTTPS."));
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
  const { active } = await workers.ready;
  if (root.dataset.texts) active.postMessage({ keep: root.dataset.texts });
  tellCopy(say("This page also works offline."));
};

const finish = () => {
  stopPostponing();
  early?.();
  keepCopy().catch(() => tellCopy(say("The browser has kept no copy of this page, so it does not work offline.")));
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
  const programs = {
    lab: () => [import("{{lab.js}}"), "{{lab.wasm}}"],
    pages: () => [import("{{pages.js}}"), "{{pages.wasm}}"],
    web: () => [import("{{web.js}}"), "{{web.wasm}}"],
  };
  const [program, code] = programs[isLab ? "lab" : document.body.dataset.program]();
  program.then((module) => module.default({ module_or_path: code })).then(finish).catch((error) => {
    console.error(error);
    fail("not-loaded");
  });
} else {
  fail("no-wasm");
}
