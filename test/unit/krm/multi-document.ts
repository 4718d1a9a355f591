import fc from "fast-check";

/*
 * Random texts with more than one document, and everything that may be between two documents. The text is not generated
 * by a YAML library, because no library writes all of these forms.
 */

/** A text with more than one document, and the documents to remove. */
export interface MultiDocument {
  readonly text: string;
  /** By index among the documents that are not empty. */
  readonly removed: readonly boolean[];
  /** The words that must remain, in this order. */
  readonly kept: readonly string[];
  /** The words that must not remain. */
  readonly gone: readonly string[];
  /** The `yaml` package supports only line feeds, and counts a byte order mark as a column. */
  readonly forAllReaders: boolean;
}

interface Shape {
  readonly body: readonly string[];
  readonly onMarkLine: boolean;
  readonly directives: readonly string[];
  readonly explicit: boolean;
  readonly ended: boolean;
  readonly byteOrderMark: boolean;
  readonly before: boolean;
  readonly head: boolean;
  readonly tail: string;
  readonly strayEnds: number;
  readonly removed: boolean;
}

/** Content: its lines, and whether it may begin on the line of its mark. Each `@` is replaced by a unique word. */
const bodies: readonly (readonly [readonly string[], boolean])[] = [
  [["a: '@'"], false],
  [["a: '@'", "b:", "- 1", "-"], false],
  [["  a: '@'", "  b: 2"], false],
  [["{a: '@', b: [1, 2]}"], true],
  [["{a: '@',", "  # --- c", "  b: 2", "}"], true],
  [["a: |+", "  @", "  ---", "  ...", ""], false],
  [["a: '@'", "b: >-", "  x", "", "   y"], false],
  [["a: '@'", "b: |", "  # no comment", "  %TAG"], false],
  [["|", " @", " --- x"], true],
  [["a: '@'", "b: x", "  y --- z", "  ... # c"], false],
  [["a: '@'", 'b: "x', "  --- y", "", '  z"'], false],
  [["- '@'", "- &x 1", "- *x"], false],
  [["'@'"], true],
  [["!!map", "a: '@'"], true],
  [["? '@'", ": x"], false],
  [["a: '@'", "b: #--- c"], false],
  [["a: '@'", "b: --- c", "c%: 1"], false],
];
const tagged: readonly (readonly [readonly string[], boolean])[] = [
  [["a: !e!str 012", "b: '@'"], false],
  [["{a: !e!str 012, b: '@', c: !e!seq [!!str 1]}"], true],
  [["!e!map", "a: '@'"], true],
];

const shape: fc.Arbitrary<Shape> = fc
  .record({
    content: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...bodies).map((body) => ({ body, directives: [] as string[] })) },
      {
        weight: 1,
        arbitrary: fc.tuple(fc.constantFrom(...tagged), fc.boolean()).map(([body, comment]) => ({
          body,
          directives: ["%TAG !e! tag:yaml.org,2002:", ...(comment ? ["# ~", "%YAML 1.2 # c"] : [])],
        })),
      },
      { weight: 1, arbitrary: fc.constantFrom(...bodies).map((body) => ({ body, directives: ["%YAML 1.2"] })) },
      { weight: 1, arbitrary: fc.constant({ body: [[], false] as const, directives: [] as string[] }) },
    ),
    onMarkLine: fc.boolean(),
    explicit: fc.boolean(),
    ended: fc.boolean(),
    byteOrderMark: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
    before: fc.boolean(),
    head: fc.boolean(),
    tail: fc.constantFrom("", "", "# ~", "# ---\u0001# ~", "\u0001   # ~", "# ...\u0001"),
    strayEnds: fc.constantFrom(0, 0, 0, 1),
    removed: fc.boolean(),
  })
  .map(({ content, ...rest }) => ({
    ...rest,
    body: content.body[0],
    directives: content.directives,
    ...mayBe(content, rest),
  }));

function mayBe(content: { body: readonly [readonly string[], boolean] }, rest: { onMarkLine: boolean }) {
  return { onMarkLine: rest.onMarkLine && content.body[1] };
}

export const multiDocument: fc.Arbitrary<MultiDocument> = fc
  .tuple(
    fc.array(shape, { minLength: 1, maxLength: 5 }),
    fc.constantFrom("\n", "\n", "\r\n", "\r"),
    fc.boolean(),
    fc.constantFrom("", "", "# end"),
  )
  .map(([shapes, lineBreak, endsLine, last]) => assemble(shapes, lineBreak, endsLine, last));

function assemble(shapes: readonly Shape[], lineBreak: string, endsLine: boolean, last: string): MultiDocument {
  const assembly = new Assembly();
  for (const shape of shapes) assembly.add(shape);
  const { lines, removed, kept, gone } = assembly;
  if (last !== "" && assembly.isEnded) lines.push(`   # ${assembly.word(kept)}`);
  // Readers differ about a block scalar that ends with the text.
  const isEndless = !endsLine && !lines.some((line) => /[|>][-+]?$/.test(line));
  const text = lines.join(lineBreak) + (isEndless ? "" : lineBreak);
  return { text, removed, kept, gone, forAllReaders: lineBreak !== "\r" && !text.includes("\ufeff") };
}

/** The lines of a text while documents are added to it. */
class Assembly {
  readonly lines: string[] = [];
  readonly removed: boolean[] = [];
  readonly kept: string[] = [];
  readonly gone: string[] = [];
  /** Whether the previous document has an end mark, or there is no previous document. */
  isEnded = true;
  private count = 0;

  add(shape: Shape): void {
    const isEmpty = shape.body.length === 0;
    if (!isEmpty) this.removed.push(shape.removed);
    const words = shape.removed && !isEmpty ? this.gone : this.kept;
    const directives = this.isEnded ? shape.directives : [];
    const isExplicit = shape.explicit || !this.isEnded || isEmpty || directives.length > 0;
    if (this.isEnded) this.lines.push(...Array<string>(shape.strayEnds).fill("..."));
    const first = this.lines.length;
    // Text before the first mark belongs to the file.
    const isOfFile = this.removed.length <= 1 && first === shape.strayEnds && isExplicit;
    if (this.isEnded && shape.before) this.lines.push(`# ${this.word(isOfFile ? this.kept : words)}`);
    const named = (line: string) => line.replace(/[@~]/g, () => this.word(words));
    this.lines.push(...directives.map(named));
    // A tag with an undefined handle is invalid.
    const body = directives.length > 0 ? shape.body : shape.body.map((line) => line.replaceAll("!e!", "!!"));
    this.lines.push(...(isExplicit ? withMark(shape, body) : body).map(named));
    if (shape.tail !== "") this.lines.push(...shape.tail.split("\u0001").map(named));
    if (shape.byteOrderMark) this.lines[first] = `\ufeff${this.lines[first]}`;
    this.isEnded = shape.ended;
    if (shape.ended) this.lines.push(shape.head ? "... # c" : "...");
  }

  word(into: string[]): string {
    const word = `w${++this.count}w`;
    into.push(word);
    return word;
  }
}

function withMark({ onMarkLine, head }: Shape, [first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return [head ? "--- # ~" : "---"];
  return onMarkLine ? [`--- ${first}`, ...rest] : [head ? "--- # ~" : "---", first, ...rest];
}
