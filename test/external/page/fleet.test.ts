import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fleetOf } from "../../../tools/bench-input.mjs";
import { run } from "../../helpers/ccf.ts";
import { launched, opened, printedTexts, violationsOf } from "../../helpers/chromium.ts";
import { signerKeyFile, succeed } from "../../helpers/cluster-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { keptTemporary, writeTree } from "../../helpers/temporary.ts";

const packages = 120;

describeWith(["chromium"], "the page of a fleet in Chromium", () => {
  const { directory } = keptTemporary();
  let browser: Browser;
  let text: string;
  beforeAll(async () => {
    browser = await launched();
    writeTree(join(directory, "fleet"), fleetOf(packages, readFileSync(signerKeyFile, "utf8")));
    succeed(run(["render", "--quiet", "--recursive", "fleet"], { cwd: directory }));
    text = succeed(run(["explain", "--recursive", "fleet", "-o", "html"], { cwd: directory })).stdout;
  }, 120_000);
  afterAll(() => browser?.close());

  it("grows with what differs: 30 identities of 120 clusters in less than 1 MB and 12,000 elements", async () => {
    expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
    const { page, problems, close } = await opened(browser, directory, text);
    expect(await page.locator("*").count()).toBeLessThan(12_000);
    expect(await page.locator("article").count()).toBe(30);
    expect(await page.locator("#clusters tr[data-c]").count()).toBe(packages);
    expect(problems).toEqual([]);
    await close();
  });

  it.each([
    ["light and wide", {}],
    ["dark and narrow", { colorScheme: "dark", viewport: { width: 320, height: 800 } }],
  ] as const)("violates no rule of axe: %s", async (_, options) => {
    const { page, close } = await opened(browser, directory, text, options);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await close();
  });

  it("shows the identities of one cluster", async () => {
    const { page, close } = await opened(browser, directory, text);
    await page.locator("select").nth(3).selectOption({ label: "c0004" });
    expect(await page.locator("output").last().textContent()).toBe("10 of 30 identities");
    // What does not match disappears whole: the headings and the pictures of the other clouds, too.
    expect(await page.locator("#identities h3:visible").allTextContents()).toEqual(["GCP: 40 clusters"]);
    expect(await page.locator("#picture h3:visible").allTextContents()).toEqual(["40 clusters in GCP"]);
    expect(await page.locator("article:visible > details:not([open])").count()).toBe(0);
    await close();
  });

  it("is printed on less than 300 pages, none of which is blank or ends with a heading", async () => {
    const { page, close } = await opened(browser, directory, text);
    const pages = printedTexts(await page.pdf({ preferCSSPageSize: true }));
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.length).toBeLessThan(300);
    for (const [index, texts] of pages.entries()) {
      const last = texts.toSorted((a, b) => a.y - b.y).at(-1);
      expect({ page: index + 1, size: last?.size ?? 0 }).not.toEqual({ page: index + 1, size: 0 });
      // The text of the page has 9.5 points, a heading of a section has more.
      expect({ page: index + 1, size: last?.size }).toSatisfy(({ size }) => size < 11.5);
    }
    await close();
  });
});
