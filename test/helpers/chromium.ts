import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inflateSync } from "node:zlib";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Starts Chromium. In a container, its sandbox needs rights that the tests do not have. */
export function launched(): Promise<Browser> {
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
}

let count = 0;

/** Opens a page from a file, and collects what the browser complains about, and what the page asks for. */
export async function opened(
  browser: Browser,
  directory: string,
  html: string,
  options: BrowserContextOptions = {},
  hash = "",
) {
  count += 1;
  const file = join(directory, `${count}.html`);
  writeFileSync(file, html);
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  const { href } = pathToFileURL(file);
  page.on("console", (message) => problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("dialog", (dialog) => problems.push(dialog.message()));
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== href) problems.push(request.url());
  });
  await page.goto(`${href}${hash}`);
  return { page, problems, close: () => context.close() };
}

/** What axe finds. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found: readonly { id: string; nodes: readonly { html: string; failureSummary: string }[] }[] =
    await page.evaluate("axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)");
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/** A text on a printed page: its distance from the top, and its size, in the units of the page. */
export interface Printed {
  readonly y: number;
  readonly size: number;
}

/** The texts of each page of a PDF that Chromium printed: it compresses the content of a page, and writes one object for each. */
export function printedTexts(pdf: Buffer): Printed[][] {
  const text = pdf.toString("latin1");
  const objects = new Map([...text.matchAll(/^(\d+) 0 obj$/gm)].map(({ 1: number, index }) => [number, index]));
  return [...text.matchAll(/\/Type \/Page\b[\s\S]*?\/Contents (\d+) 0 R/g)].map(({ 1: number }) => {
    const at = objects.get(number) ?? 0;
    const start = text.indexOf("stream\n", at) + "stream\n".length;
    const length = Number(/\/Length (\d+)/.exec(text.slice(at, start))?.[1]);
    return textsIn(inflateSync(Buffer.from(text.slice(start, start + length), "latin1")).toString("latin1"));
  });
}

// Matrices (cm) nest with q and Q (ISO 32000-1, 8.4.4); Chromium only scales and moves. A text is in BT and ET, with a font (Tf) and
// a matrix of its own (Tm).
function textsIn(content: string): Printed[] {
  const found: Printed[] = [];
  const stack: (readonly [scale: number, y: number])[] = [];
  let [scale, y]: readonly [number, number] = [1, 0];
  let size = 0;
  for (const line of content.split("\n")) {
    const numbers = (line.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    if (line === "q") stack.push([scale, y]);
    else if (line === "Q") [scale, y] = stack.pop() ?? [1, 0];
    else if (line.endsWith(" cm")) [scale, y] = [scale * (numbers[3] ?? 1), y + scale * (numbers[5] ?? 0)];
    else if (line.endsWith(" Tf")) size = Number(/ ([\d.]+) Tf$/.exec(line)?.[1]);
    else if (line.endsWith(" Tm")) {
      const place = y + scale * (numbers[5] ?? 0);
      found.push({ y: Math.round(842 - place), size: Math.round(size * Math.abs(scale) * 10) / 10 });
    }
  }
  return found;
}
