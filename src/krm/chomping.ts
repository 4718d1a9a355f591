import { EVENT_ID, getScalarValue, SCALAR_STYLE } from "js-yaml";
import { startOfLine } from "./lines.ts";
import { isProblem, parseSource, type Source, startOf } from "./source.ts";

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
export function keptChomping(source: Source): Replacement | undefined {
  const { text } = source;
  const node = source.events.findLastIndex(({ type }) => type === EVENT_ID.SCALAR);
  const event = source.events[node];
  if (event?.type !== EVENT_ID.SCALAR || event.style < SCALAR_STYLE.LITERAL_BLOCK) return undefined;
  const header = /[|>][-+0-9]*/g;
  header.lastIndex = startOf(source, node);
  const found = header.exec(text)?.[0] ?? "";
  const stop = header.lastIndex;
  const lastLine = startOfLine(text, text.length);
  if (lastLine < stop || found.includes("-")) return undefined;
  const value = getScalarValue(text, event);
  // Readers differ about white space with no line of text before it: it is none here.
  if (!/^\n*$/.test(value) && lastValue(text.slice(0, lastLine)) !== value)
    return { start: stop - found.length, stop, text: `${found.replace("+", "")}-` };
  // A last line of white space is no content; kept and ended, it would be one line break more.
  return found.includes("+") ? { start: lastLine, stop: text.length, text: "" } : undefined;
}

function lastValue(text: string): string | undefined {
  const source = parseSource(text);
  if (isProblem(source)) return undefined;
  const event = source.events.findLast(({ type }) => type === EVENT_ID.SCALAR);
  return event?.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : undefined;
}
