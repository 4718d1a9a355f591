import fc from "fast-check";
import { expect, it } from "vitest";
import { compacted } from "../../../src/diff/lines.ts";

it("permissions that are more or less in the same way share lines", () => {
  expect(
    compacted([
      "+ permission a.b on /x/*",
      "+ permission a.c on /x/*",
      "- permission a.d on /x/*",
      "+ s3:Get  # with a note",
      "+ s3:Put",
      "+ s3:List",
      '+ spec.scopes[]: "a"',
      '+ spec.scopes[]: "b c"',
    ]),
  ).toEqual([
    "+ permissions a.b, a.c on /x/*",
    "- permission a.d on /x/*",
    "+ s3:Get  # with a note",
    "+ s3:Put, s3:List",
    '+ spec.scopes[]: "a", "b c"',
  ]);
});

it("no permission is lost, added, or moved to another side", () => {
  const line = fc
    .tuple(
      fc.constantFrom("+", "-"),
      fc.constantFrom("a:b", "service:LongNameOfAnAction", "c.d.*"),
      fc.constantFrom("", " on x"),
    )
    .map(([sign, name, end]) => `${sign} permission ${name}${end}`);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const read = compacted(lines)
        .join(" ")
        .split(/ (?=[+-] )/)
        .flatMap((text) => {
          const [, sign, names = "", end = ""] = /^([+-]) permissions? (.*?)( on x)?$/.exec(text) ?? [];
          return sign === undefined ? [] : names.split(/, +/).map((name) => `${sign} permission ${name}${end}`);
        });
      expect(read).toEqual(lines);
    }),
  );
});
