import { describe, expect, it } from "vitest";
import { printable, quote } from "../../../src/core/text.ts";
import { type Any, expectClean, expectFinding, identity, makeCredentials, request } from "../../helpers/cluster.ts";

const characters: readonly (readonly [string, string])[] = [
  ["\u00a0", "U+00A0"],
  ["\u180e", "U+180E"],
  ["\u2003", "U+2003"],
  ["\u200b", "U+200B"],
  ["\u202e", "U+202E"],
  ["\u2800", "U+2800"],
  ["\u3164", "U+3164"],
  ["\ufe0f", "U+FE0F"],
  ["\u{e0061}", "U+E0061"],
];

const cure =
  "which a reader cannot see, or cannot tell from a space. Remove it, or replace it with the character that is meant.";
const statement = (value: Any): Any => ({
  effect: "Allow",
  action: ["sts:AssumeRole"],
  resource: "*",
  policyCondition: { StringEquals: { "aws:RequestTag/owner": value } },
});
const withStatement = (one: Any) =>
  request("one", { spec: { providerSpec: { ...provider, statementEntries: [one] } } });
const provider = { apiVersion: "cloudcredential.openshift.io/v1", kind: "AWSProviderSpec" };

describe.each(characters)("%j", (character, code) => {
  it("in the value of a condition of a policy is an error that names it", () => {
    const made = makeCredentials(identity(), [withStatement(statement(`team${character}a`))]);
    expect(expectFinding(made, "error", "invisible-character")).toBe(
      `"spec.providerSpec.statementEntries[0].policyCondition.StringEquals.aws:RequestTag/owner" contains the character ${code}, ${cure}`,
    );
    expect(Object.keys(made.objects)).toEqual([]);
  });

  it("in the value or the key of a tag is an error that names it", () => {
    for (const tags of [{ owner: `a${character}b` }, { [`own${character}er`]: "a" }]) {
      const made = makeCredentials(identity({ aws: { tags } }), [request("one")]);
      expect(expectFinding(made, "error", "invisible-character")).toContain(`contains the character ${code}, ${cure}`);
    }
  });

  it("in a token path, an action, or a resource is an error that shows it", () => {
    const shown = printable(character);
    expect(shown).toMatch(/^\\[uU]/);
    const path = `/var/run/${character}token`;
    for (const made of [
      makeCredentials(identity(), [request("one", { spec: { cloudTokenPath: path } })]),
      makeCredentials(identity({ spec: { tokenPath: path } }), [request("one")]),
      makeCredentials(identity(), [withStatement({ ...statement("a"), action: [`s3:Get${character}Object`] })]),
      makeCredentials(identity(), [withStatement({ ...statement("a"), resource: `arn:aws:s3:::a${character}b` })]),
    ]) {
      const [error = "", ...more]: string[] = (made.results as Any[])
        .filter(({ severity }) => severity === "error")
        .map(({ message }) => message);
      expect(more).toEqual([]);
      expect(error.includes(shown) || error.includes(code)).toBe(true);
      expect(error).not.toContain(character);
    }
  });

  it("is not raw in a message", () => {
    expect(quote(`a${character}b`)).toBe(`"a${printable(character)}b"`);
  });
});

describe("letters", () => {
  it("that are seen are taken, in every script", () => {
    expectClean(makeCredentials(identity({ aws: { tags: { owner: "Größe Δ владелец" } } }), [request("one")]));
  });

  it("that look like those of ASCII are shown by their code points in a word with such letters", () => {
    const spec = { secretRef: { namespace: "ns-one", name: "cr\u0435dentials" } };
    const made = makeCredentials(identity(), [request("one", { spec })]);
    expect(expectFinding(made, "error", "request-invalid-field")).toContain('is "cr\\u0435dentials", but must be');
    expect(quote("s\uff13:Get")).toBe('"s\\uff13:Get"');
    expect(quote("владелец Größe")).toBe('"владелец Größe"');
  });

  it("of another script are not taken in the action of a policy", () => {
    const made = makeCredentials(identity(), [withStatement({ ...statement("a"), action: ["s3:G\u0435tObject"] })]);
    expect(expectFinding(made, "error", "request-invalid-field")).toContain('"s3:G\\u0435tObject"');
  });
});
