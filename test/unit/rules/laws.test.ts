import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { validateCredentials } from "../../../functions/validate-credentials/function.ts";
import { runFunctions } from "../../../src/krm/run.ts";
import { type Any, identity, request } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import { rulesWithExamples } from "../../helpers/rules.ts";
import { objectsOf } from "../../helpers/stream.ts";
import { validated } from "../../helpers/validated.ts";

const files = rulesWithExamples;
/** What the examples have once in another form: a Secret of the cluster, and a role. */
const others = [
  ...["one", "two", "three"].flatMap((name) =>
    objectsOf(`apiVersion: v1
kind: Secret
metadata: {name: cloud-credentials, namespace: openshift-sample, uid: "1"}
stringData: {${name}: x}
`),
  ),
  ...files
    .filter(({ rule }) => rule.code === "secret-edited")
    .flatMap(({ bad }) => objectsOf(bad.replace('"RoleName": "demo-', '"RoleName": "other-'))),
];

/** The objects of all wrong examples, unchanged: many have the same name, some are live. */
const items = [
  ...others,
  ...files
    .filter(({ rule }) => rule.reads !== "install-config" && rule.reads !== "packages")
    .flatMap(({ bad }) => objectsOf(bad)),
];

describe("what is found", () => {
  it("does not depend on the order of the items", () => {
    const expected = runFunctions([validateCredentials], { items, functionConfig: undefined }).findings;
    expect(new Set(expected.map(({ code }) => code)).size).toBeGreaterThan(10);
    fc.assert(
      fc.property(fc.shuffledSubarray(items, { minLength: items.length }), (order) => {
        expect(runFunctions([validateCredentials], { items: order, functionConfig: undefined }).findings).toEqual(
          expected,
        );
      }),
      { numRuns: runs(15, 4) },
    );
  });

  it("changes nothing", () => {
    const { changes } = runFunctions([validateCredentials], { items, functionConfig: undefined });
    expect(changes.flatMap(({ removed, edits, added }) => [...removed, ...edits, ...added])).toEqual([]);
  });

  it("never shows what is in a Secret", () => {
    const word = fc.stringMatching(/^[a-z]{12,20}$/);
    const line = fc.tuple(
      fc.constantFrom("role_arn", "web_identity_token_file", "aws_access_key_id", "x"),
      fc.constantFrom(" = ", ": ", " = <"),
      word,
    );
    const secret = fc.record({ lines: fc.array(line, { minLength: 1 }), form: fc.constantFrom("data", "stringData") });
    const made = ({ lines, form }: { lines: [string, string, string][]; form: string }, uid?: string): Any => {
      const text = `[default]\n${lines.map((parts) => parts.join("")).join("\n")}`;
      const credentials = form === "data" ? Buffer.from(text).toString("base64") : text;
      const metadata = { name: "credentials", namespace: "ns-one", ...(uid === undefined ? {} : { uid }) };
      return { apiVersion: "v1", kind: "Secret", metadata, [form]: { credentials } };
    };
    fc.assert(
      fc.property(secret, secret, (own, live) => {
        const said = JSON.stringify(validated([identity(), request("one"), made(own), made(live, "1")]));
        for (const [, , value] of [...own.lines, ...live.lines]) expect(said).not.toContain(value);
      }),
    );
  });
});
