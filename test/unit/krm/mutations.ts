import fc from "fast-check";

/** A change of bytes as made by transport, people or attackers. */
export type Mutation = (bytes: Buffer, others: readonly Buffer[]) => Buffer;

const at = fc.double({ min: 0, max: 1, noNaN: true });
const place = (bytes: Buffer, share: number) => Math.min(bytes.length, Math.floor(share * bytes.length));

const cut = fc.tuple(at, fc.nat({ max: 40 })).map(
  ([share, count]): Mutation =>
    (bytes) => {
      const start = place(bytes, share);
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + count)]);
    },
);

const double = fc.tuple(at, fc.nat({ max: 200 }), at).map(
  ([share, count, to]): Mutation =>
    (bytes) => {
      const start = place(bytes, share);
      const target = place(bytes, to);
      return Buffer.concat([bytes.subarray(0, target), bytes.subarray(start, start + count), bytes.subarray(target)]);
    },
);

const flip = fc.array(fc.tuple(at, fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 }).map(
  (flips): Mutation =>
    (bytes) => {
      const copy = Buffer.from(bytes);
      for (const [share, value] of flips) if (copy.length > 0) copy[place(copy, share) % copy.length] = value;
      return copy;
    },
);

const truncate = at.map(
  (share): Mutation =>
    (bytes) =>
      bytes.subarray(0, place(bytes, share)),
);

const splice = fc.tuple(fc.nat(), at, at, at).map(
  ([which, from, to, target]): Mutation =>
    (bytes, others) => {
      const other = others[which % others.length] as Buffer;
      const [start, stop] = [place(other, from), place(other, to)].sort((a, b) => a - b);
      return Buffer.concat([
        bytes.subarray(0, place(bytes, target)),
        other.subarray(start, stop),
        bytes.subarray(place(bytes, target)),
      ]);
    },
);

/** Texts to insert at the start of a line, or anywhere. */
const pieces: readonly string[] = [
  ..."\0|\t|\r|\ufeff|\u2028|\u0085|- |-\n|? |: |:\n|, |#|# c\n|[|]|{|}|'|\"|&a |*a|!!str |!x |<<: *a\n|--- |---\n|...\n|%YAML 9.9\n|@|`|| >\n".split("|"),
  "|+\n", ">-\n   ", "__proto__: {a: b}\n", "constructor: x\n", "items: []\n", "kind: ResourceList\n", "apiVersion: v1\n",
  "\n\n", "  ", "              ", "metadata: &m\n", "~", "\u{1f600}", "\\x", "\\", "0".repeat(400),
  "[".repeat(10_000), "{a: ".repeat(10_000), "- ".repeat(10_000), "? ".repeat(2000), `${"k".repeat(100_000)}: v\n`,
  `"${"q".repeat(5000)}": v\n`, bomb(),
]; // biome-ignore format: one line a kind

function bomb(): string {
  const lines = Array.from({ length: 12 }, (_, level) =>
    level === 0 ? "b0: &b0 [x]\n" : `b${level}: &b${level} [${`*b${level - 1},`.repeat(9)}]\n`,
  );
  return lines.join("");
}

const insert = fc.tuple(at, fc.constantFrom(...pieces), fc.boolean()).map(
  ([share, piece, onLine]): Mutation =>
    (bytes) => {
      const near = place(bytes, share);
      const start = onLine ? bytes.lastIndexOf("\n", near) + 1 : near;
      return Buffer.concat([bytes.subarray(0, start), Buffer.from(piece), bytes.subarray(start)]);
    },
);

const broken = fc
  .tuple(at, fc.constantFrom([0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]))
  .map(
    ([share, wrong]): Mutation =>
      (bytes) => {
        const start = place(bytes, share);
        return Buffer.concat([bytes.subarray(0, start), Buffer.from(wrong), bytes.subarray(start)]);
      },
  );

const swapLines = fc.tuple(at, at).map(
  ([a, b]): Mutation =>
    (bytes) => {
      const lines = bytes.toString("latin1").split("\n");
      const [one, two] = [Math.floor(a * (lines.length - 1)), Math.floor(b * (lines.length - 1))];
      [lines[one], lines[two]] = [lines[two] as string, lines[one] as string];
      return Buffer.from(lines.join("\n"), "latin1");
    },
);

const indentLine = fc.tuple(at, fc.integer({ min: -4, max: 6 })).map(
  ([share, by]): Mutation =>
    (bytes) => {
      const lines = bytes.toString("latin1").split("\n");
      const which = Math.floor(share * (lines.length - 1));
      const line = lines[which] as string;
      lines[which] = by < 0 ? line.replace(new RegExp(`^ {0,${-by}}`), "") : " ".repeat(by) + line;
      return Buffer.from(lines.join("\n"), "latin1");
    },
);

/** A few successive changes. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: insert },
    { weight: 2, arbitrary: cut },
    { weight: 2, arbitrary: indentLine },
    double,
    flip,
    splice,
    swapLines,
    truncate,
    { weight: 1, arbitrary: broken },
  ),
  { minLength: 0, maxLength: 4 },
);
