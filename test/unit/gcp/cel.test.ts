import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateCel } from "../../../src/clouds/gcp/tokens/identity.ts";
import type { Any } from "../../helpers/cluster.ts";
import "../../helpers/seed.ts";
import { runs } from "../../helpers/effort.ts";

const variables = {
  assertion: {
    sub: "system:serviceaccount:ns:app",
    aud: ["openshift", "sts"],
    verified: true,
    count: 5,
    in: "x",
    "kubernetes.io": { namespace: "ns" },
  },
  google: { subject: "ns/app" },
};

const evaluated = (text: string): Any => {
  const result = evaluateCel(text, variables);
  return "value" in result ? result.value : "unknown";
};

describe("an expression", () => {
  it.each<[string, Any]>([
    ["assertion.sub", "system:serviceaccount:ns:app"],
    ["'a'", "a"],
    ["assertion.verified", true],
    ["assertion['kubernetes.io']['namespace']", "ns"],
    ["assertion.sub == 'system:serviceaccount:ns:app'", true],
    ['"x" == assertion.sub', false],
    ["google.subject == 'ns/app'", true],
    ["google.subject==assertion.sub", false],
    ["assertion['kubernetes.io'].namespace in ['a', 'ns']", true],
    ["'openshift' in assertion.aud", true],
    ["'openshift'in assertion.aud", true],
    ["'x' in assertion.aud", false],
    ["'x' in []", false],
    ["'x' in [ \"x\" , 'y' ]", true],
    ["assertion.in == 'x'", true],
    [" \n'a'\t==\r\n'a' ", true],
    // What is not supported, or fails.
    ["", "unknown"],
    ["assertion", "unknown"],
    ["assertion.missing", "unknown"],
    ["assertion.missing == 'x'", "unknown"],
    ["assertion.verified == 'true'", "unknown"],
    ["assertion.count == assertion.count", "unknown"],
    ["assertion.sub == assertion.aud", "unknown"],
    ["['a'] == ['a']", "unknown"],
    ["assertion.sub in assertion", "unknown"],
    ["assertion.sub in assertion.sub", "unknown"],
    ["assertion.aud in ['openshift']", "unknown"],
    ["assertion.subin['a']", "unknown"],
    ["assertion.sub != 'x'", "unknown"],
    ["'a' == 'a' && 'b' == 'b'", "unknown"],
    ["'a' == 'a' || true", "unknown"],
    ["!('a' == 'a')", "unknown"],
    ["('a' == 'a')", "unknown"],
    ["true", "unknown"],
    ["false", "unknown"],
    ["assertion.verified == true", "unknown"],
    ["assertion.sub == null", "unknown"],
    ["assertion.count == 5", "unknown"],
    ["assertion.sub.startsWith('system:')", "unknown"],
    ["assertion.sub.matches('.*')", "unknown"],
    ["has(assertion.sub)", "unknown"],
    ["attribute.x == 'y'", "unknown"],
    ["assertion.sub == 'a' ? 'b' : 'c'", "unknown"],
    ["assertion.aud[0] == 'openshift'", "unknown"],
    ["'a\\n' == 'a'", "unknown"],
    ["'it\\'s' == 'a'", "unknown"],
    ["r'a' == 'a'", "unknown"],
    ["'''a''' == 'a'", "unknown"],
    ["'a' == 'a' // comment", "unknown"],
    ["'a' = 'a'", "unknown"],
    ["'x' in ['x',]", "unknown"],
    ["'x' in [,]", "unknown"],
    ["['a' 'b'] == 'a'", "unknown"],
    ["__proto__.a == 'x'", "unknown"],
    ["assertion.constructor == 'x'", "unknown"],
    ["assertion.__proto__.sub == 'x'", "unknown"],
  ])("%s is %s", (text, expected) => {
    expect(evaluated(text)).toBe(expected);
  });

  it("says what it does not know", () => {
    expect(evaluateCel("assertion.email == 'x'", variables)).toEqual({ problem: '"email" is missing' });
    expect(evaluateCel("attribute.x == 'x'", variables)).toEqual({ problem: '"attribute" is not known here' });
    expect(evaluateCel("assertion.count == 'x'", variables)).toEqual({
      problem: "it compares values of other types than texts",
    });
    expect(evaluateCel("1 == 1", variables)).toEqual({ problem: "it contains something that is not supported here" });
  });

  it.each([
    ["too long", `'${"a".repeat(4096)}' == 'a'`],
    ["of many fields", `assertion${".a".repeat(2000)}`],
    ["of many lists", `${"[".repeat(2000)}${"]".repeat(2000)} == []`],
    ["of many texts", `'a' in [${"'a',".repeat(1000)}]`],
    ["of many blanks", `'a'${" ".repeat(4000)}x`],
  ])("that is %s is unknown, in bounded time", (_, text) => {
    expect(evaluated(text)).toBe("unknown");
  });

  it("is unknown or has a value, whatever its text", () => {
    const parts = [
      "assertion",
      ".sub",
      "[",
      "]",
      "(",
      ")",
      "'a'",
      '"',
      "\\",
      "&&",
      "||",
      "!",
      "==",
      "in",
      ",",
      " ",
      "x",
    ];
    const texts = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...parts)).map((list) => list.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(Object.keys(evaluateCel(text, variables))).toHaveLength(1);
      }),
      { numRuns: runs(300) },
    );
  });
});
