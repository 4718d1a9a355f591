import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, extname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "parse5";
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { version } from "../../../package.json";
import { home, linkOnSite, navigation, repositoryLink } from "../../../tools/site.mjs";
import { describeWith } from "../../helpers/need.ts";
import { readTree } from "../../helpers/temporary.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const site = join(root, "dist/site");

/** Builds the site of the pages in a directory, or of this repository. */
function build(directory = root) {
  const program = join(root, "node_modules/vitepress/bin/vitepress.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "build", "docs"], {
    cwd: directory,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  return { status, output: stdout + stderr };
}

beforeAll(() => {
  rmSync(site, { recursive: true, force: true });
  const { status, output } = build();
  expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
}, 600_000);

interface Element {
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Element[];
}

/** The value of an attribute of each element that has it. */
function valuesOf(element: Element, name: string): string[] {
  const own = element.attrs?.filter((one) => one.name === name).map(({ value }) => value) ?? [];
  return [...own, ...(element.childNodes ?? []).flatMap((child) => valuesOf(child, name))];
}

/** Whether a link of a page leads to a file of the site, and to an element of it. */
function leads(path: string, href: string, ids: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const [file = "", fragment] = href.split("#");
  const whole = file.endsWith("/") ? `${file}index.html` : file;
  const target = file === "" ? path : normalize(join(file.startsWith("/") ? "." : dirname(path), whole));
  if (!existsSync(join(site, target))) return false;
  return fragment === undefined || ids.get(target)?.has(decodeURIComponent(fragment)) !== false;
}

const pageFiles = () => Object.keys(readTree(site)).filter((path) => path.endsWith(".html") && path !== "404.html");
const read = (path: string) => parse(readFileSync(join(site, path), "utf8")) as Element;

describe("the site", () => {
  it("has every page of the index, in its groups", () => {
    const groups = navigation();
    expect(groups.map(({ text }) => text)).toEqual(expect.arrayContaining(["Set up a cluster", "Reference"]));
    const missing = groups.flatMap(({ items }) =>
      items.filter(({ link }) => !existsSync(join(site, link.endsWith("/") ? `${link}index.html` : `${link}.html`))),
    );
    expect(missing).toEqual([]);
    expect(pageFiles().length).toBeGreaterThanOrEqual(groups.flatMap(({ items }) => items).length);
  });

  it("has the version in each title", () => {
    for (const path of pageFiles())
      expect(readFileSync(join(site, path), "utf8"), path).toMatch(new RegExp(`<title>[^<]*ccf ${version}</title>`));
  });

  it("has no link to a page or a heading that does not exist", () => {
    const ids = new Map(pageFiles().map((path) => [path, new Set(valuesOf(read(path), "id"))]));
    const problems = pageFiles().flatMap((path) =>
      valuesOf(read(path), "href").filter((href) => !/^[a-z]+:/.test(href) && !leads(path, href, ids)),
    );
    expect(problems).toEqual([]);
  });

  it("leads to the repository for files outside of docs/", () => {
    expect(repositoryLink("guides/apply.md", "../../SECURITY.md#x", "v1")).toBe(`${home}/blob/v1/SECURITY.md#x`);
    expect(repositoryLink("README.md", "../functions", "v1")).toBe(`${home}/tree/v1/functions`);
    for (const href of ["azure.md#x", "#x", "https://example.com/..", "../reference/findings.md"])
      expect(repositoryLink("guides/gcp.md", href, "v1")).toBeUndefined();
    expect(linkOnSite("guides/gcp.md", "../README.md#guides", "v1")).toBe("./../#guides");
    expect(linkOnSite("guides/gcp.md", "azure.md#x", "v1")).toBe("azure.md#x");
    expect(() => repositoryLink("README.md", "../missing.md", "v1")).toThrow("docs/README.md links to ../missing.md");
  });

  it("is not built with a dead link", () => {
    const directory = join(root, "dist/site-with-dead-link");
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(join(directory, "docs/guides"), { recursive: true });
    for (const path of ["package.json", "docs/.vitepress", "tools/site.mjs", "tools/anchor.mjs"])
      cpSync(join(root, path), join(directory, path), { recursive: true });
    writeFileSync(join(directory, "docs/README.md"), "# Pages\n\n[a page](guides/missing.md)\n");
    const { status, output } = build(directory);
    rmSync(directory, { recursive: true });
    expect(status).toBe(1);
    expect(output).toContain("dead link");
    expect(output).toContain("guides/missing");
  }, 600_000);
});

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** Serves the files of the site. */
function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    const file = join(site, decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    const isThere = !relative(site, file).startsWith("..") && existsSync(file);
    response.writeHead(isThere ? 200 : 404, { "Content-Type": types[extname(file)] ?? "application/octet-stream" });
    response.end(isThere ? readFileSync(file) : "");
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

describeWith(["chromium"], "the site in Chromium", () => {
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    server = await serve();
    // In a container, the sandbox of Chromium needs rights that the tests do not have.
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** Opens a page, and collects what the browser complains about and what the page asks other hosts for. */
  async function open(path: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(host) && !request.url().startsWith("data:")) problems.push(request.url());
    });
    await page.goto(`${host}${path}`, { waitUntil: "networkidle" });
    return { page, problems, close: () => context.close() };
  }

  it.each([
    ["rotate key", /Rotate the signing key/],
    ["AccessDenied", /The cloud rejects a token|AWS (?:refuses|rejects)/],
    ["who can delete", /[Ww]ho can/],
  ])(
    "answers the search for %j",
    async (words, expected) => {
      const { page, problems, close } = await open("/");
      // The page is shown before its script listens.
      const input = page.locator("#localsearch-input");
      const opened = async () => {
        if ((await input.count()) === 0) await page.keyboard.press("Control+k");
        return await input.count();
      };
      await expect.poll(opened, { timeout: 60_000, interval: 500 }).toBe(1);
      await input.fill(words);
      const results = page.locator("#localsearch-list a.result");
      await expect.poll(() => results.count(), { timeout: 60_000 }).toBeGreaterThan(0);
      expect((await results.allTextContents()).slice(0, 5).join("\n")).toMatch(expected);
      await results.first().click();
      await expect.poll(() => page.url()).toContain(".html");
      expect(problems).toEqual([]);
      await close();
    },
    300_000,
  );

  it.each([
    ["wide", {}],
    ["narrow", { viewport: { width: 320, height: 800 } }],
    ["dark", { colorScheme: "dark" }],
  ] as const)(
    "fits the window and asks no other host: %s",
    async (_name, options) => {
      for (const path of ["/", "/guides/how-it-works.html", "/reference/commands.html"]) {
        const { page, problems, close } = await open(path, options);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path).toBe(true);
        expect(await page.evaluate("document.documentElement.classList.contains('dark')")).toBe(
          "colorScheme" in options,
        );
        expect(
          await page.evaluate("[...document.images].filter(({ naturalWidth }) => naturalWidth === 0).length"),
        ).toBe(0);
        expect(problems).toEqual([]);
        await close();
      }
    },
    300_000,
  );
});
