import * as KIND from "./kind.ts";
import { isProblem, parseSource, type Source, type SyntaxProblem } from "./source.ts";
import { endOfLine } from "./text.ts";

/** A unit that can be skipped as a whole if it cannot be read: a document, or an item of a list. */
export interface Unit {
  /** The start of the part of the text that can be parsed without the rest. */
  readonly start: number;
  readonly stop: number;
  /** The offset of the value in it, after the mark or dash. */
  readonly value: number;
}

/**
 * Parses a text that the parser rejects, without those of its units that the parser also rejects on their own. In the
 * table of nodes, an empty mapping replaces each of these; the text stays unchanged. The boundaries of units are only a
 * guess, so the text without the rejected units must parse.
 *
 * @param isWhole whether a rejected unit certainly ends where it was cut.
 * @returns undefined if the rest cannot be parsed either, or if the whole text is one unit.
 */
export function parseAround(
  text: string,
  units: readonly Unit[],
  isWhole: (unit: string) => boolean = () => true,
): Source | undefined {
  if (units.length < 2) return undefined;
  const broken = new Map<number, { stop: number; problem: SyntaxProblem }>();
  let readable = "";
  let line = 0;
  let counted = 0;
  for (const { start, stop, value } of units) {
    const problem = parseSource(text.slice(start, stop));
    if (!isProblem(problem)) continue;
    const written = text.slice(value, stop).trimEnd();
    if (written.length < 2 || !isWhole(text.slice(start, stop))) return undefined;
    line += lineBreaks(text, counted, start);
    counted = start;
    readable += `${text.slice(readable.length, value)}{${" ".repeat(written.length - 2)}}`;
    const at = problem.line === undefined ? undefined : line + problem.line;
    broken.set(value, { stop: value + written.length, problem: { ...problem, line: at } });
  }
  const source = parseSource(readable + text.slice(readable.length));
  return broken.size === 0 || isProblem(source) ? undefined : withUnread(source, text, broken);
}

function withUnread(
  source: Source,
  text: string,
  broken: ReadonlyMap<number, { stop: number; problem: SyntaxProblem }>,
): Source | undefined {
  const unread = new Map<number, SyntaxProblem>();
  for (let node = 0; node < source.length; node++) {
    const found = source.kinds[node] === KIND.flowMapping ? broken.get(source.starts[node] as number) : undefined;
    if (found !== undefined && source.stop[node] === found.stop) unread.set(node, found.problem);
  }
  return unread.size === broken.size ? { ...source, text, unread } : undefined;
}

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = endOfLine(text, from); at < to; at = endOfLine(text, at + 1)) count++;
  return count;
}
