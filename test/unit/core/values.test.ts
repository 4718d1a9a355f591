import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asText, canonicalJson, compactJson, prettyJson } from "../../../src/core/json.ts";
import type { Value } from "../../../src/core/resource.ts";
import { compareText, holdsPrivateKey, quote } from "../../../src/core/text.ts";
import { runs } from "../../helpers/effort.ts";

const json = fc.jsonValue() as fc.Arbitrary<Value>;

describe("quote", () => {
  it.each<[unknown, string]>([
    ["plain", '"plain"'],
    ['a "b" \\', '"a \\"b\\" \\\\"'],
    [
      "a\u0000\u001b[31m\n\u007f\u0085\u2028\u202e\u200b\ufeff",
      '"a\\u0000\\u001b[31m\\u000a\\u007f\\u0085\\u2028\\u202e\\u200b\\ufeff"',
    ],
    ["é 😀", '"é 😀"'],
    ["\u{e0001}", '"\\U000e0001"'],
    ["x".repeat(73), `"${"x".repeat(72)}…"`],
    [5, "5"],
    [null, "null"],
    [undefined, "undefined"],
    [["a"], "a list of 1"],
    [{ a: 1 }, "a mapping"],
  ])("%j", (value, expected) => {
    expect(quote(value)).toBe(expected);
  });

  it.each([
    "-----BEGIN PRIVATE KEY-----",
    "LS0tLS1CRUdJTiBQUklWQVRF",
    "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl",
  ])("never shows %s", (secret) => {
    expect(quote(`x ${secret} y`)).toBe("(a value that is not shown)");
  });

  it("never shows the body of a key, and shows long names", () => {
    expect(quote(`x ${"MIIEvQIBADANBgkqhkiG9w0".repeat(3)}`)).toBe("(a value that is not shown)");
    expect(quote("openshift-cloud-credential-operator/cloud-credential-operator-iam-ro")).toContain("iam-ro");
  });

  it("shows every digit of a big integer", () => {
    expect(quote(12345678901234567890n)).toBe("12345678901234567890");
  });

  it("contains nothing that controls a terminal, and is one line", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(quote(text))));
  });
});

describe("JSON", () => {
  it.each<[Value | undefined, string]>([
    ["a", "a"],
    ["", ""],
    [undefined, "undefined"],
    [null, "null"],
    [5n, "5"],
    [{ toString: "x", a: 1 }, '{"a":1,"toString":"x"}'],
  ])("as the text of %o", (value, text) => expect(asText(value)).toBe(text));

  it("parses to the value that was written, pretty and compact", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(prettyJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(JSON.parse(compactJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("contains only characters that a YAML block scalar can contain", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (text) =>
          /^[\n\x20-\x7e\xa0-\uffff]*$/.test(prettyJson([text])) &&
          !/[\ud800-\udfff\ufeff\u2028\u200b]/.test(prettyJson([text])),
      ),
    );
  });

  it("keeps every digit of big integers, whatever texts are next to them", () => {
    const value = { a: 12345678901234567890n, "\ue0005\ue000": ["\ue0001\ue000", -9007199254740993n, "\ue000\ue000"] };
    const text = compactJson(value);
    expect(text).toContain('{"a":12345678901234567890,');
    expect(text).toContain(",-9007199254740993,");
    expect(JSON.parse(text)["\ue0005\ue000"]).toEqual(["\ue0001\ue000", expect.any(Number), "\ue000\ue000"]);
    expect(prettyJson(value)).toContain('"a": 12345678901234567890,\n');
  });

  it("in canonical form is the same for equal values, and for no others", () => {
    const shuffled = (value: Value): Value =>
      Array.isArray(value)
        ? value.map(shuffled)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, one]) => [key, shuffled(one)]),
            )
          : value;
    fc.assert(fc.property(json, (value) => canonicalJson(shuffled(value)) === canonicalJson(value)));
    fc.assert(
      fc.property(
        json,
        json,
        (a, b) =>
          (canonicalJson(a) === canonicalJson(b)) ===
          (canonicalJson(JSON.parse(JSON.stringify(a))) === canonicalJson(JSON.parse(JSON.stringify(b)))),
      ),
    );
    expect(canonicalJson({ b: 1, a: [true, null, "x", 12345678901234567890n] })).toBe(
      '{"a":[true,null,"x",12345678901234567890],"b":1}',
    );
    expect(canonicalJson(["1"])).not.toBe(canonicalJson([1]));
  });
});

describe("texts", () => {
  it("are compared by code unit, not by language", () => {
    expect(["ä", "z", "Z", "a", "B", "é"].sort(compareText)).toEqual(["B", "Z", "a", "z", "ä", "é"]);
  });

  it.each([
    ["-----BEGIN PRIVATE KEY-----", true],
    ["a\n-----BEGIN RSA PRIVATE KEY-----\nb", true],
    ["-----BEGIN ENCRYPTED PRIVATE KEY-----", true],
    ["-----BEGIN OPENSSH PRIVATE KEY-----", true],
    [Buffer.from(`-----BEGIN EC PRIVATE KEY-----\n${"A".repeat(40)}`).toString("base64"), true],
    [Buffer.from(`xx-----BEGIN EC PRIVATE KEY-----\n${"A".repeat(40)}`).toString("base64"), true],
    [
      Buffer.from(`-----BEGIN PRIVATE KEY-----\n${"A".repeat(40)}`)
        .toString("base64")
        .replace(/(.{20})/g, "$1 \n"),
      true,
    ],
    [Buffer.from("-----BEGIN PRIVATE KEY-----").toString("base64"), true],
    ["-----BEGIN PUBLIC KEY-----", false],
    ["the words private key alone", false],
    [Buffer.from(`-----BEGIN PUBLIC KEY-----\n${"A".repeat(60)}`).toString("base64"), false],
    ["", false],
  ])("%j contains a private key: %s", (text, expected) => {
    expect(holdsPrivateKey(text)).toBe(expected);
  });

  it("are searched for a key with the same result as a check of every character, however the key is wrapped", () => {
    const header = "-----BEGIN EC PRIVATE KEY-----";
    const encoded = fc.tuple(fc.string({ maxLength: 5 }), fc.nat(20)).map(([before, cut]) =>
      Buffer.from(`${before}${header}${"A".repeat(40)}`)
        .toString("base64")
        .slice(cut),
    );
    const run = fc.string({ unit: fc.constantFrom(..."aZ0+/"), minLength: 20, maxLength: 45 });
    const part = fc.oneof(
      fc.constantFrom(header, "PRIVATE KEY", header.slice(1), " ", "\n", "\r\n\t", "-", "=", "."),
      encoded,
      run,
    );
    const broken = fc
      .tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom("", " ", "\n", "-"), fc.integer({ min: 1, max: 60 }))
      .map(([parts, by, width]) => parts.join("").replace(new RegExp(`(.{${width}})`, "g"), `$1${by}`));
    const holds = (text: string) => {
      const pem = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;
      const runs = text.replace(/\s/g, "").split(/[^A-Za-z0-9+/]/);
      const decoded = runs.flatMap((run) =>
        [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), "base64").toString("latin1")),
      );
      return [text, ...decoded].some((text) => pem.test(text));
    };
    let found = 0;
    fc.assert(
      fc.property(broken, (text) => {
        if (holds(text)) found++;
        expect(holdsPrivateKey(text)).toBe(holds(text));
      }),
      { numRuns: runs(3000) },
    );
    expect(found).toBeGreaterThan(runs(3000) / 30);
  });
});
