import type { Bucket, Tag } from "../helpers/amazon/types.ts";
import type { State } from "../helpers/aws-stub/index.ts";
import { bucket, roles } from "../helpers/exported-package.ts";

const theirs = { Key: "team", Value: "platform" };
const everything = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] };

/** Manual changes to the public part of a package: each setting that is in the package, and additional tags. */
export function drifted(applied: State): State {
  const state = structuredClone(applied);
  const [first, second] = roles;
  const itsBucket = state.buckets[bucket];
  if (itsBucket !== undefined) driftBucket(itsBucket);
  for (const provider of Object.values(state.providers).filter(({ tags }) => tags.some(isName))) {
    provider.tags = [...withoutName(provider.tags), theirs];
    provider.clientIds = ["openshift", "https://else.example.com"];
    provider.thumbprints = ["f".repeat(40)];
  }
  const role = state.roles[first];
  if (role === undefined) throw new Error("it was not applied");
  role.trustPolicy = { ...everything, Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: "*" }] };
  role.description = "by hand";
  role.tags = [...withoutName(role.tags), theirs];
  role.permissionsBoundary = "arn:aws:iam::aws:policy/ReadOnlyAccess";
  role.inlinePolicies = { [first]: everything, more: everything };
  role.attachedPolicies = ["arn:aws:iam::aws:policy/AdministratorAccess"];
  delete state.roles[second];
  return state;
}

function driftBucket(itsBucket: Bucket): void {
  itsBucket.tags = [...withoutName(itsBucket.tags ?? []), theirs, { Key: "aws:cloudformation:stack-name", Value: "x" }];
  itsBucket.publicAccessBlock = {
    BlockPublicAcls: false,
    IgnorePublicAcls: true,
    BlockPublicPolicy: false,
    RestrictPublicBuckets: false,
  };
  const [statement] = everything.Statement;
  const Statement = [{ ...statement, Principal: "*", Resource: `arn:aws:s3:::${bucket}/*` }];
  itsBucket.policy = JSON.stringify({ ...everything, Statement });
  itsBucket.objects["keys.json"] = { body: "{}", headers: { ContentType: "application/json" }, metadata: {} };
  const discovery = itsBucket.objects[".well-known/openid-configuration"];
  if (discovery !== undefined) discovery.headers["ContentType"] = "text/plain";
}

const isName = ({ Key, Value }: Tag) => Key === "Name" && Value === "demo";
const withoutName = (tags: readonly Tag[]) => tags.filter((tag) => !isName(tag));
