import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Any, expectClean, expectFinding, identity, makeCredentials, makeIssuer } from "../../helpers/cluster.ts";
import { gcpRequest, withGcpIssuer } from "../../helpers/gcp-cluster.ts";
import { expectFindings } from "../../helpers/golden.ts";

/** What a package has beside the required fields and one request. */
interface Change {
  readonly spec?: Any;
  readonly issuer?: Any;
  readonly gcp?: Any;
  /** What the status of the Infrastructure says of the platform. */
  readonly live?: Any;
  readonly providerSpec?: Any;
}

const infrastructure = (gcp: Any): Any => ({
  apiVersion: "config.openshift.io/v1",
  kind: "Infrastructure",
  metadata: { name: "cluster" },
  status: { platformStatus: { type: "GCP", gcp } },
});

/** Each function that reads what is changed. */
function runsOf({ spec, issuer, gcp, live, providerSpec }: Change) {
  const config = withGcpIssuer(issuer, gcp, spec);
  const items = live === undefined ? [] : [infrastructure(live)];
  const credentials = makeCredentials(config, [gcpRequest("one", { providerSpec }), ...items]);
  return {
    ...(providerSpec === undefined && { "generate-oidc-issuer": makeIssuer(config, items) }),
    "generate-cloud-credentials": credentials,
  };
}

const projectIDs = ["short", "a".repeat(31), "My-project", "1my-project", "my-project-", "my_project"];
const domainIDs = ["a:b:my-project", ":my-project", "a..b:my-project", "-a:my-project", "a.:my-project"];
const universe = "apis-example.goog";
const previous = ["https://oidc.example.com/before"];
const badIssuers = ["http://oidc.example.com", "https://oidc.example.com/", "https://user@oidc.example.com"];

const permissions = ["*", "compute.*", "compute.disks", "Compute.disks.get", "compute..get", "compute.disks.get."];
const morePermissions = ["a/b/c.d.e", "1.b.c", "a.b.*", ""];
const roles = ["dns.admin", "roles/", "roles/dns admin", "folders/1/roles/x", "projects/p/x"];
const basicRoles = ["roles/owner", "roles/editor", "roles/viewer"];
const customRoles = ["organizations/123/roles/x.y", "projects/other-project/roles/own_role"];

const changes: readonly Change[] = [
  ...[...projectIDs, ...domainIDs].map((projectID) => ({ gcp: { projectID } })),
  ...[123456789012, "my-project", "012345", "0", "1".repeat(20)].map((projectNumber) => ({ gcp: { projectNumber } })),
  { gcp: { projectID: undefined, projectNumber: undefined } },
  ...["Apis.example", "https://apis.example", "apis", "apis.example/"].map((universeDomain) => ({
    gcp: { universeDomain },
  })),
  ...["EU", "us east1", ""].map((region) => ({ gcp: { region } })),
  ...["abc", "a".repeat(33), "gcp-demo", "a_bc", "Demo"].map((pool) => ({ gcp: { pool } })),
  ...["abc", "gcp-demo"].map((provider) => ({ gcp: { provider } })),
  { gcp: { attributeCondition: "a\u0001" } },
  ...["abc", "a".repeat(33), "gcp-one", "google-one"].map((resourcePrefix) => ({ spec: { resourcePrefix } })),
  ...["ab", "a".repeat(64), "keys.example", "Keys", "keys-", "_keys", "goog-keys", "my-google-keys"].map((bucket) => ({
    gcp: { keyStorage: "Bucket", bucket },
  })),
  { issuer: { audiences: Array.from({ length: 11 }, (_, index) => `a${index}`) } },
  { issuer: { previous } },
  { issuer: { url: "https://storage.googleapis.com/other" }, gcp: { keyStorage: "Bucket" } },
  { gcp: { keyStorage: "External" } },
  { issuer: { url: "https://oidc.example.com" }, gcp: { keyStorage: "External", bucket: "keys" } },
  ...badIssuers.flatMap((url) =>
    ["PoolJWKFile", "External"].map((keyStorage) => ({ issuer: { url }, gcp: { keyStorage } })),
  ),
  { live: { projectID: "other-project" } },
  { live: { universeDomain: universe } },
  { gcp: { universeDomain: universe }, live: { universeDomain: "googleapis.com" } },
  {
    spec: { resourcePrefix: "abc" },
    issuer: { previous },
    gcp: { keyStorage: "Bucket", bucket: "goog-keys" },
    live: { projectID: "other-x" },
  },
  // The issuer is the bucket of another project, or is not.
  {},
  { gcp: { keyStorage: "Bucket" } },
  { issuer: { url: "https://oidc.example.com" } },
  ...[...permissions, ...morePermissions].map((permission) => ({ providerSpec: { permissions: [permission] } })),
  ...[...roles, ...basicRoles].map((role) => ({ providerSpec: { predefinedRoles: [role] } })),
  { providerSpec: { predefinedRoles: [] } },
  { providerSpec: { predefinedRoles: null, permissions: null } },
  { providerSpec: { predefinedRoles: undefined } },
  { providerSpec: { predefinedRoles: customRoles } },
  { providerSpec: { predefinedRoles: ["PROJECT_ID", "roles/dns.admin"], permissions: ["${PERMISSION}"] } },
];

it("each problem is reported in full, at its field, and only once, by each function that reads it", () => {
  expectFindings("gcp.txt", changes, runsOf);
});

it("a custom role of a project or an organization is bound", () => {
  const made = makeCredentials(withGcpIssuer({}), [
    gcpRequest("one", { providerSpec: { predefinedRoles: customRoles } }),
  ]);
  expect(made.bundle("gcp/identities/ns-one-credentials.yaml")["bindings.json"].project).toEqual(customRoles);
});

it.each([{ projectID: "my-project", region: "us-east1" }, { projectID: "", universeDomain: "" }, undefined])(
  "the Infrastructure is compared only in what it says, and its region is not the bucket's: %j",
  (gcp) => {
    const made = makeIssuer(withGcpIssuer({}, { keyStorage: "Bucket" }), [infrastructure(gcp)]);
    expectClean(made);
    expect(made.bundle("gcp/issuer.yaml")["bucket.json"].location).toBe("US");
  },
);

describe("a signing key", () => {
  const pem = (namedCurve: string) =>
    generateKeyPairSync("ec", { namedCurve }).publicKey.export({ type: "spki", format: "pem" }).toString();
  const issuerWith = (curve: string) => ({ signingKeys: [{ publicKey: pem(curve) }] });

  it.each([
    ["P-384", "ES384"],
    ["P-521", "ES512"],
  ])("on %s is refused, because Google Cloud accepts no %s", (curve, algorithm) => {
    const made = makeIssuer(withGcpIssuer(issuerWith(curve)));
    expect(expectFinding(made, "error", "signing-key-unsupported")).toBe(
      `"spec.issuer.signingKeys[0]" is a key for ${algorithm} (ECDSA, ${curve}), and Google Cloud accepts only RS256 and ES256. Create an RSA key, for example with "ccf create-key-pair".`,
    );
    expect(made.results[0].field.path).toBe("spec.issuer.signingKeys[0]");
  });

  it("on P-256 is accepted, and published with its two coordinates", () => {
    const made = makeIssuer(withGcpIssuer(issuerWith("P-256")));
    expectClean(made);
    const [key] = made.bundle("gcp/issuer.yaml")["keys.json"].keys;
    expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
    expect(key).toMatchObject({ alg: "ES256", crv: "P-256", kty: "EC" });
  });

  it("on P-384 is accepted for AWS, as before", () => {
    const { results } = makeIssuer(identity({ spec: { issuer: issuerWith("P-384") } }));
    expect(results.map(({ tags }) => tags.code)).not.toContain("signing-key-unsupported");
  });
});
