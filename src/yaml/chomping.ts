import { startOfLine } from "./lines.ts";
import { isBlockScalar, isProblem, isScalar, parseSource, type Source, scalarText, startOf } from "./source.ts";

/** A piece of text that replaces another. */
export interface Replacement {
  readonly start: number;
  readonly stop: number;
  readonly text: string;
}

/**
 * The replacement that keeps the last value unchanged when a line break is added to a text without one at its end. In
 * libyaml and its ports in Go and Python, and so in kpt and Kubernetes, the value of a block scalar that ends there has
 * no line break at its end, and would get one. To prevent that, its header needs a "-" (YAML 1.2.2, section 8.1.1.2).
 * js-yaml always adds the line break, so it cannot show the difference.
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
  // Readers differ about white space without a line of text before it. Here, it is not part of the value.
  if (!/^\n*$/.test(value) && lastValue(text.slice(0, lastLine)) !== value)
    return { start: stop - found.length, stop, text: `${found.replace("+", "")}-` };
  // A last line of white space is not content. If it were kept and ended, it would add a line break.
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
