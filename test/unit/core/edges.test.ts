import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasError } from "../../../src/core/finding.ts";
import { bundle, jsonFiles, textOfFile } from "../../../src/core/generated-object.ts";
import { sha256, shortHash } from "../../../src/core/hash.ts";
import { canonicalJson, compactJson, prettyJson } from "../../../src/core/json.ts";
import {
  compareLocations,
  groupOf,
  inPackage,
  isMap,
  isToolAnnotation,
  listAt,
  type Resource,
  refOf,
  textAt,
  type Value,
  valueAt,
} from "../../../src/core/resource.ts";
import {
  compareText,
  holdsPrivateKey,
  notShown,
  quote,
  withoutSecret,
  withoutSecrets,
} from "../../../src/core/text.ts";
import { resourceOf } from "../../helpers/resources.ts";

const pem = String(
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }),
);

it.each(["plain", 'a "b" \n', "x".repeat(400), "PRIVATE", ""])("a text for programs is unchanged: %j", (text) =>
  expect(withoutSecret(text)).toBe(text),
);

it.each([pem, `x ${pem}`, "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"])(
  "a secret is never for programs",
  (text) => expect(withoutSecret(text)).toBe(notShown),
);

it.each<[string, string]>([
  // A token of its own may be short: the three parts that an unsecured or a test token has.
  ["is eyJab.cd.ef, or not", `is ${notShown}, or not`],
  ["eyJab.cd.ef.gh eyJab.cd.ef", `${notShown} ${notShown}`],
  // Inside a word, only what is as long as a token.
  ["xeyJab.cd.ef", "xeyJab.cd.ef"],
  ["xeyJ12345678..0123456789abcdef!", `x${notShown}!`],
  ["xeyJ1234567..0123456789abcdef!", "xeyJ1234567..0123456789abcdef!"],
  ["xeyJ12345678..0123456789abcde!", "xeyJ12345678..0123456789abcde!"],
  ["eyJab.cd", "eyJab.cd"],
])("of the text %j, only the tokens are hidden", (text, expected) => expect(withoutSecrets(text)).toBe(expected));

describe("quote", () => {
  it.each<[string, string]>([
    ["\u061c\u200e\u200f\u2066\u2069", '"\\u061c\\u200e\\u200f\\u2066\\u2069"'],
    ["\ud800x", '"\\ud800x"'],
    ["\ue000\ufdd0", '"\\ue000\\ufdd0"'],
    // An emoji of Unicode 16: assigned in Node 22, unassigned in Node 20.
    ["\u{1fae9}", '"\u{1fae9}"'],
    ["\uffff", '"\\uffff"'],
    ["\u{10ffff}", '"\\U0010ffff"'],
    ["\t\r\n", '"\\u0009\\u000d\\u000a"'],
    ["x".repeat(72), `"${"x".repeat(72)}"`],
    // An escaped character counts once: the limit is on the length of the input.
    [`${"\u0000".repeat(72)}y`, `"${"\\u0000".repeat(72)}…"`],
    ["", '""'],
  ])("%j", (text, expected) => {
    expect(quote(text)).toBe(expected);
  });

  it.each([0, 1, 2])("shows no part of a base64 key that follows %d bytes, whatever its alignment", (bytes) => {
    const base64 = Buffer.from("x".repeat(bytes) + pem).toString("base64");
    expect(quote(base64)).toBe(notShown);
    expect(quote(base64.slice(0, 40))).toBe(notShown);
    expect(quote(`${"y".repeat(100)} ${base64}`)).toBe(notShown);
  });

  it("shows the name of a token, but never the token", () => {
    expect(quote("eyJhbGciOiJub25lIn0")).toBe('"eyJhbGciOiJub25lIn0"');
    expect(quote("Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.x")).toBe(notShown);
    expect(quote("-----BEGIN PUBLIC KEY-----")).toBe('"-----BEGIN PUBLIC KEY-----"');
  });

  it("takes a long run of base64 for a key if it contains upper case, lower case and digits", () => {
    expect(quote("aA1".repeat(20))).toBe(notShown);
    expect(quote(`x: ${"+/9Zz".repeat(12)}`)).toBe(notShown);
    for (const run of ["aA1".repeat(20).slice(1), "a1".repeat(30), "A1".repeat(30), "aA".repeat(30)]) {
      expect(quote(run)).toBe(`"${run}"`);
    }
  });

  it("checks only as much text as could be shown", () => {
    expect(quote(`${"x".repeat(4096)} PRIVATE KEY`)).toBe(`"${"x".repeat(72)}…"`);
    expect(quote(`${"x".repeat(4084)} PRIVATE KEY`)).toBe(notShown);
  });

  it("is one line in double quotes, and short", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const quoted = quote(text);
        if (quoted !== notShown) expect(quoted).toMatch(/^"(?:[^"\\\n\r]|\\["\\]|\\u[0-9a-f]{4}|\\U[0-9a-f]{8})*"$/u);
        expect(quoted.length).toBeLessThanOrEqual(72 * 6 + 3);
      }),
    );
  });
});

// Values as they occur in YAML, including big integers.
const scalar = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string(), privateUse(), big());
const values = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string(), privateUse()), tie("value"), { maxKeys: 5 }) as fc.Arbitrary<Value>,
  ),
})).value;

/** Texts that look like the marks that are used to write big integers. */
function privateUse(): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom("\ue000", "\ue001", "1", "-", '"', "\\"), maxLength: 8 });
}

function big(): fc.Arbitrary<bigint> {
  return fc
    .bigInt({ min: -(2n ** 80n), max: 2n ** 80n })
    .filter((integer) => integer > 2n ** 53n || integer < -(2n ** 53n));
}

/** The value as a JSON reader returns it: each big integer is a number. */
function asNumbers(value: Value): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(asNumbers);
  // Object.is distinguishes -0 from 0, JSON does not.
  if (!isMap(value)) return value === 0 ? 0 : value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asNumbers(one)]));
}

function integersOf(value: Value): bigint[] {
  if (typeof value === "bigint") return [value];
  if (Array.isArray(value)) return value.flatMap(integersOf);
  return isMap(value) ? Object.values(value).flatMap(integersOf) : [];
}

describe("JSON", () => {
  it.each(["\ue0005\ue000", "\ue000\ue0005\ue000\ue000", "\ue000-5\ue000", "\ue000"])(
    "keeps %j a text beside big integers, as key and as value",
    (text) => {
      const value = { [text]: [text, 2n ** 70n], [`${text}${text}`]: text };
      expect(JSON.parse(compactJson(value))).toEqual(asNumbers(value));
      expect(JSON.parse(prettyJson(value))).toEqual(asNumbers(value));
    },
  );

  it("parses to the same value, and its text contains every digit of big integers", () => {
    fc.assert(
      fc.property(values, (value) => {
        for (const text of [prettyJson(value), compactJson(value), canonicalJson(value)]) {
          expect(JSON.parse(text)).toEqual(asNumbers(value));
          for (const integer of integersOf(value)) expect(text).toContain(String(integer));
        }
        expect(compactJson(JSON.parse(prettyJson(withoutBig(value))))).toBe(compactJson(withoutBig(value)));
      }),
    );
  });

  it("is written in the form that editors use", () => {
    expect(prettyJson({ b: [1, { c: "x" }], a: {}, e: [] })).toBe(
      '{\n  "b": [\n    1,\n    {\n      "c": "x"\n    }\n  ],\n  "a": {},\n  "e": []\n}',
    );
    expect(compactJson({ b: [1, { c: "x" }], a: {} })).toBe('{"b":[1,{"c":"x"}],"a":{}}');
  });

  it.each([
    ["\u007f\u0085\u00a0\u00ad", '"\\u007f\\u0085\u00a0\\u00ad"'],
    ["\u2028\u202e\u200b\ufeff", '"\\u2028\\u202e\\u200b\\ufeff"'],
    ["é€", '"é€"'],
    ["😀", '"\\ud83d\\ude00"'],
    ["\ud800", '"\\ud800"'],
    ['\n\t"\\', '"\\n\\t\\"\\\\"'],
    ["\ue000", '"\\ue000"'],
  ])("%j is %s", (text, expected) => {
    expect([compactJson(text), prettyJson(text)]).toEqual([expected, expected]);
    expect(compactJson({ [text]: 1n })).toBe(`{${expected}:1}`);
  });

  it("in canonical form keeps the order of lists, and sorts keys by code unit", () => {
    expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
    expect(canonicalJson({ é: 1, a: 1, Z: 1, "10": 1, "9": 1 })).toBe('{"10":1,"9":1,"Z":1,"a":1,"é":1}');
  });

  it("in canonical form does not depend on the order of keys", () => {
    const pairs = fc.uniqueArray(fc.tuple(fc.string(), values), { selector: ([key]) => key, maxLength: 6 });
    const shuffled = pairs.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([a, b]) => canonicalJson(Object.fromEntries(a)) === canonicalJson(Object.fromEntries(b))),
    );
  });

  it("in canonical form distinguishes adjacent big integers, and numbers from texts", () => {
    fc.assert(fc.property(big(), (integer) => canonicalJson([integer]) !== canonicalJson([integer + 1n])));
    expect(canonicalJson(9007199254740993n)).toBe("9007199254740993");
    expect(canonicalJson(5n)).toBe(canonicalJson(5));
    expect(canonicalJson("5")).not.toBe(canonicalJson(5));
    expect(canonicalJson("null")).not.toBe(canonicalJson(null));
  });
});

function withoutBig(value: Value): Value {
  return asNumbers(value) as Value;
}

describe("compareText", () => {
  it.each<[string, string, number]>([
    ["a", "a", 0],
    ["", "a", -1],
    ["a", "aa", -1],
    ["b", "aa", 1],
    ["a-b", "a/b", -1],
    // By code unit, not by code point: a surrogate is before U+FFFD.
    ["😀", "\ufffd", -1],
  ])("%j and %j: %d", (a, b, expected) => {
    expect(compareText(a, b)).toBe(expected);
    expect(compareText(b, a)).toBe(expected === 0 ? 0 : -expected);
  });
});

describe("holdsPrivateKey", () => {
  it.each([0, 1, 2, 3, 4, 5])("finds one in base64 after %d bytes, and after as many letters", (count) => {
    const before = "x".repeat(count);
    expect(holdsPrivateKey(Buffer.from(before + pem).toString("base64"))).toBe(true);
    expect(holdsPrivateKey(before + Buffer.from(pem).toString("base64"))).toBe(true);
  });

  it.each([64, 76])("finds one in base64 in lines of %d characters", (width) => {
    const base64 = Buffer.from(pem).toString("base64");
    expect(holdsPrivateKey(base64.replace(new RegExp(`.{${width}}`, "g"), "$&\n"))).toBe(true);
  });

  it.each([
    ["-----BEGIN CERTIFICATE-----", false],
    ["-----BEGIN PRIVATE KEY----", false],
    ["----BEGIN PRIVATE KEY-----", false],
    ["-----BEGIN private key-----", false],
    ["-----BEGIN\nPRIVATE KEY-----", false],
    ["-----BEGIN DSA PRIVATE KEY-----", true],
    ["A".repeat(10_000), false],
  ])("%#: %s", (text, expected) => {
    expect(holdsPrivateKey(text)).toBe(expected);
  });
});

it.each([
  ["v1", ""],
  ["apps/v1", "apps"],
  ["a/b/c", "a"],
  ["/v1", ""],
  ["", ""],
])("the group of %j is %j", (version, group) => {
  expect(groupOf(version)).toBe(group);
});

describe("a resource", () => {
  const at = (path: string | undefined, index = 0): Resource => ({ ...resourceOf({}), path, index });

  it("is ordered by file and index, and comes first if it has no file", () => {
    const inOrder = [at(undefined), at(undefined, 2), at(undefined, 10), at("A"), at("A", 1), at("a", 0)];
    expect([...inOrder].reverse().sort(compareLocations)).toEqual(inOrder);
    expect(compareLocations(at("a", 1), at("a", 1))).toBe(0);
    expect([compareLocations(at(undefined), at("A")), compareLocations(at("A"), at(undefined))]).toEqual([-1, 1]);
  });

  it("belongs to a package unless it is annotated with another", () => {
    const items = [undefined, "a", "b"].map((packagePath) => ({ ...at("x"), packagePath }));
    expect(inPackage(items, undefined)).toEqual(items);
    expect(inPackage(items, "a")).toEqual([items[0], items[1]]);
    expect(inPackage(items, "c")).toEqual([items[0]]);
  });

  it("is referred to with its namespace if it has one", () => {
    const ref = { apiVersion: "v1", kind: "A", name: "a" };
    expect(refOf({ ...at("x"), ...ref })).toStrictEqual(ref);
    expect(refOf({ ...at("x"), ...ref, namespace: "n" })).toStrictEqual({ ...ref, namespace: "n" });
  });

  it.each([
    ["config.kubernetes.io/path", true],
    ["internal.config.kubernetes.io/index", true],
    ["config.k8s.io/id", true],
    ["internal.config.k8s.io/", true],
    ["xconfig.kubernetes.io/path", false],
    ["x.config.kubernetes.io/path", false],
    ["config.kubernetes.io", false],
    ["config.kubernetesxio/path", false],
    ["kubernetes.io/path", false],
  ])("has tool information in %s: %s", (key, expected) => {
    expect(isToolAnnotation(key)).toBe(expected);
  });

  it.each<[string[], Value | undefined]>([
    [[], { a: [{ b: 1 }, null], c: "x" }],
    [["a", "0", "b"], 1],
    [["a", "1"], null],
    [["a", "2"], undefined],
    [["a", "x"], undefined],
    [["c", "length"], undefined],
    [["toString"], undefined],
    [["a", "1", "b"], undefined],
  ])("has at %j the value %j", (path, expected) => {
    expect(valueAt({ a: [{ b: 1 }, null], c: "x" }, path)).toEqual(expected);
  });

  it("has no list and no text at a path with another type", () => {
    const root = { list: [1], text: "x" };
    expect([listAt(root, ["list"]), listAt(root, ["text"]), listAt(root, ["none"])]).toEqual([[1], [], []]);
    expect([textAt(root, ["text"]), textAt(root, ["list"]), textAt(root, ["none"])]).toEqual(["x", "", ""]);
  });
});

it("a bundle contains files by name, as values until they are written", () => {
  const files = { ...jsonFiles({ "b.json": {}, "a.json": [1] }), "c.sh": "true\n" };
  const made = {
    path: "p.yaml",
    object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "n" } },
    files: { "b.json": { json: {} }, "a.json": { json: [1] }, "c.sh": "true\n" },
  };
  const origin = { apiVersion: "v1", kind: "A", name: "a" };
  expect(bundle("p.yaml", "n", files)).toStrictEqual(made);
  expect(bundle("p.yaml", "n", files, origin)).toStrictEqual({ ...made, origin });
  expect(Object.values(files).map(textOfFile)).toEqual(["{}\n", "[\n  1\n]\n", "true\n"]);
});

it("SHA-256 accepts bytes, or a text that it encodes in UTF-8", () => {
  const hex = "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c";
  expect(sha256("é").toString("hex")).toBe(hex);
  expect(sha256(new Uint8Array([0xc3, 0xa9])).toString("hex")).toBe(hex);
  expect(shortHash("é")).toBe("4a99557e");
});

it("only an error is an error", () => {
  const at = (severity: "error" | "warning" | "info") => ({ severity, code: "config-missing", message: "" }) as const;
  expect(hasError([at("info"), at("warning")])).toBe(false);
  expect(hasError([at("info"), at("error")])).toBe(true);
  expect(hasError([])).toBe(false);
});
