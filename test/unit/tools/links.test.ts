import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

/** Directories without pages of the repository. */
const skipped = ["node_modules", ".git", ...ignoredDirectories()];

function ignoredDirectories(): string[] {
  const lines = readFileSync(".gitignore", "utf8").split("\n");
  return lines.map((line) => line.trim().replace(/^\/|\/$/g, "")).filter((name) => name !== "" && !/[*#]/.test(name));
}

/** Every page, by path. */
function pagesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = normalize(join(directory, entry.name));
    if (entry.isDirectory()) return skipped.includes(path) ? [] : pagesBelow(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

/** A page without its code blocks and comments. */
function prose(text: string): string {
  return text.replace(/^( *)(```+|~~~+)[\s\S]*?^\1\2.*$/gm, "").replace(/<!--[\s\S]*?-->/g, "");
}

/** The targets of the links of a page. */
function linksOf(text: string): string[] {
  const plain = prose(text).replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "code");
  const inline = plain.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g);
  const definitions = plain.matchAll(/^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/gm);
  return [...inline, ...definitions].map(([, target = ""]) => target);
}

/** The anchors of a page, by GitHub's rule: a heading that appears again gets a number. */
function anchorsOf(text: string): string[] {
  const counts = new Map<string, number>();
  return Array.from(prose(text).matchAll(/^#{1,6} +(.*?)(?: +#+)? *$/gm), ([, heading = ""]) => {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const anchor = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** What is wrong with a link of a page, if anything is. */
function problemOf(page: string, target: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const [path = "", fragment] = target.split("#");
  const file = path === "" ? page : join(dirname(page), decodeURIComponent(path));
  if (!existsSync(file)) return `${page}: ${target}: the file does not exist`;
  if (fragment === undefined || !file.endsWith(".md")) return undefined;
  const anchors = statSync(file).isFile() ? anchorsOf(readFileSync(file, "utf8")) : [];
  return anchors.includes(fragment) ? undefined : `${page}: ${target}: the heading does not exist`;
}

describe("links of pages", () => {
  const pages = pagesBelow(".");
  const links = pages.flatMap((page) => linksOf(readFileSync(page, "utf8")).map((target) => [page, target] as const));

  it("are found", () => {
    expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/README.md", "docs/reference/findings.md"]));
    expect(links.length).toBeGreaterThan(100);
    expect(links.some(([, target]) => target.includes("#"))).toBe(true);
  });

  it("lead to a file that exists, and to a heading of it", () => {
    expect(links.flatMap(([page, target]) => problemOf(page, target) ?? [])).toEqual([]);
  });

  it("include every page of docs/ in an index", () => {
    const indexes = ["docs/README.md", "docs/integrations/README.md"];
    const linked = indexes.flatMap((index) =>
      linksOf(readFileSync(index, "utf8")).map((target) => join(dirname(index), target)),
    );
    const missing = pages.filter((page) => page.startsWith("docs/") && !linked.includes(page));
    expect(missing).toEqual(["docs/README.md"]);
  });
});

describe("anchorsOf", () => {
  it.each([
    ["# What `ccf` does", ["what-ccf-does"]],
    ["## `spec.issuer.signingKeys[]`", ["specissuersigningkeys"]],
    ["## A [link](x.md), and more", ["a-link-and-more"]],
    ["# Same\n\n# Same", ["same", "same-1"]],
    ["```\n# a comment\n```\n# Größe_1 - x", ["größe_1---x"]],
  ])("%j", (text, anchors) => expect(anchorsOf(text)).toEqual(anchors));
});

describe("problemOf", () => {
  it.each([
    ["missing.md", "the file does not exist"],
    ["README.md#no-such-heading", "the heading does not exist"],
    ["#no-such-heading", "the heading does not exist"],
  ])("refuses %s", (target, problem) => expect(problemOf("README.md", target)).toContain(problem));

  it.each(["https://example.com/x", "#status", "docs/README.md#guides", "functions"])("accepts %s", (target) =>
    expect(problemOf("README.md", target)).toBeUndefined(),
  );
});
