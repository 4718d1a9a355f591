import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { EVENT_ID, type Event, getScalarValue } from "js-yaml";
import { describe, expect, test } from "vitest";
import { nodesFromBlockText } from "../../../src/yaml/fast/from-block-text.ts";
import { nodesFromEvents } from "../../../src/yaml/from-events.ts";
import * as KIND from "../../../src/yaml/kind.ts";
import { ENCODED } from "../../../src/yaml/nodes.ts";
import { isProblem, parseSource, scalarText } from "../../../src/yaml/source.ts";
import { runs as effort } from "../../helpers/effort.ts";
import { alone, byJsYaml, holds, rows, scattered, stacks, withChanges } from "./block-text-law.ts";
import { resourceLists } from "./documents.ts";
import { hostile } from "./fakes.ts";
import { mutations } from "./mutations.ts";

/*
 * The law of the reader of block text: it returns the same rows as js-yaml, and does not read text that js-yaml
 * refuses. Which texts it reads only affects speed. The two tables list which texts it should read, and which it should
 * not.
 */

const runs = effort(100, 15);

/**
 * Lines, each one space further right than the previous line. With a second text, each is followed by a line in its
 * column.
 */
function levels(count: number, text: string, below?: string): string {
  const columns = Array.from({ length: count }, (_, column) => " ".repeat(column));
  const back = below === undefined ? [] : columns.toReversed().map((pad) => `${pad}${below}\n`);
  return [...columns.map((pad) => `${pad}${text}\n`), ...back].join("");
}

const read: readonly (readonly [what: string, text: string])[] = [
  ["a pair", "a: b\n"],
  ["pairs", "a: b\nc: d\ne: f\n"],
  ["mappings in mappings", "a:\n  b:\n    c: d\n  e: f\ng: h\n"],
  ["a mapping one space further right", "a:\n b:\n  c: d\ne: f\n"],
  ["a mapping far to the right", "a:\n        b: c\n        d: e\nf: g\n"],
  ["several mappings that end at once", "a:\n  b:\n    c:\n      d: e\nf: g\n"],
  ["a list", "- a\n- b\n- c\n"],
  ["a list in the column of its key", "a:\n- b\n- c\nd: e\n"],
  ["a list in the column of its key, at the end", "a: b\nc:\n- d\n- e\n"],
  ["lists in the columns of their keys, in lists", "a:\n- b:\n  - c\n  - d\n- e:\n  - f\ng: h\n"],
  ["a list further right than its key", "a:\n  - b\n  - c\nd: e\n"],
  ["a list one space further right than its key", "a:\n - b\n - c\nd: e\n"],
  ["a list far to the right", "a:\n        - b\n        - c\nd: e\n"],
  ["a list below a dash", "-\n  - a\n  - b\n- c\n"],
  ["a list below a dash, one space further right", "-\n - a\n- b\n"],
  ["a mapping below a dash", "-\n  a: b\n  c: d\n- e: f\n"],
  ["a mapping below a dash, one space further right", "-\n a: b\n- c\n"],
  ["a mapping below a dash with a comment", "- # c\n  a: b\n  c: d\n"],
  ["a list in a list", "- - a\n  - b\n- - c\n- d\n"],
  ["lists in lists", "- - - a\n    - b\n  - - c\n- d\n"],
  ["a list in a list, further right", "-   - a\n    - b\n- c\n"],
  ["mappings in a list in a list", "- - a: b\n    c: d\n  - e: f\n- g\n"],
  ["a list in a list in a mapping", "a:\n- - b\n  - c\n-\n  - d\ne: f\n"],
  ["mappings in a list", "- a: b\n- c: d\n  e: f\n  g: h\n- i\n"],
  ["mappings in a list whose first values are below", "- a:\n    b: c\n  d:\n    - e\n- f:\n  - g\n- h\n"],
  ["several spaces behind a dash", "-    a\n-  b\n-   c: d\n    e: f\n-     'g'\n-  []\n-   |\n  h\n"],
  ["an empty value", "a:\nb:\nc: d\n"],
  ["an empty value at the end", "a: b\nc:\n"],
  ["nothing but an empty value", "a:\n"],
  ["an empty value with spaces", "a:   \nb: \n"],
  ["an empty value with a comment", "a: # c\nb:   # d\ne: f\n"],
  ["an empty value with a comment at the end", "a: b\nc: # d\n"],
  ["empty values of quoted keys", "'a':\n\"b\":\n"],
  ["an empty value at the end of a mapping", "a:\n  b:\nc: d\n"],
  ["empty values in a list", "- a:\n- b:\n  c:\n- d\n"],
  ["an empty value with a comment below", "a:\n  # c\nb: d\n"],
  ["an empty entry", "-\n- a\n-\n-\n- b\n"],
  ["an empty entry at the end", "- a\n-\n"],
  ["nothing but an empty entry", "-\n"],
  ["an empty entry with spaces", "-  \n-   \n- a\n"],
  ["an empty entry with a comment", "- # c\n-   # d\n- a\n"],
  ["an empty entry with a comment at the end", "- a\n- # c\n"],
  ["empty entries of a list in a list", "- -\n  -\n-\n"],
  ["empty entries of a list in the column of its key", "a:\n-\n- b\n-\nc: d\n"],
  ["comments at the start", "# a\n\n  # b\nc: d\n"],
  ["comments at the end", "a: b\n# c\n\n  # d\n# e\n"],
  ["comments between pairs", "a: b\n# c\nd: e\n#\nf:\n# g\n  h: i\n  # j\n  k: l\n# m\nn: o\n"],
  ["comments between entries", "- a\n# b\n- c\n-\n# d\n-\n    # e\n  - f\n  # g\n  - h\n"],
  ["comments in the column of a list", "a:\n  # b\n  - c\n  # d\n  - e: f\n  # g\n"],
  ["comments further left", "a:\n  b:\n# c\n # d\n    e: f\n  # g\n# h\n    i: j\n"],
  ["comments behind values", "a: b # c\nd: 'e' # f\ng: \"h\"   # i\nj: [] # k\nl: {} # m\n"],
  ["comments behind entries", "- a # b\n- 'c'  # d\n- [] # e\n- {} # f\n"],
  ["comments without a space before their text", "a: b #c\nd: #e\n#f\n"],
  ["comments that go on below a value", "a: b # c\n     # d\n     # e\nf: g\n"],
  ["comments that go on below an entry", "- a # b\n    # c\n- d\n"],
  ["a comment below a quoted value, further right", "a: 'b'\n    # c\nd:\n  e: \"f\"\n   # g\n"],
  ["a comment below a quoted entry, further right", "- 'a'\n    # b\n- \"c\"\n  # d\n"],
  ["a comment below brackets, further right", "a: []\n    # c\nb: {}\n  # d\n"],
  ["a comment below an empty value, further right", "a:\n    # c\nb:\n  # d\n"],
  ["a comment below a value, in the column of its key", "a:\n  b: c\n  # d\n  e: f\n"],
  ["a comment below an entry, in the column of its dash", "- a\n# b\n- c: d\n# e\n  # f\n- g\n"],
  ["comments below a value, the first of them further left", "a:\n  b: c\n # d\n      # e\n  f: g\n"],
  ["comments that look like something else", "#a: b\n# - c\n#--- d\na: b # 'c\" [{\n"],
  ["comments with tabs", "a: b # c\td\n#\te\ne: |  # f\tg\n  h\n"],
  ["blank lines", "\n\na: b\n\nc:\n\n  d: e\n\n\nf: g\n\n\n"],
  ["blank lines in lists", "- a\n\n- b\n\n-\n\n  c: d\n-\n\n- e\n\n"],
  ["blank lines with spaces", "  \na: b\n \nc:\n      \n  d: e\n   \n"],
  ["blank lines with spaces in lists", "   \n- a\n     \n- b:\n        \n    c: d\n-\n \n"],
  ["values with spaces", "a: b c\nd: e  f   g\nh: i j k l\n"],
  ["entries with spaces", "- a b\n- c  d   e\n"],
  ["keys with spaces", "a b: c\nd  e f: g\n"],
  ["spaces behind values", "a: b  \nc: d e \nf: 'g' \nh: []  \n"],
  ["spaces behind entries", "- a  \n- b c \n- 'd' \n- {}  \n"],
  ["values with colons", "a: b:c\nd: http://e.example:443/f\ng: h::i\nj: k:'l'\nm: n:#o\n"],
  ["entries with colons", "- a:b\n- c::d\n- e:f: g\n- h:i\n"],
  ["keys with colons", "a:b: c\narn:aws:iam::1:role/a: d\nhttp://e.example: f\na:#b: c\ng:: h\n"],
  ["values with number signs", "a: b#c\ne: f##g#\nh: i# j\n"],
  ["keys with number signs", "a#b: c\nd# : e\nf#: g\n"],
  ["values with dashes at the start", "a: -b\nc: --- d\ne: -1\nf: --\ng: ---\n"],
  ["keys with dashes at the start", "-a: b\n--c: d\n-: e\n"],
  ["entries with dashes at the start", "- -a\n- --\n- --- b\n- -c: d\n- ---\n"],
  ["keys that look like markers, further right", "a:\n  ---b: c\n  --- d: e\n  ...: f\n  ... g: h\n"],
  ["signs in plain scalars", "a: b&c*d!e|f>g'h\"i%j@k`l\nm: n, o\np: q[r]{s}\nt: u?v\nw: x \\ y\n"],
  ["signs between words of plain scalars", "a: b & c * d ! e | f > g % h @ i ` j\nk: l - m , n ? o ' p \" q\n"],
  ["signs in plain keys", "a&b*c!d|e>f%g@h: i\nj, k: l\nm[n]{o}: p\nq?: r\nit's: s\n"],
  ["plain scalars of one character", "a: 1\nb: ~\nc: .\nd: =\ne: +\nf: /\ng: ;\nh: <\ni: ^\nj: (\nk: \\\nl: $\n"],
  ["plain scalars with points at the start", "a: ...\nb: .5\n.c: d\ne: ..\n..f: g\n"],
  ["plain scalars that are not strings", "a: true\nb: null\nc: 0x1f\nd: 2012-10-17\n<<: e\n=: f\n1: g\n"],
  ["quoted keys", "'a': b\n\"c\": d\n'': e\n\"\": f\n'g h': i\n'j: k': l\n\"#m\": n\n"],
  ["quoted keys with escapes", '\'it\'\'s\': a\n"b\\n": c\n"\\"": d\n"\\\\": e\n'],
  ["quoted keys in lists", "- 'a': b\n  \"c\": d\n- \"e\":\n    'f': g\n"],
  ["spaces before a colon", "a : b\nc   : d\n'e' : f\n\"g\"   : h\ni :\n'j' :\n"],
  ["spaces before a colon in lists", "- a : b\n  c   : d\n- 'e' : f\n- \"g\"   :\n"],
  ["several spaces behind a colon", "a:   b\nc:    'd'\ne:   []\nf:   |\n  g\n"],
  ["single quotes", "a: 'b'\nc: 'd e'\nf: ''\ng: ' h '\ni: 'j: k # l'\nm: '- n'\n"],
  ["single quotes with quotes", "a: 'it''s'\nb: ''''\nc: ''''''\nd: '''e'\nf: 'g'''\nh: 'i\"j'\n"],
  ["single quotes with backslashes", "a: 'b\\c'\nd: '\\'\ne: 'f\\\\'\ng: '\\x'\n"],
  ["single quotes in lists", "- 'a'\n- ''\n- 'b''c'\n- 'd: e'\n"],
  ["double quotes", 'a: "b"\nc: "d e"\nf: ""\ng: " h "\ni: "j: k # l"\nm: "- n"\no: "it\'s \'\'"\n'],
  ["double quotes with escapes", 'a: "\\""\nb: "\\\\"\nc: "d\\ne"\nf: "\\\\\\""\ng: "\\\\n"\nh: "\\"i\\""\n'],
  ["every escape of one character", Array.from('0abtnvfre "/\\N_LP', (text) => `- "a\\${text}b"\n`).join("")],
  ["double quotes in lists", '- "a"\n- ""\n- "b\\n"\n- "d: e"\n'],
  ["quotes with and without escapes in turn", "- 'a''b'\n- c\n- \"d\\n\"\n- 'e'\n- 'f''g': h\n- \"i\": \"j\"\n"],
  ["quotes with tabs", "a: 'b\tc'\nd: \"e\tf\"\n'\t': \"\t\"\n"],
  ["a literal", "a: |\n  b\n  c\nd: e\n"],
  ["a literal at the end", "a: |\n  b\n  c\n"],
  ["a literal that is stripped", "a: |-\n  b\nc: d\n"],
  ["a literal that is kept", "a: |+\n  b\n\nc: d\n"],
  ["a folded scalar", "a: >\n  b\n  c\nd: e\n"],
  ["a folded scalar that is stripped", "a: >-\n  b\n  c\n"],
  ["a folded scalar that is kept", "a: >+\n  b\n\n\nc: d\n"],
  ["block scalars with comments behind their indicators", "a: | # b\n  c\nd: >-   # e\n  f\ng: |+ #\n  h\n"],
  ["block scalars with spaces behind their indicators", "a: |  \n  b\nc: >- \n  d\n"],
  ["block scalars with blank lines", "a: |\n  b\n\n  c\n \n  d\n    \n  e\nf: >\n  g\n\n\n  h\n"],
  ["block scalars with blank lines behind", "a: |\n  b\n\n\nc: >-\n  d\n \ne: |+\n  f\n    \ng: h\n"],
  ["block scalars with blank lines at the end", "a: |\n  b\n\n\n"],
  ["block scalars with longer blank lines at the end", "a: |+\n  b\n      \n  \n \n"],
  ["block scalars with lines further right", "a: |\n  b\n    c\n   d\n  e\nf: >\n  g\n      h\n\n  i\n"],
  ["block scalars with spaces at the ends of lines", "a: |\n  b  \n  c \nd: >\n  e  \n"],
  ["block scalars with lines like keys", "a: |\n  b: c\n  - d\n  'e': f\ng: >\n  h:\n    i\n"],
  ["block scalars with lines like comments", "a: |\n  # b\n  c\n  #\nd: >-\n  # e\n# f\ng: h\n"],
  ["block scalars with lines like markers", "a: |\n  ---\n  ...\n  --- b\nc: >\n  ---\nd: e\n"],
  ["block scalars with lines like brackets and quotes", "a: |\n  [b\n  'c\n  \"d\n  }\n  &e *f !g %h @i `j\n"],
  ["block scalars with tabs", "a: |\n  b\tc\n  \td\n  e\t\nf: >\n  g\n  \t\n  h\n"],
  ["block scalars far to the right", "a: |\n        b\n        c\nd: e\n"],
  ["block scalars one space to the right", "a: |\n b\n c\nd:\n  e: >\n   f\n  g: h\n"],
  ["block scalars in lists", "- |\n  a\n- >-\n  b\n\n- |+\n c\n- d\n"],
  ["block scalars in lists in the columns of their keys", "a:\n- |\n b\n- >\n  c\nd: e\n"],
  ["block scalars in lists in lists", "- - |\n    a\n  - >\n      b\n- c\n"],
  ["block scalars in mappings in lists", "- a: |\n    b\n  c: >-\n   d\n- e: |\n      f\n- g\n"],
  ["block scalars deep down", "a:\n  b:\n    - c: |\n        d\n\n        e\n      f: g\nh: i\n"],
  ["block scalars that end several collections", "a:\n  - b:\n      c: |\n        d\ne:\n  f: >\n    g\n\nh: i\n"],
  ["comments below block scalars", "a: |\n  b\n# c\n # d\ne: f\n"],
  ["comments below block scalars, at the end", "a:\n  b: |\n    c\n   # d\n# e\n"],
  ["a comment below a block scalar, further right than its key", "a: |\n    b\n  # c\nd: e\n"],
  ["empty brackets", "a: {}\nb: []\nc: { }\nd: [  ]\n"],
  ["empty brackets in lists", "- {}\n- []\n- { }\n- [ ]\n"],
  ["brackets with words", "a: [b, c]\nd: {e: f, g: h}\ni: [j]\nk: {l: m}\n"],
  ["brackets in lists", "- [a, b]\n- {c: d, e: f}\n- [[g]]\n"],
  ["brackets with spaces", "a: [ b , c ]\nd: { e : f , g:  h }\ni: [b,c]\nj: {k: l,m: n}\no: [p  ]  \n"],
  ["brackets in brackets", "a: [[], {}, [b, [c]], {d: [e]}]\nf: {g: {h: {}}, i: [j, {k: l}]}\n"],
  ["brackets with quotes", "a: ['b', \"c\", 'it''s', \"d\\n\"]\ne: {'f': 'g', \"h\": \"i\"}\nj: ['', \"\"]\n"],
  [
    "brackets with quotes with and without escapes in turn",
    "- ['a''b', c, \"d\\n\", e, 'f']\n- {'g''h': i, j: \"k\\\\\", l: m}\n",
  ],
  ["brackets with brackets in quotes", "a: [']', \"},\", '[{ # ']\ne: {'}': '{', \"a: b\": \"]\"}\n"],
  ["brackets with quoted keys and no space behind the colon", "a: {\"b\":c, 'd':'e', \"f\":[g], 'h' :\"i\"}\n"],
  ["brackets with words with spaces", "a: [b c, d  e f]\ng: {h i: j k}\n"],
  [
    "brackets with words with colons",
    "a: [b:c, s3:Get*, arn:aws:s3:a/*, d:*]\ne: {f:g: h:i}\nj: [12:30:00, k:-l, m:.n]\n",
  ],
  ["brackets with numbers and signs", "a: [1, 2.5, .5, /b, _c, d-e, f=g, h@i, j+k, l*]\nm: {n: 1, o: 2012-10-17}\n"],
  ["brackets behind quoted keys", "'a': [b]\n\"c\" : {d: e}\n"],
  ["brackets in mappings in lists", "- a: [b]\n  c: {d: e}\n- f\n"],
  ["characters that are not ASCII", "é: ñ\n日本: 語\na: 'é'\nb: \"ü\"\nc: |\n  é 日\nü: # é\nd: e # ñ\n"],
  // Ċ Ġ Ģ ģ ħ ĭ ĺ ļ ŝ Ž: their codes end in those of a line break, a space, `"`, `#`, `'`, `-`, `:`, `<`, `]` and `}`.
  [
    "characters whose codes end in those of others",
    "aĊb: cĠ ģd\nĭ e: ĺ f\nĺ: 'Ċħħ'\nĢ: \"ĢŜn\"\nħĊ: |\n  ĊĠĭ\n  ĠĊ\nx: # ĊĠ\ny: ļļ\n\u{10a0d}: \u{1f40a}\n",
  ],
  ["characters that are not ASCII, in lists", "- é\n- 日本 語\n- 'é'\n- é: ñ\n# 日\n"],
  ["astral characters", "a: \u{1f680}\n\u{1f600}: b\nc: '\u{1f680}'\nd: |\n  \u{1f680}\ne: f \u{1f680} # \u{1f600}\n"],
  [
    "the first and last characters that are printed",
    "a: \xa0\ud7ff\ue000\ufefe\uff00\ufffd\nb: \u{10000}\u{10ffff}\nc: x!~\n",
  ],
  [
    "spaces and line breaks that are none in YAML",
    "\xa0a: b\xa0\nc:\xa0d: e\n-\xa0f: \u2003g\u2028\nh: i\xa0#j\nk\u3000: l\n",
  ],
  ["long keys", `${"a".repeat(2000)}: b\n'${"c".repeat(2000)}': d\n`],
  ["a key twice", "a: b\na: c\nd: {e: f, e: g}\n"],
  ["lines of two characters, which have more rows than others", "-\n".repeat(200)],
  ["many levels one after the other", "- - {a: [b]}\n- [[c]]\n- d: e\n".repeat(40)],
];

const left: readonly (readonly [what: string, text: string])[] = [
  ["an empty text", ""],
  ["blank lines alone", "\n  \n"],
  ["comments alone", "# a\n  # b\n"],
  ["no line break at the end", "a: b"],
  ["no line break at the end, behind a dash", "- a\n-"],
  ["no line break at the end, behind a block scalar", "a: |\n  b"],
  ["no line break at the end, behind a comment", "a: b\n# c"],
  ["spaces at the end", "a: b\n  "],
  ["a plain scalar alone", "a\n"],
  ["a quoted scalar alone", "'a'\n"],
  ["a block scalar alone", "|\n  a\n"],
  ["brackets alone", "[a]\n"],
  ["brackets alone that are empty", "{}\n"],
  ["JSON", '{"a": "b"}\n'],
  ["JSON on several lines", '{\n  "a": [\n    "b"\n  ]\n}\n'],
  ["a mapping that is indented", "  a: b\n"],
  ["a list that is indented", " - a\n"],
  ["a mapping that is indented below a comment", "# a\n  b: c\n"],
  ["a marker of a document", "---\na: b\n"],
  ["a marker of a document with a comment", "--- # a\na: b\n"],
  ["a marker of a document with its content", "--- a\n"],
  ["a marker of a document that looks like a key", "--- a: b\n"],
  ["a marker of a document that looks like a key, in a text", "a: b\n--- c: d\n"],
  ["a marker of a document below a comment", "# a\n---\nb: c\n"],
  ["a marker of an end", "a: b\n...\n"],
  ["a marker of an end that looks like a key", "... a: b\n"],
  ["a marker of an end that looks like a key, in a text", "a: b\n... c: d\n"],
  ["a marker of an end at the start", "...\na: b\n"],
  ["several documents", "a: b\n---\nc: d\n"],
  ["several documents, behind a block scalar", "a: |\n  b\n---\nc: d\n"],
  ["several documents, behind an empty value", "a:\n---\nb: c\n"],
  ["several documents, behind an empty entry", "-\n---\n-\n"],
  ["a key that looks like a marker", "---a: b\n"],
  ["a directive", "%YAML 1.2\n---\na: b\n"],
  ["what looks like a directive", "a: b\n%c: d\n"],
  ["a closing bracket behind an anchor", "a: &b]\n"],
  ["a closing bracket behind a sign", "a: @b]\n"],
  ["closing brackets alone", "a: ]]\n"],
  ["an anchor", "a: &x b\n"],
  ["an anchor of a key", "&x a: b\n"],
  ["an anchor of a mapping", "a: &x\n  b: c\n"],
  ["an anchor of an entry", "- &x a\n"],
  ["an anchor of a list in a list", "- &x\n  - a\n"],
  ["an anchor in brackets", "a: [&x b]\n"],
  ["an alias", "a: &x b\nc: *x\n"],
  ["an alias that is a key", "- &x a\n- *x : b\n"],
  ["an alias of nothing", "- *x\n"],
  ["an alias in brackets", "a: [*x]\n"],
  ["a tag", "a: !!str b\n"],
  ["a tag of a key", "!!str a: b\n"],
  ["a tag of an entry", "- !x a\n"],
  ["a tag of an empty value", "a: !!null\n"],
  ["a tag in brackets", "a: [!!str b]\n"],
  ["a tag of a block scalar", "a: !!str |\n  b\n"],
  ["a plain value on two lines", "a: b\n  c\n"],
  ["a plain value below its key", "a:\n  b\n"],
  ["a quoted value below its key", "a:\n  'b'\n"],
  ["a plain entry on two lines", "- a\n  b\n"],
  ["a plain entry below its dash", "-\n  a\n"],
  ["a plain entry on two lines, the second with a dash", "- a\n - b\n"],
  ["a plain value on two lines, behind a blank one", "a: b\n\n  c\n"],
  ["a value in single quotes on two lines", "a: 'b\n  c'\n"],
  ["a value in double quotes on two lines", 'a: "b\n  c"\n'],
  ["a value in double quotes with a line break that is escaped", 'a: "b\\\n  c"\n'],
  ["a value in double quotes with single ones behind it", 'a: "b"\'c"\n'],
  ["brackets on two lines", "a: [b,\n  c]\n"],
  ["brackets on two lines, from the start", "a: [\n  b]\n"],
  ["brackets on two lines, to the end", "a: {b: c\n  }\n"],
  ["brackets with a comment inside", "a: [b, # c\n  d]\n"],
  ["brackets below their key", "a:\n  [b]\n"],
  ["brackets below their key that are a key", "a:\n  {}: b\n"],
  ["a comment below a plain value, further right", "a: b\n # c\n"],
  ["a comment below a plain value, further right than its key in a mapping", "a:\n  b: c\n    # d\n  e: f\n"],
  ["a comment below a plain value, further right, behind blank lines", "a: b\n\n   \n  # c\nd: e\n"],
  ["a comment below a plain value with spaces behind", "a: b  \n # c\n"],
  ["a comment below a plain entry, further right than its dash", "- a\n # b\n"],
  ["a comment below a plain value in a list, further right", "- a: b\n   # c\n"],
  ["a tag without a name above its value", "a: !\n  b\n"],
  ["an explicit indentation", "a: |2\n  b\n"],
  ["an explicit indentation of more than the text has", "a: |1\n   b\n"],
  ["an explicit indentation behind a sign", "a: >-2\n  b\n"],
  ["an explicit indentation before a sign", "a: |2-\n  b\n"],
  ["a block scalar with two signs", "a: |-+\n  b\n"],
  ["a block scalar with something else behind its indicator", "a: | b\n  c\n"],
  ["a block scalar with a comment that no space comes before", "a: |#b\n  c\n"],
  ["a block scalar with a tab behind its indicator", "a: |\t\n  b\n"],
  ["a block scalar that starts with an empty line", "a: |\n\n  b\n"],
  ["a block scalar that starts with a blank line", "a: |\n  \n  b\n"],
  ["a block scalar that starts with a longer blank line", "a: |\n    \n  b\n"],
  ["a block scalar that starts with a line of a tab", "a: |\n  \t\n  b\n"],
  ["a block scalar that starts with a tab", "a: |\n  \tb\n"],
  ["a block scalar without a line", "a: |\nb: c\n"],
  ["a block scalar without a line at the end", "a: |\n"],
  ["a block scalar without a line at the end of a list", "- >-\n"],
  ["a block scalar of an empty line", "a: |+\n\n"],
  ["a block scalar with a text in the column of its key", "a:\n  b: |\n  c\n"],
  ["a block scalar in a list with a text in the column of its dash", "- |\na: b\n"],
  ["a block scalar in a mapping in a list with a text in the column of the key", "- a: |\n  b\n"],
  ["a block scalar with a text further left than its key", "a:\n  b: |\n c\n"],
  ["a block scalar with a comment before its text", "a: |\n# b\n  c\n"],
  ["a block scalar with a line further left than its first", "a: |\n    b\n  c\n"],
  ["a block scalar with a tab further left", "a: |\n  b\n\tc\n"],
  ["a block scalar with a line of a tab further left", "a: |\n  b\n \t\n  c\n"],
  ["a block scalar that is a key", "- | : a\n"],
  ["a tab before a key", "a:\n\tb: c\n"],
  ["a tab before an entry", "a:\n\t- b\n"],
  ["a tab behind a colon", "a:\tb\n"],
  ["a tab behind a colon of a quoted key", "'a':\tb\n"],
  ["a tab behind a colon and a space", "a: \tb\n"],
  ["a tab behind a colon that nothing follows", "a:\t\nb: c\n"],
  ["a tab before a colon", "a\t: b\n"],
  ["a tab before a colon of a quoted key", "'a'\t: b\n"],
  ["a tab behind a dash", "-\ta\n"],
  ["a tab behind a dash and a space", "- \ta\n"],
  ["a tab behind a dash that nothing follows", "-\t\n- a\n"],
  ["a tab in a plain value", "a: b\tc\n"],
  ["a tab in a plain key", "a\tb: c\n"],
  ["a tab behind a plain value", "a: b\t\n"],
  ["a tab behind a quoted value", "a: 'b'\t\n"],
  ["a tab behind brackets", "a: []\t\n"],
  ["a tab in brackets", "a: [b,\tc]\n"],
  ["a tab before a comment", "a: b\t# c\n"],
  ["a tab before a comment on a line of its own", "a: b\n\t# c\n"],
  ["a tab on a blank line", "a: b\n\t\nc: d\n"],
  ["a tab on the last line", "a: b\n\t\n"],
  ["a tab that is escaped", 'a: "\\\t"\n'],
  ["a carriage return", "a: b\r"],
  ["a carriage return in a text", "a: b\rc: d\n"],
  ["carriage returns with line feeds", "a: b\r\nc: d\r\n"],
  ["a carriage return in quotes", "a: 'b\rc'\n"],
  ["a carriage return in a comment", "a: b # c\rd: e\n"],
  ["a byte order mark", "\ufeffa: b\n"],
  ["a byte order mark in a text", "a: b\n\ufeffc: d\n"],
  ["a byte order mark in quotes", "a: '\ufeff'\n"],
  ["a character that is not printed", "a: b\x07c\n"],
  ["a character that is not printed in quotes", "a: '\x07'\n"],
  ["a character that is not printed in a comment", "a: b # \x07\n"],
  ["a character that is not printed in a block scalar", "a: |\n  b\x1b\n"],
  ["nothing as a character", "a: '\0'\n"],
  ["the last control character", "a: \x1f\n"],
  ["the character of deletion", "a: \x7f\n"],
  ["the next line", "a: b\x85c: d\n"],
  ["the last character of the second set of controls", "a: \x9f\n"],
  ["a noncharacter", "a: \ufffe\n"],
  ["another noncharacter", "a: \uffff\n"],
  ["half a character", "a: '\ud83d'\n"],
  ["the other half", "a: '\ude00'\n"],
  ["an explicit key", "? a\n: b\n"],
  ["an explicit key below another", "a: b\n? c\n: d\n"],
  ["an explicit key in brackets", "a: [? b : c]\n"],
  ["a question mark alone", "?\n"],
  ["a plain scalar with a question mark at the start", "a: ?b\n"],
  ["a value without a key", ": a\n"],
  ["a value without a key below another", "a: b\n: c\n"],
  ["a plain scalar with a colon at the start", "a: :b\n"],
  ["a key without a colon", "a: b\nc\n"],
  ["a key without a colon before another", "a\nb: c\n"],
  ["a quoted key without a colon", "a: b\n'c'\n"],
  ["a key without a space behind its colon", "a:b\n"],
  ["a quoted key without a space behind its colon", "'a':b\n"],
  ["a quoted key with a tab behind its colon", '"a":\t\n'],
  ["an entry below a pair", "a: b\n- c\n"],
  ["a pair below an entry", "- a\nb: c\n"],
  ["a pair below a list in a list", "- - a\n  b: c\n"],
  ["an entry below a value, in a column of its own", "a:\n  - b\n - c\n"],
  ["a key below a value, further right", "a: b\n  c: d\n"],
  ["a key below a quoted value, further right", "a: 'b'\n  c: d\n"],
  ["a key below brackets, further right", "a: []\n  c: d\n"],
  ["a key below a list, further right", "a:\n- b\n  c: d\n"],
  ["an entry below a value, further right", "a: b\n  - c\n"],
  ["an entry below an entry, further right", "- 'a'\n  - b\n"],
  ["an entry below a mapping in a list, in the column of its keys", "- a: b\n  - c\n"],
  ["an entry further left than the list", "  a:\n- b\n"],
  ["a key in a column that is nobody's", "a:\n    b: c\n  d: e\n"],
  ["an entry in a column that is nobody's", "a:\n    - b\n  - c\n"],
  ["a key in a column that is nobody's, behind a list", "a:\n    - b\n  c: d\n"],
  ["a key in a column that is nobody's, in a list", "-   a: b\n  c: d\n"],
  ["an entry in a column that is nobody's, in a list", "-   - a\n  - b\n"],
  ["a key in a column that is nobody's, behind a block scalar", "a:\n    b: |\n      c\n  d: e\n"],
  ["a key behind a value on its line", "a: b: c\n"],
  ["a key behind a quoted value on its line", "a: 'b': c\n"],
  ["a key behind an entry's on its line", "- a: b: c\n"],
  ["an entry behind a key on its line", "a: - b\n"],
  ["an empty entry behind a key on its line", "a: -\n"],
  ["an entry behind an entry's key on its line", "- a: - b\n"],
  ["a word behind a quoted value", "a: 'b' c\n"],
  ["a quoted value behind another", "a: 'b' 'c'\n"],
  ["a word behind a quoted key", "'a' b: c\n"],
  ["a word behind brackets", "a: [] b\n"],
  ["brackets behind brackets", "a: {}[]\n"],
  ["brackets that are a key", "[a]: b\n"],
  ["brackets that are a key in a list", "- {a: b}: c\n"],
  ["a comment behind a quoted value that no space comes before", "a: 'b'#c\n"],
  ["a comment behind brackets that no space comes before", "a: []#c\n"],
  ["a comment behind a key", "a # b: c\n"],
  ["a comment behind a quoted key", "'a' # b: c\n"],
  ["a quoted value that does not end", "a: 'b\n"],
  ["a quoted value that does not end, with a quote", "a: 'b''\n"],
  ["a quoted value in double quotes that does not end", 'a: "b\n'],
  ["a quoted value that ends with an escape", 'a: "b\\"\n'],
  ["a number as an escape", 'a: "\\x41"\n'],
  ["a longer number as an escape", 'a: "\\u00e9"\n'],
  ["the longest number as an escape", 'a: "\\U0001F600"\n'],
  ["an escape that is none", 'a: "\\c"\n'],
  ["an escape of a single quote", `a: "\\'"\n`],
  ["an escape that is none, in brackets", 'a: ["\\c"]\n'],
  ["a plain scalar with a sign at the start", "a: @b\n"],
  ["a plain scalar with a backtick at the start", "a: `b\n"],
  ["a plain scalar with a percent sign at the start", "a: %b\n"],
  ["a plain scalar with a comma at the start", "a: , b\n"],
  ["a plain scalar with a closing bracket at the start", "a: ]\n"],
  ["a plain scalar with a closing brace at the start", "a: }\n"],
  ["an entry with a number sign at the start", "- 'a'\n- #b: c\n  d\n"],
  ["brackets that do not end", "a: [b\n"],
  ["braces that do not end", "a: {b: c\n"],
  ["brackets that end twice", "a: [b]]\n"],
  ["brackets that end with a brace", "a: [b}\n"],
  ["braces that end with a bracket", "a: {b: c]\n"],
  ["brackets without a comma", "a: ['b' 'c']\n"],
  ["brackets with a comma at the end", "a: [b, ]\n"],
  ["braces with a comma at the end", "a: {b: c,}\n"],
  ["brackets with a comma at the start", "a: [, b]\n"],
  ["brackets with two commas", "a: [b,, c]\n"],
  ["brackets with a comma alone", "a: [,]\n"],
  ["brackets with a pair", "a: [b: c]\n"],
  ["brackets with a quoted pair", "a: ['b': c]\n"],
  ["brackets with a comment", "a: [b #c]\n]\n"],
  ["braces with a word", "a: {b}\n"],
  ["braces with words", "a: {b, c}\n"],
  ["braces with an empty value", "a: {b: }\n"],
  ["braces with an empty value and no space", "a: {b:}\n"],
  ["braces with an empty key", "a: {: b}\n"],
  ["braces with a quoted word", "a: {'b'}\n"],
  ["braces with a key in brackets", "a: {[b]: c}\n"],
  ["braces with a key and no space behind its colon", "a: {b:'c'}\n"],
  ["braces with a key and no space behind its colon, in double quotes", 'a: {b:"c"}\n'],
  ["braces with a key and a colon that starts a word", "a: {b :c}\n"],
  ["braces with a key and a colon that starts a word, in quotes", "a: {b :'c'}\n"],
  ["braces with two colons", "a: {b: c: d}\n"],
  ["braces with two colons in a row", "a: {b:: c}\n"],
  ["braces with a block scalar", "a: {b: |}\n"],
  ["brackets with a word with a number sign", "a: [b#c]\n"],
  ["brackets with a dash", "a: [-]\n"],
  ["brackets with an entry", "a: [- b]\n"],
  ["brackets with a marker of a document", "a: [--- b]\n"],
  ["more levels than js-yaml reads", `${"- ".repeat(200)}a\n`],
  ["so many levels that a stack would not do", `${"- ".repeat(50_000)}a\n`],
];

/** A text as the value of a key, and as the entry of a list, starting at its dash. */
function deeper(text: string): string[] {
  const indented = text.replace(/^(?=.)/gm, "  ");
  return [
    `k:\n${indented}l: m\n`,
    `-\n${indented}- m\n`,
    ...(/^[ #\n]/.test(text) ? [] : [`- ${indented.slice(2)}- m\n`]),
  ];
}

describe("a text in the usual form", () => {
  test.each(read)("is read as js-yaml reads it: %s", (_what, text) => {
    expect(holds(text)).toBe(true);
  });

  test.each(read)("is also read when nested: %s", (_what, text) => {
    for (const one of deeper(text)) expect(holds(one)).toBe(true);
  });
});

describe("levels", () => {
  const forms: readonly (readonly [what: string, ofLevels: (count: number) => string])[] = [
    ["lists on one line", (count) => `${"- ".repeat(count)}a\n- b\n`],
    ["lists on one line, and a mapping", (count) => `${"- ".repeat(count)}a: b\n- c\n`],
    ["lists", (count) => `${levels(count, "-")}- a\n`],
    ["mappings", (count) => `${levels(count, "a:")}b: c\n`],
    ["mappings, with a value in each", (count) => `${levels(count, "a:", "b: c")}d: e\n`],
    ["brackets", (count) => `- ${"[".repeat(count - 1)}${"]".repeat(count - 1)}\n- a\n`],
    ["braces", (count) => `- ${"{a: ".repeat(count - 1)}b${"}".repeat(count - 1)}\n- c\n`],
    [
      "mappings, and brackets in them",
      (count) => `${levels(count, "a:")}${" ".repeat(count)}b: ${"[".repeat(count)}${"]".repeat(count)}\n`,
    ],
  ];

  test.each(forms)("of %s: enough are read for any object, and no more than js-yaml reads", (_what, ofLevels) => {
    const counts = Array.from({ length: 150 }, (_, index) => index + 1).filter((count) => holds(ofLevels(count)));
    expect(counts).toEqual(Array.from({ length: counts.length }, (_, index) => index + 1));
    expect(counts.length).toBeGreaterThanOrEqual(30);
    expect(counts.length).toBeLessThanOrEqual(50);
  });
});

test("the deepest level that is read follows the same rules as the others", () => {
  const keys = Array.from({ length: 40 }, (_, level) => `${" ".repeat(level)}a:`).join("\n");
  const text = `${keys} b\n${" ".repeat(39)}c: d\ne: f\n`;
  const nodes = nodesFromBlockText(text);
  expect(nodes && rows(nodes)).toEqual(rows(nodesFromEvents(text, byJsYaml(text))));
});

describe("a text in any other form", () => {
  test.each(left)("is not read, but passed to js-yaml: %s", (_what, text) => {
    expect(nodesFromBlockText(text)).toBeUndefined();
  });

  test("does not hide a bug", () => {
    const broken = { endsWith: () => true, toString: () => "a: b\n" } as unknown as string;
    expect(() => nodesFromBlockText(broken)).toThrow(TypeError);
  });
});

/*
 * Random texts consist of small pieces: most texts that two readers see differently are a few characters long.
 */

const testdata = new URL("../../../testdata/", import.meta.url);

/** The texts of the golden cases and of testdata/hostile. */
const inputs: readonly string[] = [
  ...readdirSync(testdata, { recursive: true, encoding: "utf8" })
    .filter((name) => /\/(?:input|expected)\.yaml$/.test(name))
    .sort()
    .map((name) => readFileSync(new URL(name, testdata), "utf8")),
  ...hostile.map(([, text]) => text),
];

const short = fc.constantFrom(...[...read, ...left].map(([, text]) => text).filter((text) => text.length < 200));
const bytes = inputs.map((text) => Buffer.from(text));

/** Random texts, with the number of runs relative to other properties, and the least share that must be read. */
const random: readonly (readonly [what: string, texts: fc.Arbitrary<string>, times: number, share: number])[] = [
  ["lines in the usual form", stacks, 20, 0.9],
  ["lines in the usual form, with small changes", withChanges(stacks), 30, 0.2],
  ["lines of small pieces", scattered, 20, 0.01],
  ["texts of each form, with small changes", withChanges(fc.constantFrom(...read.map(([, text]) => text))), 20, 0.2],
  ["two texts, one behind the other", withChanges(fc.tuple(short, short).map((two) => two.join(""))), 10, 0.01],
  ["two texts, one in the other", withChanges(fc.tuple(short, short).map(([a, b]) => `${deeper(a)[0]}${b}`)), 10, 0.01],
  ["ResourceLists in any style", resourceLists, 2, 0],
  ["golden cases, with small changes", withChanges(fc.constantFrom(...inputs)), 1, 0.1],
  [
    "golden cases, with changes that transport, people and attackers make",
    fc
      .tuple(fc.constantFrom(...bytes), mutations)
      .map(([seed, all]) => all.reduce<Buffer>((before, mutation) => mutation(before, bytes), seed).toString("utf8")),
    1,
    0.1,
  ],
];

describe.each(random)("%s", { timeout: 7_200_000 }, (_what, texts, times, share) => {
  test("are read as js-yaml reads them, or not at all", () => {
    fc.assert(
      fc.property(texts, (text) => {
        holds(text);
      }),
      { numRuns: runs * times },
    );
  });

  test("are read often enough for the law to be tested", () => {
    const all = fc.sample(texts, 300);
    const some = all.filter((text) => nodesFromBlockText(text) !== undefined);
    expect(some.length).toBeGreaterThanOrEqual(share * all.length);
  });
});

test("the golden cases are read as js-yaml reads them, and most of them are read", () => {
  expect(inputs.filter(holds).length).toBeGreaterThan(inputs.length / 2);
  expect(alone(inputs).filter(holds).length).toBeGreaterThan(inputs.length);
});

/** The rows, computed only from the events, without the text. */
function told(events: readonly Event[]) {
  const open: number[] = [];
  const all = events.map((event) => ({ start: startOf(event), next: 0, isEnd: event.type === EVENT_ID.POP }));
  for (const [row, { type }] of events.entries()) {
    const isLeaf = type === EVENT_ID.SCALAR || type === EVENT_ID.ALIAS;
    if (!isLeaf && type !== EVENT_ID.POP) open.push(row);
    else Object.assign(all[isLeaf ? row : (open.pop() as number)] as object, { next: row + 1 });
  }
  return all;
}

function startOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  return "start" in event ? event.start : -1;
}

describe("a parsed text does not depend on the reader:", () => {
  const legible = [...read, ...left].flatMap(([what, text]) => {
    const source = parseSource(text);
    return isProblem(source) ? [] : [[what, source] as const];
  });

  test("both readers have texts", () => {
    expect(legible.length).toBeGreaterThan(read.length + 50);
  });

  test.each(legible)("%s", (_what, source) => {
    const { text } = source;
    const events = byJsYaml(text);
    expect(rows(source)).toStrictEqual(rows(nodesFromEvents(text, events)));
    expect(source).toMatchObject({ merges: text.includes("<<"), length: events.length });
    expect(source.events()).toStrictEqual(events);
    expect(source.events()).toBe(source.events());
  });

  test.each(legible)(
    "its rows are what js-yaml's events say: %s",
    (_what, { text, starts, next, kinds, ...source }) => {
      const events = byJsYaml(text);
      const seen = events.map((_event, row) => ({
        start: starts[row],
        next: next[row],
        isEnd: kinds[row] === KIND.end,
      }));
      expect(seen).toEqual(told(events));
      const encoded = events.flatMap((event, row) =>
        event.type === EVENT_ID.SCALAR && !event.fast && event.valueStart >= 0
          ? [[row, getScalarValue(text, event)] as const]
          : [],
      );
      expect(Array.from(source.encoded, ([row, decoded]) => [row, decoded()])).toEqual(encoded);
      const marked = events.flatMap((_event, row) => ((kinds[row] as number) > ENCODED ? [row] : []));
      expect(marked).toEqual(encoded.map(([row]) => row));
    },
  );

  test.each(legible)("its scalars have the values that js-yaml gives them: %s", (_what, source) => {
    const values = byJsYaml(source.text).map((event) =>
      event.type === EVENT_ID.SCALAR ? getScalarValue(source.text, event) : undefined,
    );
    expect(values.map((_value, row) => scalarText(source, row))).toEqual(values);
  });
});
