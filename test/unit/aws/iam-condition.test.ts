import { describe, expect, it } from "vitest";
import { meetsCondition } from "../../../src/clouds/aws/tokens/identity.ts";
import type { Value } from "../../../src/core/resource.ts";

const subject = "system:serviceaccount:ns:name";

/** The condition keys of a request, in lowercase. */
const request: Readonly<Record<string, readonly string[] | "unknown">> = {
  "h.example:sub": [subject],
  "h.example:aud": ["openshift"],
  "h.example:amr": ["mfa", "pwd"],
  "h.example:empty": [""],
  "h.example:letter": ["straße 𝒜"],
  "aws:sourceip": "unknown",
};

const answer = (block: Value | undefined) => meetsCondition(block, (key) => request[key] ?? []).answer;

const on = (operator: string, key: string, value: Value) => ({ [operator]: { [key]: value } });
const sub = (operator: string, value: Value) => on(operator, "h.example:sub", value);
const gone = (operator: string, value: Value) => on(operator, "h.example:gone", value);
const notEvaluated = (operator: string): [string, Value, "unknown"][] => [
  [operator, sub(operator, subject), "unknown"],
  [`${operator} without the key`, gone(operator, subject), "unknown"],
];

describe("a condition of IAM", () => {
  it.each<[string, Value | undefined, boolean | "unknown"]>([
    ["none", undefined, true],
    ["an empty one", {}, true],
    // Strings.
    ["StringEquals, the same", sub("StringEquals", subject), true],
    ["StringEquals, one of several", sub("StringEquals", ["x", subject]), true],
    ["StringEquals, none of several", sub("StringEquals", ["x", "y"]), false],
    ["StringEquals, another case", sub("StringEquals", subject.toUpperCase()), false],
    ["StringEquals, a wildcard is itself", sub("StringEquals", "system:*"), false],
    ["StringEquals, the key in another case", on("StringEquals", "H.EXAMPLE:Sub", subject), true],
    ["StringNotEquals, the same", sub("StringNotEquals", subject), false],
    ["StringNotEquals, none of several", sub("StringNotEquals", ["x", "y"]), true],
    ["StringNotEquals, one of several", sub("StringNotEquals", ["x", subject]), false],
    ["StringEqualsIgnoreCase", sub("StringEqualsIgnoreCase", subject.toUpperCase()), true],
    ["StringEqualsIgnoreCase, another", sub("StringEqualsIgnoreCase", "SYSTEM"), false],
    [
      "StringEqualsIgnoreCase, non-ASCII letters",
      on("StringEqualsIgnoreCase", "h.example:letter", "STRASSE 𝒜"),
      "unknown",
    ],
    ["StringNotEqualsIgnoreCase", sub("StringNotEqualsIgnoreCase", subject.toUpperCase()), false],
    ["StringLike, a star", sub("StringLike", "system:serviceaccount:ns:*"), true],
    ["StringLike, a star for nothing", sub("StringLike", `${subject}*`), true],
    ["StringLike, a star over colons", sub("StringLike", "system:*:name"), true],
    ["StringLike, a question mark", sub("StringLike", "system:serviceaccount:n?:name"), true],
    ["StringLike, a question mark is one character", sub("StringLike", "system:serviceaccount:?:name"), false],
    ["StringLike, another case", sub("StringLike", "SYSTEM:*"), false],
    ["StringLike, non-ASCII letters", on("StringLike", "h.example:letter", "stra?e ?"), "unknown"],
    ["StringNotLike", sub("StringNotLike", "system:*"), false],
    ["StringNotLike, another", sub("StringNotLike", "user:*"), true],
    // With more than one key or operator, all must match.
    ["two keys", { StringEquals: { "h.example:sub": subject, "h.example:aud": "openshift" } }, true],
    ["two keys, one wrong", { StringEquals: { "h.example:sub": subject, "h.example:aud": "sts" } }, false],
    ["two operators, one wrong", { ...sub("StringEquals", subject), ...sub("StringNotLike", "system:*") }, false],
    ["an unknown operator and a wrong value", { ...sub("Foo", subject), ...sub("StringEquals", "x") }, false],
    ["an unknown operator and a right value", { ...sub("Foo", subject), ...sub("StringEquals", subject) }, "unknown"],
    // A key that the request does not have.
    ["StringEquals without the key", gone("StringEquals", "x"), false],
    ["StringLike without the key", gone("StringLike", "*"), false],
    ["StringNotEquals without the key", gone("StringNotEquals", "x"), true],
    ["StringNotLike without the key", gone("StringNotLike", "*"), true],
    ["a key with a scheme", on("StringEquals", "https://h.example:sub", subject), false],
    // Keys with more than one value, or with an empty one.
    ["more than one value", on("StringEquals", "h.example:amr", "mfa"), "unknown"],
    ["an empty value", on("StringNotEquals", "h.example:empty", "x"), "unknown"],
    // What is not evaluated is unknown, with the key and without it.
    ...["StringEqualsIfExists", "ForAnyValue:StringLike", "ForAllValues:StringEquals", "Null", "NullIfExists"].flatMap(
      notEvaluated,
    ),
    ...["Bool", "NumericEquals", "DateLessThan", "ArnLike", "ArnNotLike", "IpAddress", "BinaryEquals"].flatMap(
      notEvaluated,
    ),
    // Unknown answers.
    ["an unknown operator", sub("StringMatches", subject), "unknown"],
    ["an operator in another case", sub("stringequals", subject), "unknown"],
    ["an unknown prefix", sub("ForSomeValues:StringEquals", subject), "unknown"],
    ["the name of an object's member", sub("constructor", subject), "unknown"],
    ["a key that only AWS knows", on("StringEquals", "aws:SourceIp", "10.0.0.1"), "unknown"],
    ["a policy variable", sub("StringEquals", "${aws:username}"), "unknown"],
    ["a policy variable in a denial", sub("StringNotLike", "${aws:username}*"), "unknown"],
    ["a policy variable beside what fits", sub("StringEquals", ["${aws:username}", subject]), true],
    ["no values", sub("StringEquals", []), "unknown"],
    ["a value that is not a string", sub("StringEquals", { a: "b" }), "unknown"],
    ["null as a value", sub("StringEquals", null), "unknown"],
    ["a text in the place of keys", { StringEquals: "x" }, "unknown"],
    ["a list in the place of a condition", [], "unknown"],
    ["null in the place of a condition", null, "unknown"],
  ])("%s", (_, block, expected) => {
    expect(answer(block)).toBe(expected);
  });

  it("reports for each clause the required and the actual values", () => {
    const { clauses } = meetsCondition(
      { StringEquals: { "H.example:sub": ["x", "y"] }, Foo: { k: 1 }, "ForAnyValue:StringLike": { k: "*" } },
      (key) => request[key] ?? [],
    );
    expect(clauses).toEqual([
      { operator: "StringEquals", key: "H.example:sub", wanted: ["x", "y"], actual: [subject], answer: false },
      {
        operator: "Foo",
        key: "k",
        wanted: ["1"],
        actual: [],
        answer: "unknown",
        why: 'unknown operator "Foo"',
      },
      {
        operator: "ForAnyValue:StringLike",
        key: "k",
        wanted: ["*"],
        actual: [],
        answer: "unknown",
        why: '`ccf` does not evaluate ForAnyValue:StringLike on "k"',
      },
    ]);
  });
});
