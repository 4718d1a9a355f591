import { expect, it } from "vitest";
import { awsResources } from "../../../src/clouds/aws/resources.ts";

const trust = (sub: unknown, operator = "StringEquals") => ({ Condition: { [operator]: { "i.example:sub": sub } } });
const allow = (Action: unknown) => ({ Effect: "Allow", Action, Resource: "*" });

function detailsOf(trusted: readonly unknown[], permissions: readonly unknown[]) {
  const files = {
    "cluster.json": {},
    "roles/a/create-role.json": { RoleName: "a", Path: "/" },
    "roles/a/trust-policy.json": { Statement: trusted },
    "roles/a/permissions-policy.json": { Statement: permissions },
    "roles/a/put-role-policy.json": { RoleName: "a", PolicyName: "a" },
    "roles/a/attach-role-policy-1.json": { RoleName: "a", PolicyArn: "arn:aws:iam::aws:policy/P" },
  };
  const texts = Object.entries(files).map(([path, value]) => [`aws/${path}`, JSON.stringify(value)] as const);
  return awsResources(new Map(texts)).wanted.map(({ detail }) => detail);
}

it.each<[string, readonly unknown[], readonly unknown[], (string | undefined)[]]>([
  ["one", [trust("a")], [allow("s3:Get")], ["trusts 1 service account", "1 permission"]],
  [
    "two issuers and repeated actions",
    [trust(["a", "b"]), trust(["a", "b"])],
    [allow(["s3:Get", "s3:List*"]), allow("s3:Get"), { ...allow("s3:Put"), Effect: "Deny" }],
    ["trusts 2 service accounts", "2 permissions (1 with *)"],
  ],
  // What cannot be counted is not counted as nothing.
  ["a pattern of subjects", [trust("a"), trust("*", "StringLike")], [allow("s3:Get")], [undefined, "1 permission"]],
  [
    "all but some actions",
    [trust("a")],
    [allow("s3:Get"), { Effect: "Allow", NotAction: "s3:*" }],
    ["trusts 1 service account", undefined],
  ],
  ["nothing", [], [], [undefined, undefined]],
])("the line of a role counts whom it trusts and what it allows: %s", (_, trusted, permissions, [role, policy]) => {
  expect(detailsOf(trusted, permissions)).toEqual([role, policy, "attached policy arn:aws:iam::aws:policy/P"]);
});
