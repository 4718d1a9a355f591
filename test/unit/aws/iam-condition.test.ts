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
  "h.example:number": ["15"],
  "h.example:true": ["true"],
  "h.example:arn": ["arn:aws:iam::123456789012:role/a/b"],
  "h.example:letter": ["straße 𝒜"],
  "aws:currenttime": ["2000000000"],
  "aws:sourceip": "unknown",
};

const answer = (block: Value | undefined) => meetsCondition(block, (key) => request[key] ?? []).answer;

const on = (operator: string, key: string, value: Value) => ({ [operator]: { [key]: value } });
const sub = (operator: string, value: Value) => on(operator, "h.example:sub", value);
const amr = (operator: string, value: Value) => on(operator, "h.example:amr", value);
const gone = (operator: string, value: Value) => on(operator, "h.example:gone", value);

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
    ["StringEqualsIfExists without the key", gone("StringEqualsIfExists", "x"), true],
    ["StringNotEqualsIfExists without the key", gone("StringNotEqualsIfExists", "x"), true],
    ["StringEqualsIfExists, wrong", sub("StringEqualsIfExists", "x"), false],
    ["StringLikeIfExists, right", sub("StringLikeIfExists", "system:*"), true],
    ["a key with a scheme", on("StringEquals", "https://h.example:sub", subject), false],
    ["BoolIfExists without the key", gone("BoolIfExists", "true"), true],
    ["NumericEquals without the key", gone("NumericEquals", "1"), false],
    ["NumericNotEquals without the key", gone("NumericNotEquals", "1"), true],
    ["DateLessThan without the key", gone("DateLessThan", "2030-01-01T00:00:00Z"), false],
    ["ArnNotLike without the key", gone("ArnNotLike", "arn:*:*:*:*:*"), true],
    // Keys with more than one value.
    ["a list without ForAnyValue", amr("StringEquals", "mfa"), "unknown"],
    ["ForAnyValue, one fits", amr("ForAnyValue:StringEquals", "mfa"), true],
    ["ForAnyValue, none fits", amr("ForAnyValue:StringEquals", ["x", "y"]), false],
    ["ForAnyValue, negated: one is none of them", amr("ForAnyValue:StringNotEquals", "mfa"), true],
    ["ForAnyValue, negated: each is one of them", amr("ForAnyValue:StringNotEquals", ["mfa", "pwd"]), false],
    ["ForAnyValue without the key", gone("ForAnyValue:StringEquals", "x"), false],
    ["ForAnyValue, negated, without the key", gone("ForAnyValue:StringNotEquals", "x"), false],
    ["ForAnyValue with IfExists without the key", gone("ForAnyValue:StringEqualsIfExists", "x"), "unknown"],
    ["ForAllValues, all fit", amr("ForAllValues:StringEquals", ["mfa", "pwd", "x"]), true],
    ["ForAllValues, one does not", amr("ForAllValues:StringEquals", ["mfa"]), false],
    ["ForAllValues, with wildcards", amr("ForAllValues:StringLike", ["m*", "p?d"]), true],
    ["ForAllValues, negated", amr("ForAllValues:StringNotEquals", ["x"]), true],
    ["ForAllValues, negated, one is among them", amr("ForAllValues:StringNotEquals", ["pwd"]), false],
    ["ForAllValues without the key", gone("ForAllValues:StringEquals", "x"), true],
    ["ForAllValues with IfExists without the key", gone("ForAllValues:StringEqualsIfExists", "x"), true],
    ["ForAllValues on one value", sub("ForAllValues:StringEquals", subject), true],
    ["ForAllValues on an empty value", on("ForAllValues:StringEquals", "h.example:empty", "x"), "unknown"],
    // Null.
    ["Null true, without the key", gone("Null", "true"), true],
    ["Null true, with the key", sub("Null", "true"), false],
    ["Null false, with the key", sub("Null", "false"), true],
    ["Null false, without the key", gone("Null", "false"), false],
    ["Null with a boolean", sub("Null", false), true],
    ["Null with a list", sub("Null", ["true", "false"]), "unknown"],
    ["Null with something else", sub("Null", "yes"), "unknown"],
    ["Null of an empty value", on("Null", "h.example:empty", "true"), "unknown"],
    ["Null of an unknown value", on("Null", "aws:SourceIp", "false"), "unknown"],
    ["Null with IfExists", sub("NullIfExists", "true"), "unknown"],
    // Booleans, numbers, times, ARNs.
    ["Bool", on("Bool", "h.example:true", "true"), true],
    ["Bool with a boolean", on("Bool", "h.example:true", false), false],
    ["Bool of a text", sub("Bool", "true"), "unknown"],
    ["NumericEquals", on("NumericEquals", "h.example:number", 15), true],
    ["NumericLessThan", on("NumericLessThan", "h.example:number", "15"), false],
    ["NumericLessThanEquals", on("NumericLessThanEquals", "h.example:number", "15"), true],
    ["NumericGreaterThan", on("NumericGreaterThan", "h.example:number", "14.5"), true],
    ["NumericGreaterThanEquals", on("NumericGreaterThanEquals", "h.example:number", "15.5"), false],
    ["NumericNotEquals", on("NumericNotEquals", "h.example:number", "15"), false],
    ["NumericEquals of a text", sub("NumericEquals", "15"), "unknown"],
    ["DateLessThan", on("DateLessThan", "aws:CurrentTime", "2034-01-01T00:00:00Z"), true],
    ["DateLessThanEquals", on("DateLessThanEquals", "aws:CurrentTime", "2000000000"), true],
    ["DateGreaterThan", on("DateGreaterThan", "aws:CurrentTime", "2034-01-01T00:00:00+01:00"), false],
    ["DateGreaterThanEquals", on("DateGreaterThanEquals", "aws:CurrentTime", "2033-05-18T03:33:20Z"), true],
    ["DateEquals", on("DateEquals", "aws:CurrentTime", "2033-05-18T03:33:20Z"), true],
    ["DateNotEquals", on("DateNotEquals", "aws:CurrentTime", "2033-05-18T03:33:20Z"), false],
    ["a date in an unknown form", on("DateLessThan", "aws:CurrentTime", "next year"), "unknown"],
    ["ArnLike, part by part", on("ArnLike", "h.example:arn", "arn:aws:iam::*:role/*"), true],
    ["ArnEquals, with wildcards, too", on("ArnEquals", "h.example:arn", "arn:aws:iam::123456789012:role/?/b"), true],
    ["ArnLike, no star reaches over a part", on("ArnLike", "h.example:arn", "arn:*:role/a/b"), "unknown"],
    ["ArnLike, another part", on("ArnLike", "h.example:arn", "arn:aws:s3:::*"), false],
    ["ArnNotLike", on("ArnNotLike", "h.example:arn", "arn:aws:iam::*:role/*"), false],
    ["ArnLike of a text", sub("ArnLike", "arn:aws:iam::*:role/*"), "unknown"],
    // Unknown answers.
    ["an unknown operator", sub("StringMatches", subject), "unknown"],
    ["an operator in another case", sub("stringequals", subject), "unknown"],
    ["an unknown prefix", sub("ForSomeValues:StringEquals", subject), "unknown"],
    ["IpAddress", sub("IpAddress", "10.0.0.0/8"), "unknown"],
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
      { StringEquals: { "H.example:sub": ["x", "y"] }, Foo: { k: 1 } },
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
    ]);
  });
});
