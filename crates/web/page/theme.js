// Applies the chosen colours before anything is drawn.
(() => {
  try {
    const theme = localStorage.getItem("theme");
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {
    // A browser without storage has the colours of the system.
  }
})();
