import fc from "fast-check";
import type { ValueMap } from "../../../src/core/resource.ts";

/** Strings that some reader takes for another type, and strings that some style cannot contain. */
export const awkward = [
  ..."2012-10-17,2012-10-17T08:09:10Z,yes,Yes,on,off,no,y,N,true,null,Null,~,0x1F,0o17,0b11,012,1e3,1E3,+1,-1,.5,1.,1.0".split(","),
  ..."1_000,12:30:00,190:20:30,.inf,-.INF,.nan,NaN,inf,=,<<,-,?,:,!,&,*,|,>,%,@,`,#,---,...,{},[],e3,_1,0".split(","),
  ..."a: b|a:|a #b|a# b|- a|? a|: a|!tag|&a|*a|[a|{a|a]|a}|a, b|'a'|\"a\"|it's|\\|\\n|%YAML|@a|---\na|...\na".split("|"),
  "", " ", "  ", " a", "a ", "a  b", "\t", "\ta", "a\t", "a\tb", "\n", "\n\n", "a\n", "a\n\n", "\na", "a\nb", "a\n\nb\n", "a \nb",
  "a\n b", " a\nb", "a\n\tb", "\ta\nb", "a\r\nb", "a\rb", "a\u0085b", "a\u2028b", "a\u2029b\n", "a\u0000b", "\u0007\u001b[31m",
  "\u007f", "\u0080", "\u00a0", "\u00adx", "\u200b", "\u202e", "\ufeff", "a\ufeffb\nc", "\ufffe", "\uffff", "\ue000", "\u{1f600}",
  "\u{1f600}\nx\n", "\u{10ffff}", "é", "日本語", "# a\nb", "- a\nb", "--- a\n---\n...\n", "a\n#b\n", "%a\nb\n", "x".repeat(3000),
  `${"word ".repeat(600)}end`, "k".repeat(100),
]; // biome-ignore format: one line a kind

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...awkward) },
  {
    weight: 3,
    arbitrary: fc.string({
      unit: fc.constantFrom(
        ..." \t\n\r:#-?,[]{}'\"\\&*!|>%@`=<~0123456789abeEnoxyYN._+/\u0085\u00a0\u2028\ufeff\u{1f600}é",
      ),
    }),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
);
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
);
/** A scalar value. */
export const scalar = fc.oneof({ weight: 4, arbitrary: text }, fc.boolean(), fc.constant(null), number);
// A key must be on one line of at most 1024 characters, including its escapes.
const key = text.map((text) => text.slice(0, 90).replace(/\p{Cs}/gu, ""));
const { tree } = fc.letrec<{ tree: unknown; map: unknown }>((tie) => ({
  tree: fc.oneof({ depthSize: "small" }, scalar, fc.array(tie("tree"), { maxLength: 4 }), tie("map")),
  map: fc.dictionary(key, tie("tree"), { maxKeys: 5, noNullPrototype: true }),
}));
/** Any mapping that a function may emit. */
export const document = fc.dictionary(key, tree, { maxKeys: 5, noNullPrototype: true }) as fc.Arbitrary<ValueMap>;
