import { describe, expect, it } from "vitest";
import { policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import { assignedGrants, listGrants } from "../../../src/clouds/azure/permissions/terms.ts";
import { inspectors } from "../../../src/clouds/inspectors.ts";
import { reachIn } from "../../../src/clouds/permissions.ts";
import type { RenderedCluster } from "../../../src/clouds/rendered.ts";
import type { ValueMap } from "../../../src/core/resource.ts";
import type { Holder } from "../../../src/permissions/identity.ts";
import type { Permissions } from "../../../src/permissions/permissions.ts";
import { reachLine } from "../../../src/permissions/reach.ts";
import { literalGrants } from "../../../src/permissions/terms.ts";
import { resourceOf } from "../../helpers/resources.ts";

const own = "/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/demo";

/** How the only identity of a package reaches beyond a cluster "demo" with the infrastructure name "demo-x7k2p". */
function reach(cloud: string, permissions: Permissions, more: Partial<Holder> = {}, ownScopes = [own]) {
  const inspector = inspectors.find(({ name }) => name === cloud);
  if (inspector === undefined) throw new Error("unknown cloud");
  const identity = { key: "ns/one", id: "id-one", permissions, managedPolicies: [], boundary: undefined, ...more };
  const cluster = { account: "demo-project", resourcePrefix: "demo", ownScopes, identities: [identity] };
  const infrastructure = resourceOf({
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    status: { infrastructureName: "infra-x7k2p" },
  });
  const [found] = reachIn({ inspector, cluster: cluster as unknown as RenderedCluster, items: [infrastructure] });
  return found;
}

const statement = (
  action: string | readonly string[],
  resource: string | readonly string[] = "*",
  condition?: object,
) => ({
  Effect: "Allow",
  Action: action,
  Resource: resource,
  ...(condition === undefined ? {} : { Condition: condition }),
});
const deny = (condition?: object, action = "*") => ({ ...statement(action, "*", condition), Effect: "Deny" });
const aws = (...Statement: object[]) => reach("aws", policyPermissions({ Statement } as unknown as ValueMap));
const tag = "aws:ResourceTag/kubernetes.io/cluster/demo-x7k2p";
const creating = { StringEquals: { "aws:RequestTag/kubernetes.io/cluster/demo-x7k2p": "owned" } };
const secure = { Bool: { "aws:SecureTransport": "true" } };
const elb = "arn:aws:elasticloadbalancing:*:*:loadbalancer";

describe("on AWS, a permission", () => {
  it.each<[string, object[]]>([
    ["on a name", [statement("s3:PutObject", "arn:aws:s3:::any-bucket/*")]],
    ["on a whole ARN", [statement("route53:ChangeResourceRecordSets", "arn:aws:route53:::hostedzone/Z1")]],
    ["on names with the prefix", [statement("s3:*", "arn:aws:s3:::demo-image-registry-*")]],
    ["on names with the infrastructure name", [statement("iam:*", "arn:aws:iam::*:role/infra-x7k2p-*")]],
    ["under a tag of the cluster", [statement("ec2:*", "*", { StringEquals: { [tag]: "owned" } })]],
    [
      "under a tag of the infrastructure name",
      [statement("ec2:*", "*", { StringLike: { "ec2:ResourceTag/kubernetes.io/cluster/infra-x7k2p": "*" } })],
    ],
    ["under any value of a tag of the cluster", [statement("ec2:*", "*", { Null: { [tag]: "false" } })]],
    ["under a name in a tag", [statement("ec2:*", "*", { StringLike: { "aws:ResourceTag/Name": "demo-*" } })]],
    ["to create something with a tag", [statement("ec2:CreateVolume", "*", creating)]],
    ["that is denied", [statement("ec2:DeleteVolume"), deny()]],
    ["that is denied beyond the tag", [statement("ec2:*"), deny({ StringNotEquals: { [tag]: "owned" } })]],
    ["that is denied without the tag", [statement("ec2:*"), deny({ Null: { [tag]: "true" } })]],
    ["that is denied under its own condition", [statement("ec2:*", "*", secure), deny(secure)]],
    [
      "that is denied under its own condition without the tag",
      [statement("ec2:*", "*", secure), deny({ ...secure, Null: { [tag]: "true" } })],
    ],
    [
      "under conditions that contradict each other",
      [statement("ec2:*", "*", { ...secure, StringEquals: { "aws:SecureTransport": "false" } })],
    ],
  ])("%s does not reach beyond the cluster", (_, statements) => {
    expect(aws(...statements)).toBeUndefined();
  });

  it.each<[string, object[]]>([
    ["on everything", [statement("ec2:DeleteVolume")]],
    ["on names of another cluster", [statement("ec2:DeleteVolume", "arn:aws:ec2:*:*:volume/demox-*")]],
    ["on names that only begin like the cluster's", [statement("ec2:DeleteVolume", "arn:aws:ec2:*:*:volume/demo*")]],
    ["on names with anything before it", [statement("ec2:DeleteVolume", "arn:aws:ec2:*:*:volume/*demo-*")]],
    ["on a type", [statement("ec2:DeleteVolume", `${elb}/net/*/*`)]],
    ["on any bucket", [statement("ec2:DeleteVolume", "arn:aws:s3:::*")]],
    [
      "that is denied on one resource of two",
      [
        statement("ec2:DeleteVolume", [`${elb}/net/*/*`, `${elb}/app/*/*`]),
        { ...statement("*", `${elb}/net/*/*`), Effect: "Deny" },
      ],
    ],
    ["on one resource of two", [statement("ec2:DeleteVolume", ["arn:aws:s3:::one", "*"])]],
    [
      "under the tag of another cluster",
      [
        statement("ec2:DeleteVolume", "*", {
          StringEquals: { "aws:ResourceTag/kubernetes.io/cluster/other": "owned" },
        }),
      ],
    ],
    [
      "under a tag of any cluster",
      [statement("ec2:DeleteVolume", "*", { Null: { "aws:ResourceTag/elbv2.k8s.aws/cluster": "false" } })],
    ],
    ["if the tag exists", [statement("ec2:DeleteVolume", "*", { StringEqualsIfExists: { [tag]: "owned" } })]],
    ["without the tag", [statement("ec2:DeleteVolume", "*", { StringNotEquals: { [tag]: "owned" } })]],
    ["under the tag of the request", [statement("ec2:DeleteVolume", "*", creating)]],
    ["under another condition", [statement("ec2:DeleteVolume", "*", { Bool: { "aws:SecureTransport": "true" } })]],
    [
      "that is denied under a condition",
      [statement("ec2:DeleteVolume"), deny({ Bool: { "aws:SecureTransport": "false" } })],
    ],
    ["that is denied with the tag", [statement("ec2:DeleteVolume"), deny({ StringEquals: { [tag]: "owned" } })]],
  ])("%s reaches beyond it", (_, statements) => {
    expect(aws(...statements)).toMatchObject({
      answer: "changes",
      changes: ["ec2:DeleteVolume"],
      reads: [],
      undecided: [],
    });
  });

  it("to change tags reaches beyond the cluster, whatever tag is set", () => {
    expect(aws(statement("ec2:CreateTags", "*", creating))?.changes).toEqual(["ec2:CreateTags"]);
  });

  it("is told by what it does", () => {
    const all = aws(statement(["ec2:DeleteVolume", "ec2:Describe*", "ec2:*", "s3:GetObject", "kms:Decrypt"]));
    expect(all).toEqual({
      identity: "id-one",
      secret: "ns/one",
      answer: "changes",
      mayChange: true,
      changes: ["ec2:*", "ec2:DeleteVolume", "kms:Decrypt"],
      reads: ["ec2:Describe*", "s3:GetObject"],
      undecided: [],
      why: 'neither a name nor a condition on a tag limits "*" to the cluster',
    });
    expect(aws(statement("ec2:describevolumes"))).toMatchObject({ answer: "reads", reads: ["ec2:describevolumes"] });
  });

  it("is undecided with a boundary, a managed policy, or a statement that cannot be read", () => {
    const permissions = policyPermissions({ Statement: [statement("ec2:*")] } as unknown as ValueMap);
    const boundary = "arn:aws:iam::123456789012:policy/b";
    expect(reach("aws", permissions, { boundary })).toMatchObject({
      answer: "undecided",
      changes: ["ec2:*"],
      undecided: [`the document of the permissions boundary "${boundary}" is not in the package`],
    });
    const reading = policyPermissions({ Statement: [statement("ec2:Describe*")] } as unknown as ValueMap);
    expect(reach("aws", reading, { boundary })).toMatchObject({
      answer: "undecided",
      mayChange: false,
      reads: ["ec2:Describe*"],
      undecided: [`the document of the permissions boundary "${boundary}" is not in the package`],
    });
    // A managed policy may also deny it.
    expect(reach("aws", permissions, { managedPolicies: ["arn:aws:iam::aws:policy/M"] })).toMatchObject({
      answer: "undecided",
      changes: ["ec2:*"],
    });
    expect(reach("aws", [], { managedPolicies: ["arn:aws:iam::aws:policy/M"] })).toMatchObject({
      answer: "undecided",
      changes: [],
      undecided: ["the definition of the managed policy arn:aws:iam::aws:policy/M is not known"],
    });
    expect(aws({ Effect: "Allow", NotAction: "iam:*", Resource: "*" })?.answer).toBe("undecided");
  });

  it("is undecided if its denials are too complex", () => {
    const core = `a${"?".repeat(20)}b`;
    const allowed = { Effect: "Allow", Action: `ec2:*${core}*`, Resource: "*" };
    const denied = { Effect: "Deny", Action: [`ec2:?*${core}*`, `ec2:${core}*`], Resource: "*" };
    expect(aws(allowed, denied)).toMatchObject({
      answer: "undecided",
      changes: [],
      undecided: [`the denials have too many wildcards to compare them with ec2:*${core}*`],
      mayChange: true,
    });
    expect(aws({ ...allowed, Action: ["ec2:DeleteVolume", allowed.Action] }, denied)).toMatchObject({
      answer: "changes",
      changes: ["ec2:DeleteVolume"],
      undecided: [expect.stringContaining("too many wildcards")],
    });
  });

  it("is undecided if the conditions of its denials are too complex", () => {
    const from = (vpc: string) => ({ StringEquals: { "aws:SourceVpc": vpc } });
    const denials = Array.from({ length: 30 }, (_, index) => deny(from(`vpc-${index}`)));
    expect(aws(statement("ec2:DeleteVolume", "*", from("x".repeat(70_000))), ...denials)?.answer).toBe("undecided");
  });
});

describe("on GCP, a role", () => {
  const gcp = (roles: string[], permissions: string[] = []) =>
    reach("gcp", [...literalGrants("role", roles), ...literalGrants("permission", permissions)]);

  it("reaches the whole project", () => {
    expect(gcp(["roles/dns.admin"], ["compute.disks.list", "compute.disks.delete"])).toMatchObject({
      answer: "changes",
      changes: ["compute.disks.delete", "roles/dns.admin"],
      reads: ["compute.disks.list"],
      why: 'its roles apply to the whole project "demo-project"',
    });
    expect(gcp(["roles/of.mine"])).toMatchObject({
      answer: "undecided",
      undecided: ["the definition of the role roles/of.mine is not known"],
    });
    expect(gcp([])).toBeUndefined();
  });

  it("may only read, unless it reads tokens", () => {
    expect(gcp([], ["compute.disks.get", "storage.buckets.getIamPolicy"])?.answer).toBe("reads");
    expect(gcp([], ["iam.serviceAccounts.getAccessToken"])?.answer).toBe("changes");
  });
});

describe("on Azure, a role", () => {
  const azure = (scope: string, names: string[], scopes = [own]) =>
    reach("azure", assignedGrants(names, [scope]), {}, scopes);
  const subscription = own.split("/", 3).join("/");

  it("does not reach beyond the resource groups of the cluster", () => {
    expect(azure(own, ["Contributor", "Mine"])).toBeUndefined();
    expect(azure(own.toUpperCase(), ["Contributor"])).toBeUndefined();
    expect(azure(`${own}-net/providers/Microsoft.Network/virtualNetworks/v`, ["Contributor"])).toBeUndefined();
  });

  it("reaches beyond the cluster at another group, a subscription, and above", () => {
    for (const scope of [`${own}-net`, subscription, "/", "/providers/Microsoft.Management/managementGroups/m"]) {
      expect(azure(scope, ["Contributor", "Reader"])).toMatchObject({
        answer: "changes",
        changes: ["Contributor"],
        reads: ["Reader"],
        why: `it has roles on "${scope}", which is more than the cluster's resource groups`,
      });
    }
    expect(azure(subscription, ["Mine"])?.answer).toBe("undecided");
    expect(azure(own, ["Contributor"], [])).toMatchObject({
      answer: "undecided",
      undecided: ["the package does not name the resource groups of the cluster"],
    });
  });

  it("is told with its exceptions", () => {
    const lists = {
      actions: ["A.B/*", "A.C/d/read"],
      notActions: ["A.B/x/write"],
      dataActions: undefined,
      notDataActions: undefined,
    };
    expect(reach("azure", listGrants(lists, [subscription]))).toMatchObject({
      changes: ["A.B/* (except A.B/x/write)"],
      reads: ["A.C/d/read"],
    });
  });
});

it("names only some of many resources", () => {
  const buckets = Array.from({ length: 12 }, (_, index) => `arn:aws:s3:::${index + 10}*`);
  const why = (count: number) => aws(statement("s3:PutObject", buckets.slice(0, count)))?.why;
  expect(why(10)).toContain('"arn:aws:s3:::19*"');
  expect(why(10)).not.toContain("more");
  expect(why(12)).toContain('"arn:aws:s3:::19*", and 2 more');
});

it.each<[Parameters<typeof reachLine>[0]["answer"], number, boolean, string]>([
  ["reads", 0, false, "beyond the cluster only to read: why"],
  ["undecided", 0, false, "beyond the cluster only to read, perhaps: why"],
  ["undecided", 0, true, "beyond the cluster, perhaps: why"],
  ["changes", 1, true, "beyond the cluster with 0: why"],
  ["changes", 3, true, "beyond the cluster with 0, 1, 2: why"],
  ["undecided", 5, true, "beyond the cluster with 0, 1, 2, 2 more, perhaps: why"],
])("a line about what %s and has %j actions that change something", (answer, count, mayChange, line) => {
  const changes = Array.from({ length: count }, (_, index) => String(index));
  expect(
    reachLine({ identity: "", secret: "", reads: [], undecided: [], why: "why", answer, mayChange, changes }),
  ).toBe(line);
});
