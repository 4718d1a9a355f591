import { parseAround, type Unit } from "./parse-around.ts";
import { isProblem, parseSource, type Source, type SyntaxProblem } from "./source.ts";
import { endOfLine } from "./text.ts";

/**
 * Parses a text with more than one document. If the parser rejects a document, only that document is `unread` in the
 * result.
 */
export function parseDocuments(text: string): Source | SyntaxProblem {
  const source = parseSource(text);
  return isProblem(source) ? (parseAround(text, unitsOf(text)) ?? source) : source;
}

/**
 * The documents of a text that cannot be parsed, found by their marks. A line that begins with a mark is never inside a
 * document, not even inside an open scalar (YAML 1.2.2, rule 206, `c-forbidden`).
 */
function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let start = 0;
  let value: number | undefined;
  const end = (stop: number) => {
    if (value !== undefined && text.slice(value, stop).trim() !== "") units.push({ start, stop, value });
    start = stop;
    value = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const next = Math.min(endOfLine(text, at) + 1, text.length);
    const line = text.slice(at, next);
    const [, mark] = /^\ufeff?(---|\.\.\.)(?:[ \t\r\n]|$)/.exec(line) ?? [];
    if (mark === "---") {
      if (value !== undefined) end(at);
      value = firstOf(text, at + line.indexOf("---") + 3);
    } else if (mark === "...") {
      end(at);
      start = next;
    } else if (value === undefined && !/^\ufeff?(?:%|[ \t]*(?:#|$))/.test(line.trimEnd())) value = firstOf(text, at);
    at = next;
  }
  end(text.length);
  return units;
}

// The offset of the first character that is neither white space nor in a comment.
function firstOf(text: string, from: number): number {
  const blank = /(?:[ \t\ufeff]*(?:#[^\r\n]*)?(?:\r\n?|\n))*[ \t\ufeff]*/y;
  blank.lastIndex = from;
  blank.test(text);
  return blank.lastIndex;
}
