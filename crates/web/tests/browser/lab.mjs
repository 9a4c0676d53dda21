// The lab as a person sees it.

import assert from "node:assert/strict";

export class Lab {
  constructor(page) {
    this.page = page;
  }

  /** Opens the lab, with a fragment if there is one. */
  static async at(page, fragment = "") {
    await page.goto(`/lab${fragment}`);
    await page.locator("html[data-ready=yes]").waitFor();
    return new Lab(page);
  }

  /** Waits until the counts are these, and compares signs of verdicts. */
  async proves(counts, verdicts = {}) {
    await this.page.locator("#proof .counts", { hasText: counts }).waitFor();
    for (const [property, sign] of Object.entries(verdicts)) {
      const told = await this.page.locator(`#proof [data-property="${property}"] b`).textContent();
      assert.equal(told, `${sign} ${property}`);
    }
  }

  /** Waits for a counterexample that begins with these events. */
  async finds(property, events) {
    await this.page.locator(`#proof .bad[data-property="${property}"]`).waitFor();
    await this.page.locator("#proof .trace", { hasText: events }).first().waitFor();
  }

  async switch(name) {
    await this.page.getByRole("switch", { name: `${name} takes part`, exact: true }).click();
  }

  async press(name) {
    await this.page.getByRole("button", { name, exact: true }).first().click();
  }

  async click(square) {
    await this.page.locator(`#square-${square}`).click();
  }

  async says(status) {
    await this.page.locator("#play .lab-status", { hasText: status }).waitFor();
  }

  /** Replaces the text, as if it was typed. */
  async write(text) {
    await this.page.locator("#text").fill(text);
  }

  async text() {
    return this.page.locator("#text").inputValue();
  }
}
