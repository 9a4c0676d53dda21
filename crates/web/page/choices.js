// Applies the person's choices before anything is drawn: the colours and the language.
(() => {
  // The sentences of each language but English: those of the page, and those of the lab.
  const TEXTS = {
    de: ["{{texts-de.json}}", "{{lab-texts-de.json}}"],
    es: ["{{texts-es.json}}", "{{lab-texts-es.json}}"],
    ja: ["{{texts-ja.json}}", "{{lab-texts-ja.json}}"],
    ar: ["{{texts-ar.json}}", "{{lab-texts-ar.json}}"],
  };
  const RIGHT_TO_LEFT = ["ar"];

  // A browser without storage has the colours of the system and its own language.
  const recall = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const root = document.documentElement;
  const theme = recall("theme");
  if (theme) root.dataset.theme = theme;

  // The person's choice wins over the browser's.
  const wishes = [recall("language"), ...navigator.languages].map((wish) => wish?.toLowerCase().split("-")[0]);
  const language = wishes.find((wish) => wish === "en" || Object.hasOwn(TEXTS, wish)) ?? "en";
  root.lang = language;
  if (RIGHT_TO_LEFT.includes(language)) root.dir = "rtl";
  if (language === "en") return;
  const [page, lab] = TEXTS[language];
  const path = location.pathname.startsWith("/lab") ? lab : page;
  root.dataset.texts = path;
  // `boot.js` waits for them. Without them the page is English.
  const read = async (answer) => (answer.ok ? await answer.json() : undefined);
  globalThis.cradleTexts = fetch(path, { signal: AbortSignal.timeout(10_000) }).then(read).catch(() => undefined);
})();
