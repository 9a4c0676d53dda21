// Starts the worker of the page: the program that searches.

import start from "{{search.js}}";

await start({ module_or_path: "{{search.wasm}}" });
