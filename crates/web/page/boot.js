// Starts the page. A browser that cannot is told what to do.
const fail = () => {
  document.body.dataset.page = "trouble";
  document.getElementById("no-wasm").hidden = false;
};

if (typeof WebAssembly === "object") {
  import("{{web.js}}").then((web) => web.default({ module_or_path: "{{web.wasm}}" })).catch((error) => {
    console.error(error);
    fail();
  });
} else {
  fail();
}
