import { shortHash } from "../core/hash.ts";
import { printable } from "../core/text.ts";
import type { Grouped } from "./groups.ts";
import type { ClusterPart, Page } from "./page.ts";

declare const brand: unique symbol;

/** Text that is markup: of HTML, and of XML. Only {@link markup} and {@link shown} make it, so that data cannot become markup. */
export interface Markup {
  readonly [brand]: true;
  readonly text: string;
}

/** What {@link markup} accepts between its literal parts: a text is data, and undefined is nothing. */
export type Content = string | number | Markup | readonly Markup[] | undefined;

/**
 * Makes markup from a template: the literal parts are markup, and every other text is escaped. An escaped text is safe as text
 * and in a quoted attribute; see {@link escaped}.
 */
export function markup(literals: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let text = literals[0] ?? "";
  for (const [index, content] of contents.entries()) text += `${textOf(content)}${literals[index + 1] ?? ""}`;
  return { text } as Markup;
}

function textOf(content: Content): string {
  if (content === undefined) return "";
  if (typeof content === "number") return String(content);
  if (typeof content === "string") return escaped(content);
  return "text" in content ? content.text : content.map(({ text }) => text).join("");
}

/**
 * Markup that the program contains: constants of this program, never data.
 *
 * @param text the constant
 */
export function constant(text: string): Markup {
  return { text } as Markup;
}

/**
 * The one function that escapes data, for text and for quoted attributes (HTML Standard, "Serializing HTML fragments"; XML 1.0,
 * section 2.4). Apostrophes stay, because no attribute is in apostrophes. Control characters, and characters that a reader cannot
 * see, are written as `\u202e`.
 */
export function escaped(text: string): string {
  const safe = plain.test(text) ? text : printable(text);
  return /[&<>"]/.test(safe) ? safe.replace(/[&<>"]/g, (character) => entities[character] ?? "") : safe;
}

// Nearly every text. Classes of Unicode are slow to match.
const plain = /^[ -~]*$/;

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text as the content of an element: an escaped character is marked, so that a reader can tell it from a backslash. */
export function shown(text: string): Markup {
  if (plain.test(text) || printable(text) === text) return constant(escaped(text));
  return join([...text].map(oneShown));
}

function oneShown(character: string): Markup {
  if (printable(character) === character) return markup`${character}`;
  return markup`<span class="u">${character}</span>`;
}

/** A text of several lines, for an element that keeps white space. */
export function shownLines(text: string): Markup {
  return join(text.split(/([\n\t])/).map((part) => (part === "\n" || part === "\t" ? constant(part) : shown(part))));
}

/** Several pieces as one. */
export function join(pieces: readonly Markup[]): Markup {
  return { text: pieces.map(({ text }) => text).join("") } as Markup;
}

/** The fragment identifiers of a page: they stay the same when other identities come and go, so that links to them last. */
export interface Anchors {
  cluster(cluster: ClusterPart): string;
  /** A group of equal clusters. */
  kind(number: number): string;
  /** The clusters of a cloud. */
  cloud(title: string): string;
  /** @param key of an identity */
  identity(cluster: ClusterPart, key: string): string;
  /** What changes in an identity. */
  difference(cluster: ClusterPart, key: string): string;
  /** The findings of a rule. */
  findings(code: string): string;
}

/**
 * Names the parts of a page. Two clusters with the same name are named by their paths. What is the same in several clusters has the
 * name that it would have in the first of them.
 */
export function anchorsOf({ clusters }: Page, { firstWithIdentity, firstWithDifferences }: Grouped): Anchors {
  const counts = new Map<string, number>();
  for (const { name } of clusters) counts.set(name, (counts.get(name) ?? 0) + 1);
  const nameOf = ({ name, path }: ClusterPart) => (counts.get(name) === 1 ? name : path);
  return {
    cluster: (cluster) => `cluster:${slug(nameOf(cluster))}`,
    kind: (number) => `group:${number}`,
    cloud: (title) => `cloud:${slug(title)}`,
    identity: (cluster, key) => `${slug(nameOf(firstWithIdentity(cluster, key)))}/${slug(key)}`,
    difference: (cluster, key) => `difference:${slug(nameOf(firstWithDifferences(cluster)))}/${slug(key)}`,
    findings: (code) => `finding:${slug(code)}`,
  };
}

// Characters that need escaping in a URL are replaced; the hash keeps two such names distinct.
function slug(text: string): string {
  const safe = text.replace(/[^A-Za-z0-9._/-]/g, "-");
  return safe === text ? text : `${safe}-${shortHash(text)}`;
}
