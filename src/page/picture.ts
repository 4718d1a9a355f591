import { capitalized, printable } from "../core/text.ts";
import { plural } from "../core/words.ts";
import { pictureStyle } from "../generated/auditors-page.ts";
import { constant, join, type Markup, markup } from "./markup.ts";
import { type ClusterPart, type IdentityPart, type Page, pageWithoutSecrets } from "./page.ts";
import { contentOf, cut, narrow, narrowRow, type PictureForm, wide, wideRow } from "./picture-row.ts";
import { accountOf, amount, countOf, marksOf, namespaceOf, reachingOf, servicesOf, subjectsOf } from "./services.ts";

/*
 * The picture: one row for each identity, below the heading of its namespace; for the page, for a file, and for Mermaid.
 */

/** On paper, a picture never breaks: several fit on an A4 page, so that little of a page stays empty. */
const maxHeight = 560;

/** A part of a picture, and its height. */
interface Piece {
  readonly height: number;
  /** The first piece of a picture needs its heading, even if the piece before had the same. */
  readonly namespace: string;
  draw(y: number): Markup;
}

/** What a picture shows. */
export interface Drawn {
  /** "Cluster demo", "80 clusters in AWS" */
  readonly title: string;
  readonly noun: string;
  readonly rows: readonly DrawnRow[];
}

/** An identity in a picture. */
interface DrawnRow {
  readonly identity: IdentityPart;
  /** Its section on the page; "" if there is none. */
  readonly anchor: string;
  /** How many clusters of a fleet have it. */
  readonly clusters?: number;
}

/**
 * The pictures for the page: as many as are necessary for paper, each for wide and for narrow screens.
 *
 * @param isLarge the page has so many identities that a second picture of each would make it slow: on a narrow screen, the wide
 * picture scrolls.
 */
export function pictures(content: Drawn, prefix: string, isLarge: boolean): Markup {
  const text = description(content);
  const drawn = (form: PictureForm, look: string) => {
    const pages = paged(rowsOf(content, form));
    return pages.map((rows, index) =>
      picture(content, form, rows, text, `${prefix}${form.name}${index}`, look, [index + 1, pages.length]),
    );
  };
  if (!isLarge) return join([...drawn(wide, "p o"), ...drawn(narrow, "p x")]);
  return markup`<div class="y" role="region" tabindex="0" aria-label="Picture: ${content.title}">${drawn(wide, "p")}</div>`;
}

function picture(
  content: Drawn,
  form: PictureForm,
  rows: readonly Piece[],
  text: string,
  id: string,
  look: string,
  [page, of]: readonly [number, number],
): Markup {
  const body = layOut(rows, form, content.noun, 0);
  const part = of === 1 ? "" : ` (part ${page} of ${of})`;
  return markup`<svg class="${look}" viewBox="0 0 ${form.width} ${body.height}" role="img" aria-labelledby="${id}t ${id}d"><title id="${id}t">${titleOf(content)}${part}</title><desc id="${id}d">${text}</desc>${body.markup}</svg>`;
}

/** The picture of a page as a file: one SVG, with its own style. */
export function svg(page: Page): string {
  const { clusters } = pageWithoutSecrets(page);
  let y = 0;
  const bodies = clusters.map((cluster) => {
    const heading = clusters.length === 1 ? 0 : 34;
    const title = heading === 0 ? undefined : markup`<text class="c" x="0" y="${y + 20}">${cluster.name}</text>`;
    const content = drawnOf(cluster);
    const body = layOut(rowsOf(content, wide), wide, content.noun, y + heading);
    y += heading + body.height + 12;
    return markup`${title}${body.markup}`;
  });
  const [first] = clusters;
  const title =
    clusters.length === 1 && first !== undefined
      ? titleOf(drawnOf(first))
      : `Identities of ${clusters.length} clusters`;
  const texts = clusters.map((cluster) => description(drawnOf(cluster))).join(" ");
  const height = y - 12;
  // The style says which colors the words have; without a background, they would be unreadable on the other kind of page.
  return markup`<svg xmlns="http://www.w3.org/2000/svg" class="p" width="${wide.width + 32}" height="${height + 32}" viewBox="-16 -16 ${wide.width + 32} ${height + 32}" role="img" aria-labelledby="t d"><title id="t">${title}</title><desc id="d">${texts}</desc><style>${constant(pictureStyle)}.p{background:var(--bg)}</style>${bodies}</svg>
`.text;
}

function drawnOf({ name, noun, identities }: ClusterPart): Drawn {
  return { title: `Cluster ${name}`, noun, rows: identities.map((identity) => ({ identity, anchor: "" })) };
}

function titleOf({ title, noun }: Drawn): string {
  return `${title}: service accounts, ${plural(noun)}, and services`;
}

function description({ rows, noun }: Drawn): string {
  const identities = rows.map(({ identity }) => identity);
  const accounts = new Set(identities.flatMap(subjectsOf)).size;
  const services = new Set(identities.flatMap((identity) => servicesOf(identity).map(({ name }) => name))).size;
  const marked = identities.map(marksOf);
  const kind = rows.some(({ clusters }) => clusters !== undefined) ? `different ${noun}` : noun;
  return `${amount(accounts, "service account")} can use ${amount(identities.length, kind)}, which can use ${amount(services, "service")}. With wildcards: ${countOf(marked, "wildcard")}. Can escalate: ${countOf(marked, "escalation")}. Beyond the cluster: ${reachingOf(identities)}. The section of each ${noun} says the same in words.`;
}

// A row is never split. The heading of a namespace takes as much space as if it was always necessary.
function paged(rows: readonly Piece[]): Piece[][] {
  const pages: Piece[][] = [];
  let height = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    height += row.height + namespaceHeight;
    if (height > maxHeight) {
      pages.push([]);
      height = row.height + namespaceHeight + headingHeight;
    }
    pages.at(-1)?.push(row);
  }
  return pages;
}

const headingHeight = 28;
const namespaceHeight = 34;

function layOut(
  rows: readonly Piece[],
  form: PictureForm,
  noun: string,
  top: number,
): { readonly markup: Markup; readonly height: number } {
  const isWide = form === wide;
  const headings = isWide ? ["Service accounts", capitalized(plural(noun)), "Services that it can use"] : [];
  const drawn = [
    ...headings.map(
      (text, index) => markup`<text class="l" x="${form.columns[index]?.[0]}" y="${top + 14}">${text}</text>`,
    ),
  ];
  let y = top + (isWide ? headingHeight : 0);
  let last: string | undefined;
  for (const row of rows) {
    if (row.namespace !== last) {
      drawn.push(
        markup`<g data-h="${namespaceHeight}"><path class="n" d="M0 ${y + 4.5}H${form.width}"/><text class="l h" x="0" y="${y + 23}">${cut(row.namespace, form.width, 7.2)}</text></g>`,
      );
      y += namespaceHeight;
    }
    last = row.namespace;
    drawn.push(row.draw(y));
    y += row.height;
  }
  return { markup: join(drawn), height: y - top };
}

function rowsOf({ rows, noun }: Drawn, form: PictureForm): Piece[] {
  return rows.map(({ identity, anchor, clusters }) => {
    const draw = form === wide ? wideRow : narrowRow;
    const said = clusters === undefined ? noun : `${noun} in ${amount(clusters, "cluster")}`;
    const { height, draw: drawRow } = draw(contentOf(identity, said), form);
    return {
      namespace: namespaceOf(identity.key),
      height: height + 14,
      draw: (y) => markup`<g data-h="${height + 14}"${reference(anchor)}>${drawRow(y)}</g>`,
    };
  });
}

function reference(anchor: string): Markup {
  return anchor === "" ? markup`` : markup` data-i="${anchor}"`;
}

/**
 * The picture as a Mermaid flowchart in a code block of Markdown, for code hosts that draw it. Names are quoted, and every
 * character with a meaning in Markdown or Mermaid is an entity code (Mermaid documentation, "Flowcharts: special characters").
 */
export function mermaid(page: Page): string[] {
  const { clusters } = pageWithoutSecrets(page);
  const isFleet = clusters.length > 1;
  const bodies = clusters.flatMap((cluster, index) => {
    const lines = linesOf(cluster, `c${index}`);
    const inGroup = [`  subgraph c${index}[${quoted(cluster.name)}]`, ...lines.map((line) => `  ${line}`), "  end"];
    return isFleet ? inGroup : lines;
  });
  return ["```mermaid", "flowchart LR", ...bodies, "```"];
}

function linesOf({ identities }: ClusterPart, prefix: string): string[] {
  const nodes = new Map<string, string>();
  const lines: string[] = [];
  // A service account, or a service, that several identities have is one node.
  const node = (kind: string, name: string, [open, close]: readonly [string, string]) => {
    const known = nodes.get(`${kind} ${name}`);
    if (known !== undefined) return known;
    const id = `${prefix}n${nodes.size}`;
    nodes.set(`${kind} ${name}`, id);
    lines.push(`  ${id}${open}${quoted(name)}${close}`);
    return id;
  };
  for (const identity of identities) {
    const accounts = subjectsOf(identity).map((subject) => node("account", accountOf(subject), ["([", "])"]));
    const id = node("identity", nameWithMarks(identity), ["[", "]"]);
    lines.push(...accounts.map((account) => `  ${account} --> ${id}`));
    for (const { name, amount, isWide } of servicesOf(identity)) {
      const service = node("service", name, ["[[", "]]"]);
      lines.push(`  ${id} -->|${quoted(isWide ? `${amount}, wildcard` : amount)}| ${service}`);
    }
  }
  return lines;
}

function nameWithMarks(identity: IdentityPart): string {
  const marks = Object.values(marksOf(identity)).filter((mark) => mark !== "");
  return marks.length === 0 ? identity.key : `${identity.key} (${marks.join(", ")})`;
}

function quoted(text: string): string {
  const safe = printable(text).replace(/[^A-Za-z0-9 .,/:@()-]/gu, (one) => `#${one.codePointAt(0)};`);
  return `"${safe}"`;
}
