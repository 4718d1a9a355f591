// What the site (docs/.vitepress/config.mts) needs of the pages in docs/: their order, and links that leave docs/.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {{ text: string, link: string }} Entry */
/** @typedef {{ text: string, collapsed: boolean, items: Entry[] }} Group */

const root = fileURLToPath(new URL("..", import.meta.url));
const docs = join(root, "docs");

/** The address of the repository. */
export const home = "https://github.com/cloud-credential-functions/cloud-credential-functions";

/**
 * The groups of pages in the sidebar: the lists in docs/README.md, which is the index of the pages. The text of a page is its
 * first heading.
 *
 * @returns {Group[]}
 */
export function navigation() {
  /** @type {Group[]} */
  const groups = [];
  for (const line of readFileSync(join(docs, "README.md"), "utf8").split("\n")) {
    const title = /^## (.+)$/.exec(line)?.[1] ?? /^([A-Z][\w ]+):$/.exec(line)?.[1];
    if (title !== undefined) groups.push({ text: title, collapsed: groups.length > 2, items: [] });
    const page = /^- \[[^\]]+\]\(([^)#]+\.md)\)/.exec(line)?.[1];
    if (page === undefined || !isPage(page)) continue;
    groups
      .at(-1)
      ?.items.push({ text: titleOf(page), link: `/${page.replace(/README\.md$/, "").replace(/\.md$/, "")}` });
  }
  return groups.filter(({ items }) => items.length > 0);
}

/** @param {string} page */
function isPage(page) {
  return !page.startsWith("..") && existsSync(join(docs, page));
}

/** @param {string} page */
function titleOf(page) {
  const text = readFileSync(join(docs, page), "utf8").replace(/<!--[\s\S]*?-->/g, "");
  return (/^# (.+)$/m.exec(text)?.[1] ?? page).replaceAll("`", "");
}

/**
 * The address of what a page links to, if it is outside docs/: the site does not contain it, so the link leads to the repository.
 *
 * @param {string} page relative to docs/
 * @param {string} href
 * @param {string} tag of the version
 * @returns {string | undefined} undefined if the link is not to a file outside docs/
 */
export function repositoryLink(page, href, tag) {
  if (/^(?:[a-z][a-z\d+.-]*:|#|\/)/i.test(href)) return undefined;
  const [path = "", fragment] = href.split("#");
  const target = resolve(docs, dirname(page), decodeURIComponent(path));
  const inDocs = relative(docs, target);
  if (!inDocs.startsWith("..")) return undefined;
  if (!existsSync(target)) throw new Error(`docs/${page} links to ${href}, which does not exist`);
  const kind = statSync(target).isDirectory() ? "tree" : "blob";
  return `${home}/${kind}/${tag}/${relative(root, target)}${fragment === undefined ? "" : `#${fragment}`}`;
}

/**
 * The address on the site of what a page links to. Links that stay in docs/ are unchanged, except that the site serves a README.md
 * as the index of its directory.
 *
 * @param {string} page relative to docs/
 * @param {string} href
 * @param {string} tag of the version
 */
export function linkOnSite(page, href, tag) {
  return repositoryLink(page, href, tag) ?? href.replace(/^((?:[\w.-]+\/)*)README\.md(?=$|#)/, "./$1");
}
