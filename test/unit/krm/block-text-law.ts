import fc from "fast-check";
import { parseEvents } from "js-yaml";
import { expect } from "vitest";
import { nodesFromBlockText } from "../../../src/yaml/fast/from-block-text.ts";
import { nodesFromEvents } from "../../../src/yaml/from-events.ts";
import type { Nodes } from "../../../src/yaml/nodes.ts";

/*
 * The law of the reader of block text: it returns the same rows as js-yaml, and does not read text that js-yaml
 * refuses. Also random texts and mutations of texts for which the law must hold.
 */

/** The events of js-yaml for a text. */
export const byJsYaml = (text: string) => parseEvents(text, { maxDepth: 100 });

/** The rows of a table, without its unused capacity. */
export function rows({ length, kinds, starts, ends, next, stop, encoded, properties }: Nodes) {
  const columns = Object.entries({ kinds, starts, ends, next, stop });
  const filled = Object.fromEntries(columns.map(([name, column]) => [name, column.subarray(0, length)]));
  const texts = Array.from(encoded, ([row, decoded]) => [row, decoded()]);
  return { length, ...filled, texts, properties };
}

/** Checks the law. Returns whether the reader accepted the text. */
export function holds(text: string): boolean {
  const nodes = nodesFromBlockText(text);
  if (nodes === undefined) return false;
  expect(rows(nodes)).toStrictEqual(rows(nodesFromEvents(text, byJsYaml(text))));
  return true;
}

const anyOf = (pieces: string) => fc.constantFrom(...pieces.split("`"));

const key = anyOf("a:`b:`'c':`\"d\" :`e f:`g:h:`i :`'j''k':`-l:`é:`<<:`Ċ:`ĭ :");
const scalar = anyOf(
  "x`two words`it's`k:v`c#d`-y`--`z  `'s'`'it''s'`'a: b'`''`\"d\"`\"e\\n\"`\"\\\\\"`\"\\\"\"`\"'\"`é`\u{1f600}`Ċ`Ġ ģ`ĭ`aĺ b`'ħ'`\"Ģ\"",
);
const brackets = anyOf("{}`[]`[a, b]`{a: b}`[[a], {b: [c d]}]`{'a':\"b\", c : d:e}`[ 'a''b' , c ]");
const header = anyOf("|`|-`|+`>`>-`>+`| # c`>-  ");
const content = anyOf("x`x`y z ```  `    `  more`# x`- x`x: y`---`\tx`'`\"`[");
const comment = anyOf("`````` ` # c`  #` #c: d");
const between = anyOf("```````\n`  \n`# c\n`  # c\n`\n      # c\n`#\n# c: d\n\n");

/** Pieces that are valid in any place, and pieces that are not. */
const piece = anyOf(
  "a`b: `c:`: `:` :`- `-`'`\"`''`\\`\\n`#` #`# `{`}`[`]`,`, `{a :b}`{a: b, c}`[a: b]`[a,]`{a:b}`?`? `~`.`/`*`&`*a`&a `!`!a `%`@`<<`>` `  `\t`---`--- `...`|`|2`>-`2`+`\n`\n `\n  `\r`\ufeff`\x85`\xa0`\u2028`\x07`\ud800",
);

/** A line of a collection: its indentation relative to the previous line, and its content. */
const line = fc.record({
  before: between,
  /** 4 or more: begins a collection below a key or dash without a value. Otherwise: how many collections end. */
  turn: fc.nat({ max: 9 }),
  width: fc.constantFrom(0, 1, 1, 1, 3, 5),
  isList: fc.boolean(),
  /** The collections that begin after a dash: whether each is a list. */
  behind: fc.array(fc.boolean(), { maxLength: 2 }),
  gap: fc.constantFrom(" ", " ", " ", "   "),
  key,
  value: fc.oneof(scalar, scalar, brackets, fc.constant(""), fc.constant("")),
  block: fc.option(fc.tuple(header, fc.array(content, { maxLength: 4 })), { freq: 5 }),
  comment,
});

/** Lines in the usual form: each in the column of an open collection, or of a collection that may begin there. */
export const stacks = fc.array(line, { minLength: 1, maxLength: 8 }).map((all) => {
  let open = [{ column: 0, isList: all[0]?.isList === true }];
  const last = () => open.at(-1) as (typeof open)[0];
  let mayBegin = false;
  let text = "";
  for (const { before, turn, width, isList, behind, gap, key: name, value, block, comment: end } of all) {
    if (mayBegin && turn > 3) open.push({ column: last().column + width + (isList && !last().isList ? 0 : 1), isList });
    else open = open.slice(0, Math.max(1, open.length - (turn % 4)));
    let start = " ".repeat(last().column);
    for (const inner of last().isList ? behind : []) {
      start += `-${gap}`;
      open.push({ column: start.length, isList: inner });
      if (!inner) break;
    }
    text += before + start + (last().isList ? "-" : name);
    mayBegin = block === null && value === "";
    if (block !== null) text += gap + blockText(block, " ".repeat(last().column + 1 + width));
    else text += `${mayBegin ? "" : gap + value}${end}\n`;
  }
  return text;
});

/** A block scalar, starting with its indicator. Only empty lines have no indentation. */
function blockText([indicator, contents]: [string, string[]], indentation: string): string {
  return [indicator, ...["# x", ...contents].map((text) => (text === "" ? "" : indentation + text)), ""].join("\n");
}

/** Independent lines. */
export const scattered = fc
  .array(
    fc.tuple(
      fc.constantFrom(0, 0, 0, 0, 2, 2, 4, 1, 3, 5, 6),
      fc.array(anyOf("- `a: `'b': `\"c\" : `d:`-"), { maxLength: 2 }),
      fc.array(fc.oneof(piece, key, scalar, scalar, brackets, header, comment), { maxLength: 2 }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((all) =>
    all.map(([column, marks, pieces]) => `${" ".repeat(column)}${marks.join("")}${pieces.join("")}\n`).join(""),
  );

/** One small change of a text. */
const change = fc
  .record({
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    count: fc.nat({ max: 3 }),
    put: fc.oneof(fc.constant(""), piece, key, scalar, brackets, header),
    whole: fc.boolean(),
  })
  .map(({ share, count, put, whole }) => (text: string): string => {
    const at = Math.floor(share * (text.length + 1));
    if (!whole) return text.slice(0, at) + put + text.slice(at + count);
    // Removes or adds a line.
    const start = text.lastIndexOf("\n", at - 1) + 1;
    const stop = count > 1 ? text.indexOf("\n", at) + 1 || text.length : start;
    return text.slice(0, start) + (put === "" ? "" : `${put}\n`) + text.slice(stop);
  });
const changes = fc.array(change, { maxLength: 3 });

/** The texts, and the single documents of those with more than one. */
export function alone(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [text, ...text.split(/^---.*\n/m)]);
}

/** Texts with small changes. */
export const withChanges = (texts: fc.Arbitrary<string>) =>
  fc.tuple(texts, changes).map(([text, all]) => all.reduce((before, one) => one(before), text));
