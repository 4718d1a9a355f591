import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { gcpInspector } from "../../../src/clouds/gcp/inspector.ts";
import { bundlesAmong } from "../../../src/clouds/rendered.ts";
import { describedDiff } from "../../../src/diff/described-diff.ts";
import { diffIdentities } from "../../../src/diff/diff.ts";
import { diffText } from "../../../src/diff/diff-text.ts";
import { comparedIdentities } from "../../../src/diff/identities.ts";
import { type Any, make, publicKey, request } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

const config = (gcp: Any = {}): Any => ({
  apiVersion: "fn.cloudcredential.dev/v1alpha1",
  kind: "ClusterIdentity",
  metadata: { name: "demo" },
  spec: {
    issuer: { signingKeys: [{ publicKey }] },
    platform: { gcp: { projectID: "my-project", projectNumber: "123456789012", ...gcp } },
  },
});
const asking = (providerSpec: Any, spec: Any = {}) =>
  request("one", { spec: { providerSpec: { kind: "GCPProviderSpec", ...providerSpec }, ...spec } });
const roles = { predefinedRoles: ["roles/dns.admin"] };

/** The objects that were rendered for a request. */
function rendered(asked: Any, gcp: Any = {}): Any[] {
  const { objects, exitCode, stderr } = make([generateOidcIssuer, generateCloudCredentials], config(gcp), [asked]);
  expect(exitCode, stderr).toBe(0);
  return Object.values(objects);
}

const resources = (objects: readonly Any[]) =>
  objects.map((object) => resourceOf(object, { path: object.metadata.annotations?.["config.kubernetes.io/path"] }));

/** The comparison of two packages. */
function compared(old: readonly Any[], now: readonly Any[]): string[] {
  const [before, after] = [old, now].map((objects) => {
    const items = resources(objects);
    return comparedIdentities(gcpInspector.read(bundlesAmong(items))?.identities ?? [], items, gcpInspector);
  });
  const definitionsOf = () => gcpInspector.features.roles?.known();
  return diffText(describedDiff(diffIdentities(before ?? [], after ?? [], definitionsOf)));
}

describe("two rendered packages", () => {
  it("that are the same differ in nothing, also if their custom roles have other names", () => {
    const asked = asking({ permissions: ["a.b.get"] });
    const override = { overrides: { "ns-one/credentials": { customRoleID: "other" } } };
    expect(compared(rendered(asked), rendered(asked))).toEqual(["No changes of permissions."]);
    expect(compared(rendered(asked), rendered(asked, override))).toEqual(["No changes of permissions."]);
  });

  it("differ in the service account, the audience, and the token", () => {
    const override = { overrides: { "ns-one/credentials": { serviceAccountID: "another" } } };
    const account = compared(rendered(asking(roles)), rendered(asking(roles), override));
    expect(account[1]).toMatch(
      /^ {2}~ service account: demo-\S+@my-project\.iam\.gserviceaccount\.com -> another@my-project\.iam\.gserviceaccount\.com$/,
    );
    expect(account[3]).toBe("Verdict, permissions only: none (1 moved).");
    const pool = "//iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/demo/providers";
    const audience = compared(rendered(asking(roles)), rendered(asking(roles), { provider: "other" }));
    expect(audience[1]).toBe(`  ~ audience: ${pool}/demo -> ${pool}/other`);
    const token = compared(rendered(asking(roles)), rendered(asking(roles, { cloudTokenPath: "/run/token" })));
    expect(token[1]).toBe("  ~ token: /var/run/secrets/openshift/serviceaccount/token -> /run/token");
  });

  it("differ in permissions, by role and by name, and in who may use the account", () => {
    const more = asking({ ...roles, permissions: ["dns.changes.create", "a.b.get"] }, { serviceAccountNames: ["x"] });
    expect(compared(rendered(asking(roles)), rendered(more)).slice(0, 7)).toEqual([
      "broadened and narrowed: GCP ns-one/credentials",
      "  - system:serviceaccount:ns-one:one-operator can use it",
      "  + system:serviceaccount:ns-one:x can use it",
      "  + permission a.b.get",
      "  ~ by name now, and through a role in OLD: dns.changes.create",
      "",
      "Verdict, permissions only: broadened and narrowed (1 broadened and narrowed).",
    ]);
  });
});
