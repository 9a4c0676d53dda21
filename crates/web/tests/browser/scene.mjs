// A test in which visitors meet on a server.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { launch, Visitor } from "./browser.mjs";
import { Cradle } from "./server.mjs";

// One browser for all tests of a file: visitors have nothing in common anyway.
let launched;
after(async () => await (await launched)?.close());

/** A server, and those who visit it. */
class Scene {
  visitors = [];

  /** Somebody new, who is nowhere yet. */
  async visitor(options) {
    launched ??= launch();
    const origin = `http://${this.cradle.address}`;
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

/** A test that fails also if a page did anything that it should not do. */
export function scene(name, play) {
  test(name, async () => {
    const scene = new Scene();
    scene.cradle = await Cradle.start();
    try {
      await play(scene);
      assert.deepEqual(scene.complaints(), []);
    } catch (error) {
      const words = name.replaceAll(/\W+/g, "-");
      const pictures = scene.visitors.map((visitor, index) => visitor.picture(`failed-${words}-${index}`));
      await Promise.allSettled(pictures);
      for (const complaint of scene.complaints()) console.error(complaint);
      throw error;
    } finally {
      await scene.end();
    }
  });
}
