// Tests in which visitors meet on a server.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { launch, Visitor } from "./browser.mjs";
import { Cradle } from "./cradle.mjs";

// All tests of a file share one browser; visitors have separate profiles.
let launched;
after(async () => await (await launched)?.close());

/** A server and its visitors. */
class TestContext {
  visitors = [];

  /** A new visitor with an empty tab, at the server or at another address of it. */
  async visitor(options, address = this.cradle.address) {
    launched ??= launch();
    const origin = `http://${address}`;
    const visitor = await Visitor.arrive(await launched, origin, options);
    this.visitors.push(visitor);
    return visitor;
  }

  complaints() {
    return this.visitors.flatMap((visitor) => visitor.complaints);
  }

  async end() {
    await Promise.all(this.visitors.map((visitor) => visitor.leave()));
    await this.cradle.end();
  }
}

/** A test that also fails on every complaint of a visitor. `flags` are more flags of `cradle serve`. */
export function browserTest(name, run, flags = []) {
  visitorTest(name, run, () => Cradle.start(flags));
}

/** The same on what `start` starts: a server or a whole cluster. */
export function visitorTest(name, run, start) {
  test(name, async () => {
    const context = new TestContext();
    context.cradle = await start();
    try {
      await run(context);
      assert.deepEqual(context.complaints(), []);
    } catch (error) {
      const words = name.replaceAll(/\W+/g, "-");
      const pictures = context.visitors.map((visitor, index) => visitor.picture(`failed-${words}-${index}`));
      await Promise.allSettled(pictures);
      for (const complaint of context.complaints()) console.error(complaint);
      throw error;
    } finally {
      await context.end();
    }
  });
}
