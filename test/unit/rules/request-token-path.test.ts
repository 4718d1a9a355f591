import { describe, expect, it } from "vitest";
import { type Any, identity, request, subscription } from "../../helpers/cluster.ts";
import { csv, deploymentSpec, shippedRequest, tokenPath } from "../../helpers/operator.ts";
import { codesOf, validated } from "../../helpers/validated.ts";

const arn = "arn:aws:iam::123456789012:role/sample";

/** A request with a role, and a path of its token where one is given. */
function withRole(stsIAMRoleARN: Any, cloudTokenPath?: string): Any {
  const made = request("sample", {
    spec: { secretRef: { namespace: "openshift-sample", name: "cloud-credentials" }, serviceAccountNames: ["sample"] },
  });
  made.spec.providerSpec.stsIAMRoleARN = stsIAMRoleARN;
  if (cloudTokenPath !== undefined) made.spec.cloudTokenPath = cloudTokenPath;
  return made;
}

/** What this rule finds. */
const found = (...objects: readonly Any[]) => validated(objects).filter(({ code }) => code === "request-token-path");

describe("a request with a role", () => {
  it.each([arn, "${ROLEARN}", "<role>"])("such as %s must say where its token is", (role) => {
    for (const path of [undefined, ""])
      expect(found(withRole(role, path))).toEqual([
        expect.objectContaining({
          severity: "warning",
          message:
            'has a role but no "spec.cloudTokenPath", so its Secret would name "/var/run/secrets/kubernetes.io/serviceaccount/token", the pod\'s API server token, which AWS refuses; set the field to the path where the operator mounts a token for the audience "openshift".',
          field: "spec.cloudTokenPath",
        }),
      ]);
    expect(found(withRole(role, tokenPath))).toEqual([]);
  });

  it.each([undefined, "", null])("is none with %j", (role) => {
    expect(found(withRole(role))).toEqual([]);
  });

  it("for another cloud is none", () => {
    const other = shippedRequest({ cloud: "GCP", spec: { cloudTokenPath: undefined } });
    other.spec.providerSpec.stsIAMRoleARN = arn;
    expect(found(other)).toEqual([]);
  });

  it("gets its path in a render where it is an operator's, which says so", () => {
    const installed = [identity(), withRole(arn), subscription("sample", "openshift-sample")];
    expect(found(...installed)).toEqual([]);
    expect(codesOf(validated(installed))).toContain("token-path-missing");
    expect(found(...installed.slice(0, 2))).toHaveLength(1);
    expect(found(...installed.slice(1))).toHaveLength(1);
  });

  it("is told once where a Deployment mounts the token", () => {
    const shipped = [csv(), withRole(arn)];
    expect(codesOf(validated(shipped))).toEqual(["operator-token-mount"]);
    const others = csv({ install: { deployments: [{ name: "other", spec: deploymentSpec("other") }] } });
    expect(found(others, withRole(arn))).toHaveLength(1);
  });
});
