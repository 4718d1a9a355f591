import { expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { runOnList } from "../../../src/krm/run.ts";
import {
  type Any,
  expectClean,
  identity,
  makeCredentials,
  makeIssuer,
  request,
  statements,
} from "../../helpers/cluster.ts";
import { expectFindings } from "../../helpers/golden.ts";

/** What a package has beside the required fields and one request. */
interface Change {
  readonly spec?: Any;
  readonly issuer?: Any;
  readonly aws?: Any;
  /** The region in the status of the Infrastructure. */
  readonly liveRegion?: string;
  /** The issuers of Authentications. */
  readonly liveIssuers?: readonly string[];
  /** The spec of the request. */
  readonly request?: Any;
}

function live(kind: string, object: Any): Any {
  return { apiVersion: "config.openshift.io/v1", kind, metadata: { name: "cluster" }, ...object };
}
const infrastructure = (region: string) =>
  live("Infrastructure", { status: { platformStatus: { type: "AWS", aws: { region } } } });
const authentication = (serviceAccountIssuer: string) => live("Authentication", { spec: { serviceAccountIssuer } });

/** Each function that reads what is changed. */
function runsOf({ spec, issuer, aws, liveRegion, liveIssuers = [], request: ofRequest }: Change) {
  const config = identity({ aws, spec: { issuer: { ...identity().spec.issuer, ...issuer }, ...spec } });
  const items = [...(liveRegion === undefined ? [] : [infrastructure(liveRegion)]), ...liveIssuers.map(authentication)];
  const credentials = makeCredentials(config, [request("one", { spec: ofRequest }), ...items]);
  return {
    ...(ofRequest === undefined && { "generate-oidc-issuer": makeIssuer(config, items) }),
    "generate-cloud-credentials": credentials,
  };
}

const url = "https://oidc.example.com";
const external = { issuerHosting: { type: "External" } };
const badIssuers = [
  "http://x.example.com",
  `https://${"x".repeat(248)}`,
  "see https://x.example.com",
  "https://x.example.com/",
  "https://x.example.com#a",
];
/** Issuers that a URL parser would change. */
const changedIssuers = [`${url}/../x`, `${url}/x/./y`, "https://oidc..example.com", "https://127.1/x"];
const manyTags = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, ""]));

const ofConfig: readonly Change[] = [
  { aws: { region: "us-esat-2" } },
  { aws: { region: undefined } },
  ...["us-east-1/x", "X us-east-1"].map((liveRegion) => ({ aws: { region: undefined }, liveRegion })),
  { aws: { region: "us-east-2" }, liveRegion: "eu-west-1" },
  { aws: { region: "us-east-2", partition: "aws-cn" } },
  ...["abc-", "ab", "abc--table-s3"].map((bucket) => ({ aws: { issuerHosting: { bucket } } })),
  // The bucket's name is derived from the prefix.
  { spec: { resourcePrefix: "a".repeat(59) } },
  { aws: { issuerHosting: { distributionDomain: "d111111abcdef8.cloudfront.net" } } },
  { aws: { issuerHosting: { certificateARN: "arn:aws:acm:us-east-1:123456789012:certificate/x" } } },
  { aws: { issuerHosting: { type: "S3CloudFront", domain: "oidc.example.com" } } },
  { issuer: { url }, aws: { issuerHosting: { type: "External", bucket: "some-bucket" } } },
  { issuer: { url } },
  { aws: external },
  ...[...badIssuers, ...changedIssuers].map((one) => ({ aws: external, liveIssuers: [one] })),
  ...changedIssuers.flatMap((one) => [{ issuer: { url: one }, aws: external }, { issuer: { previous: [url, one] } }]),
  { aws: external, liveIssuers: ["https://b.example.com", "https://a.example.com"] },
  { aws: { roles: { permissionsBoundaryARN: "arn:aws:iam::999999999999:policy/boundary" } } },
  { aws: { overrides: { "ns-one/credentials": { managedPolicyARNs: ["arn:aws-cn:iam::aws:policy/x"] } } } },
  { aws: { identityProviderARN: "arn:aws:iam::123456789012:oidc-provider/other.example.com" } },
  ...[{ "a;b": "x" }, { "AWS:x": "x" }, { NAME: "x" }, { k: "v".repeat(257) }, { "": "" }, manyTags].map((tags) => ({
    aws: { tags },
  })),
  { aws: { overrides: { "ns-two/credentials": { roleName: "own" } } } },
  { spec: { overrides: { "ns-one/credentials": { serviceAccountNames: ["other/account"] } } } },
  { aws: { region: "xx-foo-1", tags: { "aws:a": "", "b;": "" } } },
];

const allow = { effect: "Allow", action: ["ec2:DescribeVolumes"], resource: "*" };
const withCondition = (k: unknown) => statements({ ...allow, policyCondition: { Bool: { k } } });
const longSecret = { namespace: "n".repeat(40), name: "s".repeat(30) };

const ofRequest: readonly Change[] = [
  { request: { serviceAccountNames: [] } },
  { request: { serviceAccountNames: ["fine", "a_b"] } },
  { request: { secretRef: { namespace: "n".repeat(60), name: "x".repeat(177) } } },
  { request: { secretRef: { namespace: "$(NAMESPACE)", name: "../x" } } },
  { aws: { roles: { nameOverflow: "Fail" } }, request: { secretRef: longSecret } },
  ...[[], [true, null]].map((value) => ({ request: withCondition(value) })),
  ...["notAction", "notResource", "principal", "resources"].map((name) => ({
    request: statements({ ...allow, [name]: ["ec2:*"] }),
  })),
  { request: { providerSpec: { kind: "GCPProviderSpec" } } },
];

it("each problem is reported in full, at its field, and only once, by each function that reads it", () => {
  expectFindings("aws.txt", [...ofConfig, ...ofRequest], runsOf);
});

it.each([".inf", "-.inf", ".nan"])("a number that JSON cannot represent is refused: %s", (number) => {
  const config = JSON.stringify(identity());
  const item = JSON.stringify(request("one", { spec: withCondition("NUMBER") })).replace('"NUMBER"', number);
  const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${item}\nfunctionConfig: ${config}\n`;
  const { exitCode, stderr } = runOnList([generateCloudCredentials], Buffer.from(list));
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    '"spec.providerSpec.statementEntries[0].policyCondition.Bool.k" must be a string, a number, true, false, or a list of these. [request-invalid-field]',
  );
});

it("a name that is too long is refused only until an override shortens it", () => {
  const overrides = { [`${longSecret.namespace}/${longSecret.name}`]: { roleName: "short" } };
  const config = identity({ aws: { roles: { nameOverflow: "Fail" }, overrides } });
  const made = makeCredentials(config, [request("one", { spec: { secretRef: longSecret } })]);
  expectClean(made);
  const bundle = made.bundle(`aws/roles/${longSecret.namespace}-${longSecret.name}.yaml`);
  expect(bundle["create-role.json"].RoleName).toBe("short");
});

it("a package without a request of its cloud has no objects", () => {
  const other = request("one", { spec: { providerSpec: { kind: "GCPProviderSpec" } } });
  expect(makeCredentials(identity(), [other]).objects).toEqual({});
});
