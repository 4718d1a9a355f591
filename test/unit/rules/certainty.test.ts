import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factsAbout } from "../../../src/cli/explain/escalations.ts";
import { policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import { assignedGrants, listGrants } from "../../../src/clouds/azure/permissions/terms.ts";
import type { Inspector } from "../../../src/clouds/inspector.ts";
import { inspectors, rulesFor } from "../../../src/clouds/inspectors.ts";
import type { Value } from "../../../src/core/resource.ts";
import type { RenderedIdentity } from "../../../src/permissions/identity.ts";
import type { Permissions } from "../../../src/permissions/permissions.ts";
import type { PolicyDocuments } from "../../../src/permissions/policy-documents.ts";
import { literalGrants, undecidedGrants } from "../../../src/permissions/terms.ts";
import { runs } from "../../helpers/effort.ts";
import { resourceOf } from "../../helpers/resources.ts";

const resource = resourceOf({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "role" } });

/** What an identity has, in the terms of its cloud. */
interface Having {
  /** In one file, or each of its parts in a file of its own. */
  readonly permissions: Permissions;
  readonly files?: readonly Permissions[];
  readonly managedPolicies: readonly string[];
  readonly boundary: string | undefined;
}

/** The codes of the violations, by whether they are certain. */
function judged(
  cloud: Inspector,
  { permissions, files = [permissions], managedPolicies, boundary }: Having,
  documents: PolicyDocuments,
) {
  const identity: RenderedIdentity = {
    ...{ resource, key: "openshift-one/credentials", id: "one", trusts: [], permissions, managedPolicies, boundary },
    ...{ maxSessionDuration: undefined, trustFiles: [], compared: undefined, isOfWorkload: false },
    permissionFiles: files.map((part, index) => ({ field: `data.${index}.json`, permissions: part })),
  };
  const own = { account: "123456789012", names: ["demo"], scopes: [group] };
  const facts = factsAbout(identity, cloud, own, documents);
  return rulesFor(cloud).flatMap(({ code, check }) =>
    check(facts).map(({ isUndecided, message }) => ({ code: String(code), isCertain: isUndecided !== true, message })),
  );
}

const group = "/subscriptions/1/resourcegroups/demo";

const own = "arn:aws:iam::123456789012:policy/";
const actions = fc.constantFrom(
  ...["*", "iam:*", "iam:Get*", "iam:PassRole", "iam:PutRolePolicy", "sts:*", "sts:AssumeRole", "ec2:RunInstances"],
  ...["ec2:*", "lambda:CreateFunction", "lambda:InvokeFunction", "ssm:SendCommand", "s3:GetObject", "?am:Pass*"],
);
const resources = fc.constantFrom(
  "*",
  "arn:aws:iam::*:role/*",
  "arn:aws:iam::123456789012:role/one",
  "arn:aws:s3:::demo/*",
);
const secure = { Bool: { "aws:SecureTransport": "true" } };
const tagged = { StringEquals: { "aws:ResourceTag/kubernetes.io/cluster/demo": "owned" } };
const strange = { DateOddly: { "aws:CurrentTime": "now" } };
const statementOf = (Effect: string): fc.Arbitrary<Value> =>
  fc
    .record({
      action: fc.array(actions, { minLength: 1, maxLength: 3 }),
      resource: resources,
      condition: fc.option(fc.constantFrom(secure, tagged, strange), { nil: undefined }),
      form: fc.constantFrom("plain", "plain", "plain", "NotAction", "NotResource", "unknown"),
    })
    .map(({ action, resource: on, condition, form }) => ({
      Effect,
      ...(form === "NotAction" ? { NotAction: action } : { Action: action }),
      ...(form === "NotResource" ? { NotResource: on } : { Resource: on }),
      ...(condition === undefined ? {} : { Condition: condition }),
      ...(form === "unknown" ? { Strange: "x" } : {}),
    }));
const allow = statementOf("Allow");
const policy = fc.array(fc.oneof({ arbitrary: allow, weight: 3 }, statementOf("Deny")), { maxLength: 4 });
const allowing = fc.array(allow, { maxLength: 4 });
const grants = (statements: readonly Value[]) => policyPermissions({ Statement: [...statements] });

/** What can be attached to a role. The documents of some policies are known. */
const attached = fc.constantFrom(
  ...["one", "two", "three"].map((name) => `${own}${name}`),
  ...["AdministratorAccess", "AmazonSSMFullAccess", "ReadOnlyAccess"].map((name) => `arn:aws:iam::aws:policy/${name}`),
);

const gcpPermissions = fc.constantFrom(
  ...["iam.serviceAccounts.actAs", "compute.disks.setIamPolicy", "compute.disks.get", "iam.*"],
);
const gcpRoles = fc.constantFrom(
  "roles/storage.admin",
  "roles/dns.admin",
  "roles/bigquery.user",
  "roles/owner",
  "roles/*",
);
const azureActions = fc.constantFrom(
  ...["*", "Microsoft.Authorization/roleAssignments/write", "Microsoft.Compute/*", "Microsoft.Network/read", "a?b"],
);
const azureRoles = fc.constantFrom("Owner", "Contributor", "Reader", "Virtual Machine Contributor", "Other", "a*");
const unread = fc.constant(undecidedGrants("it cannot be read"));

const parts: Readonly<Record<string, fc.Arbitrary<Permissions>>> = {
  GCP: fc.oneof(
    fc.array(gcpPermissions, { maxLength: 3 }).map((names) => literalGrants("permission", names)),
    fc.array(gcpRoles, { maxLength: 2 }).map((names) => literalGrants("role", names)),
    unread,
  ),
  Azure: fc.oneof(
    fc
      .tuple(fc.array(azureActions, { maxLength: 3 }), fc.array(azureActions, { maxLength: 2 }))
      .map(([all, not]) =>
        listGrants({ actions: all, notActions: not, dataActions: undefined, notDataActions: undefined }, [group]),
      ),
    fc.array(azureRoles, { maxLength: 2 }).map((names) => assignedGrants(names, [group])),
    unread,
  ),
};

function cloudOf(title: string): Inspector {
  const found = inspectors.find((one) => one.title === title);
  if (found === undefined) throw new Error(`unknown cloud: ${title}`);
  return found;
}

/** Whatever is added, a certain violation stays, and stays certain. */
function expectKept(cloud: Inspector, before: Having, after: Having, documents: PolicyDocuments): void {
  const [old, now] = [judged(cloud, before, documents), judged(cloud, after, documents)];
  const certain = new Set(now.filter(({ isCertain }) => isCertain).map(({ code }) => code));
  for (const { code, isCertain, message } of old) if (isCertain) expect([...certain], message).toContain(code);
}

describe("a certain violation stays certain", () => {
  it("whatever is allowed or attached besides on AWS", () => {
    const cases = fc.record({
      statements: policy,
      more: fc.array(allow, { maxLength: 2 }),
      managed: fc.uniqueArray(attached, { maxLength: 2 }),
      added: fc.uniqueArray(attached, { maxLength: 2 }),
      boundary: fc.option(fc.constantFrom(`${own}boundary`, `${own}unknown`), { nil: undefined }),
      // A denial in a known document is a fact, which may remove a violation like a denial in the role's own policy.
      documents: fc.record({ one: allowing, two: allowing, boundary: policy }),
    });
    let count = 0;
    fc.assert(
      fc.property(cases, ({ statements, more, managed, added, boundary, documents: texts }) => {
        const documents = new Map(Object.entries(texts).map(([name, text]) => [`${own}${name}`, grants(text)]));
        const before = { permissions: grants(statements), managedPolicies: managed, boundary };
        const all = [...new Set([...managed, ...added])];
        const after = { permissions: grants([...statements, ...more]), managedPolicies: all, boundary };
        count += judged(cloudOf("AWS"), before, documents).filter(({ isCertain }) => isCertain).length;
        expectKept(cloudOf("AWS"), before, after, documents);
      }),
      { numRuns: runs(2000, 150) },
    );
    expect(count).toBeGreaterThan(40);
  });

  it.each(Object.entries(parts))("whatever is granted besides on %s", (title, part) => {
    let count = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 3 }), fc.array(part, { maxLength: 2 }), (some, more) => {
        const having = (list: readonly Permissions[]) => ({
          ...{ permissions: list.flat(), files: list, managedPolicies: [], boundary: undefined },
        });
        count += judged(cloudOf(title), having(some), new Map()).filter(({ isCertain }) => isCertain).length;
        expectKept(cloudOf(title), having(some), having([...more, ...some]), new Map());
      }),
      { numRuns: runs(2000, 150) },
    );
    expect(count).toBeGreaterThan(40);
  });
});
