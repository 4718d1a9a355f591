import { elements, isMapping, isSequence, pairsOf, type Source, startOf } from "../yaml/source.ts";
import type { Item } from "./item.ts";

/**
 * The line of the file, from 1, that contains a field of an object, or the nearest parent field that exists.
 * @param field as findings name it: `spec.platform.aws.tags`, `spec.serviceAccountNames[0]`.
 */
export function lineOf({ source, node }: Item, field = ""): number {
  let at = node;
  let line = lineAt(source, startOf(source, node));
  let rest = field;
  while (rest !== "") {
    const step = isMapping(source, at)
      ? keyStep(source, at, rest)
      : isSequence(source, at)
        ? indexStep(source, at, rest)
        : undefined;
    if (step === undefined) break;
    if (step.start >= 0) line = lineAt(source, step.start);
    at = step.node;
    rest = rest.slice(step.length).replace(/^\./, "");
  }
  return line;
}

interface Step {
  readonly node: number;
  readonly start: number;
  readonly length: number;
}

// Keys may contain dots and slashes: the longest key that the rest begins with wins.
function keyStep(source: Source, mapping: number, rest: string): Step | undefined {
  const fitting = pairsOf(source, mapping).filter(
    ({ name }) =>
      name !== undefined && name !== "" && rest.startsWith(name) && /^(?:$|[.[])/.test(rest.slice(name.length)),
  );
  const [best] = fitting.sort((a, b) => (b.name ?? "").length - (a.name ?? "").length);
  return best === undefined
    ? undefined
    : { node: best.value, start: startOf(source, best.key), length: (best.name ?? "").length };
}

function indexStep(source: Source, sequence: number, rest: string): Step | undefined {
  const [written, location] = /^\[(\d+)\]/.exec(rest) ?? [];
  const node = location === undefined ? undefined : elements(source, sequence)[Number(location)];
  return written === undefined || node === undefined
    ? undefined
    : { node, start: startOf(source, node), length: written.length };
}

// The line with an offset: as many lines begin at it or before it.
function lineAt(source: Source, offset: number): number {
  const starts = lineStarts(source);
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

/** The starts of the lines of files. One file may contain thousands of objects with findings. */
const known = new WeakMap<Source, readonly number[]>();

function lineStarts(source: Source): readonly number[] {
  const before = known.get(source);
  if (before !== undefined) return before;
  const starts = [0];
  for (const { 0: end, index } of source.text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  known.set(source, starts);
  return starts;
}
