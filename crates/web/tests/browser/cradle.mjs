// The real server as a process with its own data. Tests can kill it and start it again. The tests with
// the phoenix client share it.

export { Cradle } from "../../../server/tests/phoenix/cradle.mjs";
