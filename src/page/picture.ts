import { plural } from "../core/words.ts";
import { pictureStyle } from "../generated/auditors-page.ts";

import { constant, escaped, join, type Markup, markup } from "./markup.ts";
import { type ClusterPart, type IdentityPart, type Page, pageWithoutSecrets } from "./page.ts";
import {
  accountOf,
  amount,
  countOf,
  marksOf,
  nameOf,
  namespaceOf,
  servicesOf,
  subjectsOf,
  type UsedService,
} from "./services.ts";

/*
 * The picture: service accounts, identity, services; one row for each identity. Nothing measures text here, so a name is cut to
 * the characters that fit in any fixed-width font.
 */

/** Where things are, in the units of the picture. */
interface Form {
  readonly name: "wide" | "narrow";
  readonly width: number;
  /** The x coordinate and the width of each column. */
  readonly columns: readonly [Column, Column, Column];
}
type Column = readonly [x: number, width: number];

const wide: Form = {
  name: "wide",
  width: 1000,
  columns: [
    [0.5, 280],
    [350, 290],
    [709.5, 290],
  ],
};
/** Service accounts above the identity, and services below it: for a screen of 320 pixels. */
const narrow: Form = {
  name: "narrow",
  width: 340,
  columns: [
    [14, 325.5],
    [14, 325.5],
    [40, 299.5],
  ],
};

const chip = 26;
const box = 44;
const gap = 6;
/** The width of a character: the widest of the common fixed-width fonts, at 12.5 pixels. */
const character = 7.6;
const padding = 10;
/** The most chips of a row and column; more would hide the others. */
const maxChips = 14;
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
  const drawn = (form: Form, look: string) => {
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
  form: Form,
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
  return `${amount(accounts, "service account")} may become ${amount(identities.length, kind)}, which may use ${amount(services, "service")}. With wildcards: ${countOf(marked, "wildcard")}. Can escalate: ${countOf(marked, "escalation")}. Beyond the cluster: ${countOf(marked, "reach")}. The section of each ${noun} says the same in words.`;
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
  form: Form,
  noun: string,
  top: number,
): { readonly markup: Markup; readonly height: number } {
  const isWide = form === wide;
  const headings = isWide ? ["Service accounts", capitalized(plural(noun)), "Services that it may use"] : [];
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

function rowsOf({ rows, noun }: Drawn, form: Form): Piece[] {
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

interface Row {
  readonly accounts: readonly string[];
  readonly name: string;
  readonly marks: readonly string[];
  readonly services: readonly UsedService[];
  readonly noun: string;
}

function contentOf(identity: IdentityPart, noun: string): Row {
  const namespace = `${namespaceOf(identity.key)}/`;
  const accounts = subjectsOf(identity).map((name) =>
    name.startsWith(namespace) ? name.slice(namespace.length) : accountOf(name),
  );
  return {
    accounts: limited(accounts, (more) => `and ${more} more`),
    name: nameOf(identity.key),
    marks: Object.values(marksOf(identity)).filter((mark) => mark !== ""),
    services: limited(servicesOf(identity), (more) => ({ name: `and ${more} more`, amount: "", isWide: false })),
    noun,
  };
}

function limited<T>(all: readonly T[], rest: (more: number) => T): readonly T[] {
  return all.length <= maxChips ? all : [...all.slice(0, maxChips - 1), rest(all.length - maxChips + 1)];
}

function heightOf(count: number): number {
  return Math.max(0, count * (chip + gap) - gap);
}

function wideRow({ accounts, services, ...row }: Row, { columns: [left, middle, right] }: Form) {
  const height = Math.max(heightOf(accounts.length), box, heightOf(services.length));
  const centers = (count: number) =>
    Array.from({ length: count }, (_, index) => (height - heightOf(count)) / 2 + index * (chip + gap) + chip / 2);
  const [ends, starts] = [centers(accounts.length), centers(services.length)];
  const center = height / 2;
  const draw = (y: number) => {
    const bends = [
      ...ends.map((end) => curve(left[0] + left[1], y + end, middle[0], y + center)),
      ...starts.map((start) => curve(middle[0] + middle[1], y + center, right[0], y + start)),
      ...(ends.length === 0 ? [] : [arrow(middle[0], y + center)]),
      ...starts.map((start) => arrow(right[0], y + start)),
    ];
    return join([
      markup`<path d="${bends.join("")}"/>`,
      ...accounts.map((name, index) => accountChip(name, left, y + (ends[index] ?? 0) - chip / 2)),
      identityBox(row, middle, y + center - box / 2),
      ...services.map((service, index) => serviceChip(service, right, y + (starts[index] ?? 0) - chip / 2)),
    ]);
  };
  return { height, draw };
}

function narrowRow({ accounts, services, ...row }: Row, { columns: [left, middle, right] }: Form) {
  const top = accounts.length * (chip + gap) + 2;
  const below = top + box + gap + 2;
  const height = below + heightOf(services.length);
  const draw = (y: number) => {
    const [trunk, end] = [5, y + top + box / 2];
    const branch = middle[0] + 12;
    const starts = services.map((_, index) => y + below + index * (chip + gap) + chip / 2);
    const bends = [
      ...accounts.map((_, index) => {
        const start = y + index * (chip + gap) + chip / 2;
        return `M${left[0]} ${start}Q${trunk} ${start} ${trunk} ${start + 9}V${end - 9}Q${trunk} ${end} ${middle[0]} ${end}`;
      }),
      ...(accounts.length === 0 ? [] : [arrow(middle[0], end)]),
      ...starts.map(
        (start) =>
          `M${branch} ${y + top + box}V${start - 8}Q${branch} ${start} ${right[0]} ${start}${arrow(right[0], start)}`,
      ),
    ];
    return join([
      markup`<path d="${bends.join("")}"/>`,
      ...accounts.map((name, index) => accountChip(name, left, y + index * (chip + gap))),
      identityBox(row, middle, y + top),
      ...services.map((service, index) => serviceChip(service, right, (starts[index] ?? 0) - chip / 2)),
    ]);
  };
  return { height, draw };
}

function curve(x: number, y: number, toX: number, toY: number): string {
  const middle = (x + toX) / 2;
  return `M${x} ${y}C${middle} ${y} ${middle} ${toY} ${toX} ${toY}`;
}

function arrow(x: number, y: number): string {
  return `M${x - 6} ${y - 4}L${x} ${y}L${x - 6} ${y + 4}`;
}

function accountChip(name: string, [x, width]: Column, y: number): Markup {
  return markup`<rect x="${x}" y="${y}" width="${width}" height="${chip}" rx="13"/>${label(name, x + padding + 4, y + 17.5, width - 2 * padding - 8)}`;
}

function identityBox(
  { name, marks, noun }: Pick<Row, "name" | "marks" | "noun">,
  [x, width]: Column,
  y: number,
): Markup {
  const said =
    marks.length === 0
      ? markup`<text class="l" x="${x + padding}" y="${y + 35}">${noun}</text>`
      : markup`<text class="l m" x="${x + padding}" y="${y + 35}">${`! ${marks.join(" · ")}`}</text>`;
  return markup`<rect class="i" x="${x}" y="${y}" width="${width}" height="${box}" rx="7"/>${label(name, x + padding, y + 18, width - 2 * padding)}${said}`;
}

function serviceChip({ name, amount, isWide }: UsedService, [x, width]: Column, y: number): Markup {
  const said = isWide ? `${amount}, wildcard` : amount;
  const space = width - 3 * padding - said.length * 6.4;
  const right =
    said === ""
      ? undefined
      : markup`<text class="l${isWide ? " m" : ""}" text-anchor="end" x="${x + width - padding}" y="${y + 17}">${said}</text>`;
  return markup`<rect${isWide ? constant(' class="w"') : undefined} x="${x}" y="${y}" width="${width}" height="${chip}" rx="3"/>${label(name, x + padding, y + 17.5, space)}${right}`;
}

// A name that is cut is shown whole by browsers when a pointer is above it, and in its section.
function label(name: string, x: number, y: number, width: number): Markup {
  const short = cut(name, width, character);
  const whole = short === name ? undefined : markup`<title>${name}</title>`;
  return markup`<text x="${x}" y="${y}">${short}${whole}</text>`;
}

/** Cuts a text in the middle, because names often differ at their ends. Wide characters count twice, escaped ones as written. */
function cut(text: string, width: number, each: number): string {
  const most = Math.max(6, Math.floor(width / each));
  if (text.length <= most && /^[ -~]*$/.test(text)) return text;
  const all = [...text];
  if (all.length <= most && all.reduce((sum, one) => sum + sizeOf(one), 0) <= most) return text;
  const head = fitting(all, Math.ceil((most - 1) / 2));
  const tail = fitting(all.slice(head.length).reverse(), Math.floor((most - 1) / 2)).reverse();
  return `${head.join("")}…${tail.join("")}`;
}

function fitting(characters: readonly string[], most: number): string[] {
  const taken: string[] = [];
  let size = 0;
  for (const one of characters) {
    size += sizeOf(one);
    if (size > most) break;
    taken.push(one);
  }
  return taken;
}

// East Asian characters and emoji take two columns (Unicode Standard Annex #11).
function sizeOf(character: string): number {
  const written = escaped(character);
  if (written.startsWith("\\")) return written.length;
  return (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
