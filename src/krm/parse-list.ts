import { parseAround, type Unit } from "../yaml/parse-around.ts";
import { isProblem, parseSource, type Source, type SyntaxProblem } from "../yaml/source.ts";
import { endOfLine } from "../yaml/text.ts";

/**
 * Parses a list of resources. If the parser rejects an item, only that item is unread, provided that the list is
 * written as by kpt and kustomize: in block style, with the dashes of all items in one column.
 */
export function parseList(text: string): Source | SyntaxProblem {
  const source = parseSource(text);
  return isProblem(source) ? (parseAround(text, unitsOf(text), isWhole) ?? source) : source;
}

const maxBrackets = 50;
const farIn = " ".repeat(200);

/**
 * Whether the only problem with an item is closing brackets that are not indented enough, so that it parses with more
 * indentation. With any other problem, the next dash may be inside a quoted text, so the end of the item is uncertain.
 */
function isWhole(item: string): boolean {
  let indented = item;
  for (let count = 0; count < maxBrackets; count++) {
    const problem = parseSource(indented);
    if (!isProblem(problem)) return true;
    const at = startOfLineNumber(indented, problem.line ?? 1);
    if (!/^[ \t]*[\]}]/.test(indented.slice(at, at + farIn.length))) return false;
    indented = indented.slice(0, at) + farIn + indented.slice(at);
  }
  return false;
}

function startOfLineNumber(text: string, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number++) at = endOfLine(text, at) + 1;
  return at;
}

const itemsKey = /^items:[ \t]*(?:#.*)?(?:\r\n?|\n)/m;
const otherKey = /^["']?[A-Za-z]+["']?:(?:[ \t\r\n]|$)/;

function unitsOf(text: string): Unit[] {
  const key = itemsKey.exec(text);
  const first = key === null ? undefined : firstDash(text, key.index + key[0].length);
  if (first === undefined) return [];
  const { column } = first;
  const dash = new RegExp(`^ {${column}}-(?:[ \\t]+|[\\r\\n])`);
  const units: Unit[] = [];
  let open: { start: number; value: number } | undefined;
  const end = (stop: number) => {
    if (open !== undefined) units.push({ ...open, stop });
    open = undefined;
  };
  for (let at = first.start; at < text.length; ) {
    const next = Math.min(endOfLine(text, at) + 1, text.length);
    const line = text.slice(at, next);
    const mark = dash.exec(line);
    if (mark !== null) {
      end(at);
      open = { start: at, value: at + mark[0].length };
    } else if (otherKey.test(line)) {
      end(at);
      return units;
    }
    at = next;
  }
  end(text.length);
  return units;
}

function firstDash(text: string, from: number): { start: number; column: number } | undefined {
  for (let at = from; at < text.length; at = endOfLine(text, at) + 1) {
    const line = text.slice(at, endOfLine(text, at) + 1);
    const dash = /^( *)-[ \t\r\n]/.exec(line);
    if (dash !== null) return { start: at, column: (dash[1] as string).length };
    if (!/^[ \t]*(?:#|$)/.test(line.trimEnd())) return undefined;
  }
  return undefined;
}
