import { startOfLine } from "./lines.ts";
import { isBlockScalar, isProblem, isScalar, parseSource, type Source, scalarText, startOf } from "./source.ts";

/** A piece of text in the place of another. */
export interface Replacement {
  readonly start: number;
  readonly stop: number;
  readonly text: string;
}

/**
 * What a text without a last line break needs, where one is put behind it. To libyaml and its ports in Go and Python, and
 * so to kpt and Kubernetes, a block scalar that ends there has no line break at the end of its value; it would get one. Then
 * its header must say "-" (YAML 1.2.2, section 8.1.1.2). js-yaml adds the line break by itself, so that it cannot tell.
 */
export function preservedChomping(source: Source): Replacement | undefined {
  const { text } = source;
  const node = lastScalar(source);
  if (node === undefined || !isBlockScalar(source, node)) return undefined;
  const header = /[|>][-+0-9]*/g;
  header.lastIndex = startOf(source, node);
  const found = header.exec(text)?.[0] ?? "";
  const stop = header.lastIndex;
  const lastLine = startOfLine(text, text.length);
  if (lastLine < stop || found.includes("-")) return undefined;
  const value = scalarText(source, node) as string;
  // Readers differ about white space with no line of text before it: it is none here.
  if (!/^\n*$/.test(value) && lastValue(text.slice(0, lastLine)) !== value)
    return { start: stop - found.length, stop, text: `${found.replace("+", "")}-` };
  // A last line of white space is no content; kept and ended, it would be one line break more.
  return found.includes("+") ? { start: lastLine, stop: text.length, text: "" } : undefined;
}

function lastScalar(source: Source): number | undefined {
  for (let node = source.length - 1; node >= 0; node--) if (isScalar(source, node)) return node;
  return undefined;
}

function lastValue(text: string): string | undefined {
  const source = parseSource(text);
  const node = isProblem(source) ? undefined : lastScalar(source);
  return isProblem(source) || node === undefined ? undefined : scalarText(source, node);
}
