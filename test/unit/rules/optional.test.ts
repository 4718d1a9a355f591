import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { validate } from "../../../functions/validate-credentials/function.ts";
import { inspectors, rulesFor } from "../../../src/clouds/inspectors.ts";
import { objectsOf } from "../../helpers/stream.ts";

const code = "reaches-other-clusters";
const bad = readFileSync(`testdata/rules/${code}/bad.yaml`, "utf8");
/** What the rule finds in its example after some edits: each replaces a text everywhere. */
function found(...edits: readonly (readonly [string, string])[]) {
  const text = edits.reduce((before, [from, to]) => {
    expect(before).toContain(from);
    return before.replaceAll(from, to);
  }, bad);
  const all = validate({ items: objectsOf(text), functionConfig: undefined });
  return all.filter((finding) => finding.code === code);
}

it("the schema names the optional rules, and no others", () => {
  const schema = JSON.parse(readFileSync("schemas/cluster-identity.schema.json", "utf8"));
  const optional = rulesFor(...inspectors).filter(({ isOptional }) => isOptional);
  expect(JSON.stringify(schema)).toContain(`"enum":${JSON.stringify(optional.map((rule) => rule.code))}`);
});

describe(code, () => {
  it("is off unless the ClusterIdentity turns it on", () => {
    expect(found(["  optionalRules: [reaches-other-clusters]\n", ""])).toEqual([]);
    expect(found(["optionalRules: [reaches-other-clusters]", "optionalRules: []"])).toEqual([]);
    expect(found()).toMatchObject([
      {
        severity: "warning",
        message:
          'may change resources beyond the cluster with "ec2:DeleteVolume": neither a name nor a condition on a tag limits "*" to the cluster; limit it to the cluster, or accept the finding with the reason.',
        resource: { kind: "ConfigMap" },
      },
    ]);
  });

  it("refuses the code of a rule that is not optional", () => {
    const text = bad.replace("[reaches-other-clusters]", "[pass-role-any]");
    expect(validate({ items: objectsOf(text), functionConfig: undefined })).toMatchObject([
      { code: "config-invalid-field", field: "spec.optionalRules[0]" },
    ]);
  });

  it("finds nothing in what only reads", () => {
    expect(found(["ec2:DeleteVolume", "ec2:DescribeVolumes"])).toEqual([]);
    const boundary = '"PermissionsBoundary": "arn:aws:iam::123456789012:policy/b",\n      "MaxSessionDuration"';
    expect(found(["ec2:DeleteVolume", "ec2:DescribeVolumes"], ['"MaxSessionDuration"', boundary])).toEqual([]);
  });

  it("finds in a role with a boundary that the boundary decides", () => {
    const boundary = '"PermissionsBoundary": "arn:aws:iam::123456789012:policy/b",\n      "MaxSessionDuration"';
    expect(found(['"MaxSessionDuration"', boundary]).map(({ message }) => message)).toEqual([
      'perhaps may change resources beyond the cluster with "ec2:DeleteVolume": the document of the permissions boundary "arn:aws:iam::123456789012:policy/b" is not in the package. If that limits it to the cluster, accept the finding with the reason; otherwise, limit it.',
    ]);
  });

  it("finds what it cannot decide, and can be accepted for the identity", () => {
    const strange = '"NotAction": "iam:*"';
    expect(found(['"Action": "ec2:DeleteVolume"', strange])[0]?.message).toMatch(
      /^perhaps may change resources beyond the cluster: NotAction cannot be compared: /,
    );
    const accept =
      "  accept:\n  - {rule: reaches-other-clusters, object: openshift-sample/cloud-credentials, reason: one cluster}\n";
    expect(found(["  platform:\n", `${accept}  platform:\n`])).toMatchObject([
      { severity: "info", accepted: '"one cluster"' },
    ]);
  });
});
