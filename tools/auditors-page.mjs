// Makes the picture of the page for auditors in docs/: the sample cluster, as Chromium shows it. Run it after `npm run build` if the
// look of the page changes; fonts differ between machines, so no test compares the picture.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../", import.meta.url));
const target = join(root, "docs/guides/auditors-page.png");
const work = mkdtempSync(join(tmpdir(), "ccf-page-"));
try {
  const sample = join(root, "testdata/sample-cluster");
  const key = ["--public-key-file", join(sample, "serviceaccount-signer.public")];
  const requests = ["--credentials-requests", join(sample, "credentials-requests")];
  const where = ["--platform", "aws", "--name", "demo", "--account-id", "123456789012", "--region", "us-east-2"];
  ccf("init", "clusters/demo", ...where, ...key, ...requests);
  ccf("render", "clusters/demo");
  const file = join(work, "demo.html");
  writeFileSync(file, ccf("explain", "clusters/demo", "-o", "html"));
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 960, height: 1200 }, colorScheme: "light" });
  await page.goto(pathToFileURL(file).href);
  const { y } = (await page.locator("#identities h2").boundingBox()) ?? { y: 900 };
  await page.screenshot({ path: target, fullPage: true, clip: { x: 0, y: 0, width: 960, height: Math.floor(y) - 20 } });
  await browser.close();
  console.log(`${target} is made.`);
} finally {
  rmSync(work, { recursive: true });
}

/** @param {string[]} args @returns {string} what the command printed */
function ccf(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "dist/ccf"), ...args], {
    cwd: work,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
