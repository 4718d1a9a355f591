import { describe, expect, it } from "vitest";
import { policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import { listGrants } from "../../../src/clouds/azure/permissions/terms.ts";
import { azureRequest } from "../../helpers/azure-requests.ts";
import { type Any, identity, makeCredentials, request, statements } from "../../helpers/cluster.ts";
import { gcpRequest } from "../../helpers/gcp-requests.ts";
import { codesOf, validated } from "../../helpers/validated.ts";

const own = "arn:aws:iam::123456789012:policy/one";
const boundary = "arn:aws:iam::123456789012:policy/boundary";

/** The documents of policies: the actions that each allows on everything, by its ARN. */
function documentsOf(policies: Readonly<Record<string, string | readonly string[]>>) {
  const documents = Object.entries(policies).map(([arn, Action]) => {
    const statement = { Effect: "Allow", Action, Resource: "*" };
    return [arn, policyPermissions({ Statement: [statement as Any] })] as const;
  });
  return new Map(documents);
}

/** What is found in a rendered role with policies, and a request for actions on everything. */
function found(
  { action = ["ec2:DescribeVolumes"], managed = [], limit }: { action?: string[]; managed?: string[]; limit?: string },
  policies: Readonly<Record<string, string | readonly string[]>> = {},
) {
  const roles = limit === undefined ? {} : { roles: { permissionsBoundaryARN: limit } };
  const overrides =
    managed.length === 0 ? {} : { overrides: { "openshift-one/credentials": { managedPolicyARNs: managed } } };
  const config = identity({ aws: { ...roles, ...overrides } });
  const secretRef = { namespace: "openshift-one", name: "credentials" };
  const asked = request("one", { spec: { secretRef, ...statements({ effect: "Allow", action, resource: "*" }) } });
  const made = Object.entries(makeCredentials(config, [asked]).objects);
  const all = validated(
    [config, asked, ...made.map(([, one]) => one)],
    [],
    ["cluster-identity.yaml", "request.yaml", ...made.map(([path]) => path)],
    { documents: documentsOf(policies) },
  );
  return all.filter(({ code }) => code !== "namespace-missing");
}

describe("a managed policy", () => {
  it.each([
    ["arn:aws:iam::aws:policy/AmazonSSMFullAccess", "managed-policy-escalation"],
    ["arn:aws:iam::aws:policy/job-function/SystemAdministrator", "managed-policy-escalation"],
    ["arn:aws-us-gov:iam::aws:policy/AWSLambda_FullAccess", "managed-policy-escalation"],
    ["arn:aws:iam::aws:policy/ReadOnlyAccess", "managed-policy-unjudged"],
    [own, "managed-policy-unjudged"],
    ["arn:aws:iam::123456789012:policy/AmazonSSMFullAccess", "managed-policy-unjudged"],
  ])("%s is %s", (arn, code) => {
    const region = arn.startsWith("arn:aws-us-gov:") ? "us-gov-west-1" : "us-east-2";
    const overrides = { "openshift-one/credentials": { managedPolicyARNs: [arn] } };
    const config = identity({ aws: { region, overrides } });
    const asked = request("one", { spec: { secretRef: { namespace: "openshift-one", name: "credentials" } } });
    const made = Object.entries(makeCredentials(config, [asked]).objects);
    const all = validated([config, asked, ...made.map(([, one]) => one)], [], ["", "", ...made.map(([path]) => path)]);
    const [first] = all.filter((one) => one.code !== "namespace-missing");
    expect(first).toMatchObject({ severity: "warning", code, resource: { kind: "ConfigMap" } });
  });

  it("that is not known is said, with the command that decides", () => {
    expect(found({ managed: [own] }).map(({ message }) => message)).toEqual([
      `has the managed policy "${own}", which cannot be judged, because its document is not known; pass it with "ccf validate --policy-documents FILE", or accept the finding with the reason.`,
    ]);
  });

  it("is judged by its document", () => {
    expect(found({ managed: [own] }, { [own]: "s3:GetObject" })).toEqual([]);
    expect(found({ managed: [own] }, { [own]: "iam:Tag*" })).toMatchObject([
      {
        severity: "error",
        code: "iam-wildcard",
        message: `with the managed policy "${own}" allows IAM actions with a wildcard: "iam:Tag*"; name the actions that the component calls.`,
        resource: { kind: "ConfigMap" },
      },
    ]);
    const ssm = "arn:aws:iam::aws:policy/AmazonSSMFullAccess";
    expect(codesOf(found({ managed: [ssm] }, { [ssm]: "ssm:*" }))).toEqual(["privilege-escalation"]);
    expect(found({ managed: [ssm] }, { [ssm]: "ssm:GetParameter" })).toEqual([]);
  });

  it("is judged together with what the request asks for, which is said only there", () => {
    const passing = { action: ["ec2:RunInstances"], managed: [own] };
    expect(codesOf(found(passing, { [own]: "s3:GetObject" }))).toEqual([]);
    const codes = codesOf(found(passing, { [own]: "iam:PassRole" }));
    expect(codes.sort()).toEqual(["pass-role-any", "privilege-escalation"]);
    const asked = { action: ["iam:PassRole"], managed: [own] };
    const before = codesOf(found(asked, { [own]: "s3:GetObject" }));
    expect(before).toEqual(["pass-role-any"]);
  });
});

describe("a permissions boundary", () => {
  const asked = { action: ["iam:PassRole"], limit: boundary };
  const messages = (policies: Readonly<Record<string, string>> = {}) =>
    found(asked, policies).map(({ code, message }) => [code, message.startsWith("perhaps")]);

  it("leaves it open, unless its document is known", () => {
    expect(messages()).toEqual([["pass-role-any", true]]);
    expect(messages({ [boundary]: "*" })).toEqual([["pass-role-any", false]]);
    expect(messages({ [boundary]: "ec2:*" })).toEqual([]);
  });

  it("limits managed policies, too", () => {
    const attached = { managed: [own], limit: boundary };
    expect(codesOf(found(attached, { [own]: "iam:*", [boundary]: "ec2:*" }))).toEqual([]);
    expect(codesOf(found(attached, { [own]: "sts:*", [boundary]: "*" }))).toContain("sts-wildcard");
  });
});

const codesFor = (object: Any, definitions = new Map()) =>
  codesOf(validated([object], [], [], { definitions })).filter(
    (code) => !/^(?:namespace-missing|role-unknown)$/.test(code),
  );

describe("a role of Google Cloud", () => {
  it.each<[string, string[]]>([
    ["roles/dns.admin", []],
    ["roles/bigquery.user", ["role-unjudged"]],
    ["projects/demo-project/roles/custom", ["role-unjudged"]],
    ["roles/iam.organizationRoleAdmin", ["set-policy-any"]],
    ["roles/resourcemanager.folderAdmin", ["set-policy-any"]],
    ["roles/iam.databasesAdmin", ["act-as-any"]],
    ["roles/securitycenter.admin", ["impersonate-any"]],
  ])("%s: %j", (role, codes) => {
    expect(codesFor(gcpRequest("one", { provider: { predefinedRoles: [role] } }))).toEqual(codes);
  });

  it("is judged by its definition", () => {
    const asked = gcpRequest("one", { provider: { predefinedRoles: ["roles/bigquery.user"] } });
    const definitions = (permissions: string[]) =>
      new Map([["GCP", new Map([["roles/bigquery.user", { permissions }]])]]);
    expect(codesFor(asked, definitions(["bigquery.jobs.create"]))).toEqual([]);
    expect(codesFor(asked, definitions(["iam.serviceAccounts.actAs"]))).toEqual(["act-as-any"]);
  });
});

describe("a role of Azure", () => {
  it.each<[string, string[]]>([
    ["Reader", []],
    ["Cost Management Reader", ["role-unjudged"]],
    ["Role Based Access Control Administrator", ["assign-role-any"]],
    ["managed identity operator", ["act-as-identity-any"]],
    ["Storage Account Key Operator Service Role", ["list-keys-any"]],
    ["Virtual Machine Contributor", ["list-keys-any", "run-command-any"]],
  ])("%s: %j", (role, codes) => {
    expect(codesFor(azureRequest("one", { provider: { roleBindings: [{ role }] } }))).toEqual(codes);
  });

  it("is judged by its definition", () => {
    const asked = azureRequest("one", { provider: { roleBindings: [{ role: "Cost Management Reader" }] } });
    const definitions = (action: string) => {
      const lists = { actions: [action], notActions: [], dataActions: [], notDataActions: [] };
      return new Map([
        ["Azure", new Map([["cost management reader", { permissions: [], grants: listGrants(lists) }]])],
      ]);
    };
    expect(codesFor(asked, definitions("Microsoft.CostManagement/read"))).toEqual([]);
    expect(codesFor(asked, definitions("Microsoft.Authorization/*"))).toEqual(["assign-role-any"]);
  });
});
