import { constant, escaped, join, type Markup, markup } from "./markup.ts";
import type { IdentityPart } from "./page.ts";
import { accountOf, marksOf, nameOf, namespaceOf, servicesOf, subjectsOf, type UsedService } from "./services.ts";

/*
 * A row of the picture: service accounts, identity, services. Nothing measures text here, so a name is cut to the characters that
 * fit in any fixed-width font.
 */

/** Where things are, in the units of the picture. */
export interface PictureForm {
  readonly name: "wide" | "narrow";
  readonly width: number;
  /** The x coordinate and the width of each column. */
  readonly columns: readonly [Column, Column, Column];
}
type Column = readonly [x: number, width: number];

/** Service accounts, the identity, and services in one line. */
export const wide: PictureForm = {
  name: "wide",
  width: 1000,
  columns: [
    [0.5, 280],
    [350, 290],
    [709.5, 290],
  ],
};
/** Service accounts above the identity, and services below it: for a screen of 320 pixels. */
export const narrow: PictureForm = {
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

/** The texts of a row. */
export interface Row {
  readonly accounts: readonly string[];
  readonly name: string;
  readonly marks: readonly string[];
  readonly services: readonly UsedService[];
  readonly noun: string;
}

/** What a row says about an identity. */
export function contentOf(identity: IdentityPart, noun: string): Row {
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

/** A row in the wide form: its height, and what draws it. */
export function wideRow({ accounts, services, ...row }: Row, { columns: [left, middle, right] }: PictureForm) {
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

/** A row in the narrow form: its height, and what draws it. */
export function narrowRow({ accounts, services, ...row }: Row, { columns: [left, middle, right] }: PictureForm) {
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
export function cut(text: string, width: number, each: number): string {
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
