// The real server, as a process of its own, on data of its own: it can be killed, and started again
// where it was. It is the one that the tests with the phoenix client have.

export { Cradle } from "../../../server/tests/phoenix/cradle.mjs";
