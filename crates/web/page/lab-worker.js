// Starts the worker of the lab: the program of the lab, which the browser has already, without a document.

import start from "{{lab.js}}";

await start({ module_or_path: "{{lab.wasm}}" });
