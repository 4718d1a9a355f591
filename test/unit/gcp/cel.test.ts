import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateCel } from "../../../src/clouds/gcp/tokens/cel/evaluate.ts";
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

describe("a condition", () => {
  it.each<[string, Any]>([
    ["true", true],
    ["!true", false],
    ["!!true", true],
    ["assertion.verified", true],
    ["assertion.verified == true", true],
    ["assertion.sub == 'system:serviceaccount:ns:app'", true],
    ['assertion.sub != "x"', true],
    ["google.subject == 'ns/app'", true],
    ["assertion['kubernetes.io']['namespace'] == 'ns'", true],
    ["assertion['kubernetes.io'].namespace in ['a', 'ns']", true],
    ["'openshift' in assertion.aud", true],
    ["'x' in assertion.aud", false],
    ["'x' in []", false],
    ["'x' in ['x',]", true],
    ["assertion.aud == ['openshift', 'sts']", true],
    ["assertion.aud == ['sts', 'openshift']", false],
    ["assertion.sub.startsWith('system:')", true],
    ["!assertion.sub.startsWith('system:')", false],
    ["assertion.sub.endsWith(':ap')", false],
    ["('a' + 'b') == 'ab'", "unknown"],
    // Comparisons group to the left; && is stronger than ||.
    ["'a' == 'a' == true", true],
    ["true || true && false", true],
    ["(true || true) && false", false],
    ["!false && false", false],
    [" \n'a'\t==\r\n'a' ", true],
    ["'it\\'s' == \"it's\"", true],
    ["\"a\\\\b\" == 'a\\\\b'", true],
    // One side decides, whatever the other is.
    ["false && assertion.missing == 'x'", false],
    ["assertion.missing == 'x' && false", false],
    ["true || assertion.count > 3", "unknown"],
    ["true || assertion.count == 'x'", true],
    ["assertion.missing == 'x' || true", true],
    ["assertion.missing == 'x' || false", "unknown"],
    ["!(assertion.missing == 'x')", "unknown"],
    // What is not supported, or fails.
    ["", "unknown"],
    ["assertion", "map"],
    ["assertion.missing", "unknown"],
    ["assertion.count == 5", "unknown"],
    ["assertion.count == assertion.count", "unknown"],
    ["assertion.sub == assertion.aud", "unknown"],
    ["assertion.sub in assertion", "unknown"],
    ["assertion.in == 'x'", "unknown"],
    ["assertion.sub.matches('.*')", "unknown"],
    ["assertion.sub.contains('ns')", "unknown"],
    ["assertion.sub.startsWith('a', 'b')", "unknown"],
    ["assertion.sub.size() == 3", "unknown"],
    ["has(assertion.sub)", "unknown"],
    ["attribute.x == 'y'", "unknown"],
    ["assertion.sub == 'a' ? true : true", "unknown"],
    ["assertion.aud[0] == 'openshift'", "unknown"],
    ["assertion.sub == null", "unknown"],
    ["'a\\n' == 'a'", "unknown"],
    ["r'a' == 'a'", "unknown"],
    ["'''a''' == 'a'", "unknown"],
    ["'a' == 'a' // comment", "unknown"],
    ["'a' = 'a'", "unknown"],
    ["'a' & 'a'", "unknown"],
    ["true true", "unknown"],
    ["(true", "unknown"],
    ["true)", "unknown"],
    ["['a' 'b'] == ['a']", "unknown"],
    ["[,] == []", "unknown"],
    ["!", "unknown"],
    ["__proto__ == __proto__", "unknown"],
    ["assertion.constructor == 'x'", "unknown"],
    ["'x' && true", "unknown"],
    ["!'x'", "unknown"],
  ])("%s is %s", (text, expected) => {
    const value = evaluated(text);
    expect(typeof value === "object" ? "map" : value).toBe(expected);
  });

  it("says what it does not know", () => {
    expect(evaluateCel("assertion.email == 'x'", variables)).toEqual({ problem: '"email" is missing' });
    expect(evaluateCel("attribute.x == 'x'", variables)).toEqual({ problem: '"attribute" is not known here' });
    expect(evaluateCel("assertion.sub.matches('x')", variables)).toEqual({
      problem: 'the function "matches" is not supported here',
    });
    expect(evaluateCel("assertion.count == 'x'", variables)).toEqual({
      problem: "it compares values of other types than texts",
    });
    expect(evaluateCel("1 == 1", variables)).toEqual({ problem: "it contains something that is not supported here" });
  });

  it.each([
    ["too long", `'${"a".repeat(4096)}' == 'a'`],
    ["too many parentheses", `${"(".repeat(2000)}true${")".repeat(2000)}`],
    ["too many negations", `${"!".repeat(4000)}true`],
    ["too many operators", `true${"||true".repeat(600)}`],
    ["too many fields", `assertion${".a".repeat(2000)}`],
    ["too many lists", `${"[".repeat(2000)}${"]".repeat(2000)} == []`],
  ])("that is %s is unknown, without a crash", (_, text) => {
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
