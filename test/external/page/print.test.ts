import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { launched, opened, printedTexts } from "../../helpers/chromium.ts";
import { signerKeyFile, succeed } from "../../helpers/cluster-package.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";
import { keptTemporary } from "../../helpers/temporary.ts";

describeWithCorpus(["chromium"], "the page of a real release on paper", () => {
  const { directory } = keptTemporary();
  let browser: Browser;
  let text: string;
  beforeAll(async () => {
    browser = await launched();
    const where = ["--platform", "aws", "--name", "demo", "--account-id", "123456789012", "--region", "us-east-2"];
    const requests = ["--credentials-requests", join(corpus, "releases/4.19/aws")];
    const at = { cwd: directory };
    succeed(run(["init", "demo", ...where, "--public-key-file", signerKeyFile, ...requests], at));
    succeed(run(["render", "--quiet", "demo"], at));
    text = succeed(run(["explain", "demo", "-o", "html"], at)).stdout;
  }, 60_000);
  afterAll(() => browser?.close());

  it("has six identities on at most 8 pages, and the verdict and the summary on the first", async () => {
    const { page, close } = await opened(browser, directory, text);
    expect(await page.locator("article").count()).toBe(6);
    const pages = printedTexts(await page.pdf({ preferCSSPageSize: true }));
    expect(pages.length).toBeLessThanOrEqual(8);
    // An A4 page has 297 mm, of which 24 are margins.
    await page.setViewportSize({ width: 703, height: 1032 });
    await page.emulateMedia({ media: "print" });
    const rows = page.locator("#summary tbody tr");
    expect(await rows.count()).toBe(6);
    const last = await rows.last().boundingBox();
    expect((last?.y ?? 2000) + (last?.height ?? 0)).toBeLessThan(1032);
    await close();
  });
});
