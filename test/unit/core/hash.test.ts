import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base32Hash, isUuid, nameUuid, sha256, shortHash } from "../../../src/core/hash.ts";
import { runs } from "../../helpers/effort.ts";

describe("a digest", () => {
  it("is that of Node, of texts and of bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const expected = createHash("sha256").update(text).digest();
        expect(sha256(text)).toEqual(expected);
        expect(sha256(Buffer.from(text))).toEqual(expected);
        expect(shortHash(text)).toBe(expected.toString("hex").slice(0, 8));
      }),
      { numRuns: runs(100) },
    );
  });

  // RFC 4648, section 6: the SHA-256 of "a" begins with ca978112ca1bbdc.
  it.each<[number, string]>([
    [0, ""],
    [1, "z"],
    [5, "zklyc"],
    [12, "zklycewkdo64"],
  ])("in base32 has %i characters", (length, expected) => expect(base32Hash("a", length)).toBe(expected));
});

describe("a UUID of a name", () => {
  // RFC 9562, appendix A.4.
  it("is that of the RFC's example", () =>
    expect(nameUuid("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com")).toBe(
      "2ed6657d-e927-568b-95e1-2665a8aea6a2",
    ));

  it("has the version 5 and the variant of the RFC", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: "binary" }), (namespace, name) => {
        const uuid = nameUuid(namespace, name);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(isUuid(uuid)).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});

it.each<[string, boolean]>([
  ["2ed6657d-e927-568b-95e1-2665a8aea6a2", true],
  ["2ED6657D-E927-568B-95E1-2665A8AEA6A2", true],
  ["x2ed6657d-e927-568b-95e1-2665a8aea6a2", false],
  ["2ed6657d-e927-568b-95e1-2665a8aea6a2x", false],
  ["2ed6657d-e927-568b-95e1-2665a8aea6ag", false],
  ["2ed6657d-e927-568b-2665a8aea6a2", false],
  ["2ed6657de927568b95e12665a8aea6a2", false],
  ["", false],
])("whether %j is a UUID: %s", (text, expected) => expect(isUuid(text)).toBe(expected));
