import { describe, expect, it } from "vitest";
import { policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import { inspectors } from "../../../src/clouds/inspectors.ts";
import type { ValueMap } from "../../../src/core/resource.ts";
import { sentence, type Weighed } from "../../../src/permissions/answer.ts";
import { questionOf } from "../../../src/permissions/question.ts";
import { literalGrants } from "../../../src/permissions/terms.ts";
import { ActionNames } from "../../../src/permissions/vocabulary.ts";

const clouds = inspectors.map(({ title, terms, questions, features }) => {
  const names = new ActionNames(terms);
  const add = (permissions: ReturnType<typeof policyPermissions>) =>
    names.addHolder({ permissions }, features.roles?.known());
  if (title === "AWS") {
    const Action = ["iam:PassRole", "IAM:passrole", "s3:Put*", "ec2:DeleteVolume"];
    add(policyPermissions({ Statement: [{ Effect: "Allow", Action, Resource: "*" }] } as unknown as ValueMap));
  }
  if (title === "GCP")
    add(literalGrants("permission", ["iam.roles.get", "compute.disks.delete", "compute.disks.deleteTagBinding"]));
  return { cloud: title, notation: terms, operations: questions.operations, names };
});

describe("a word asks for", () => {
  const s3 = { AWS: ["s3:*"] };
  it.each<[string, string, Record<string, string[]>, string]>([
    ["s3:DeleteObject", "action", { AWS: ["s3:DeleteObject"] }, "do s3:DeleteObject"],
    ["compute.*", "action", { GCP: ["compute.*"] }, "do compute.*"],
    ["s3:HeadBucket", "operation", { AWS: ["s3:ListBucket"] }, "do s3:HeadBucket (authorized as s3:ListBucket)"],
    ["UploadPart", "operation", { AWS: ["s3:PutObject"] }, "do UploadPart (authorized as s3:PutObject)"],
    ["upload-part", "operation", { AWS: ["s3:PutObject"] }, "do upload-part (authorized as s3:PutObject)"],
    [
      "S3:deleteobjects",
      "operation",
      { AWS: ["s3:DeleteObject", "s3:DeleteObjectVersion"] },
      "do S3:deleteobjects (authorized as s3:DeleteObject, s3:DeleteObjectVersion)",
    ],
    [
      "compute.instances.insert",
      "operation",
      { GCP: ["compute.instances.create"] },
      "do compute.instances.insert (authorized as compute.instances.create)",
    ],
    ["s3", "service", s3, "do something in s3 (s3:*)"],
    ["S3", "service", s3, "do something in S3 (s3:*)"],
    ["iam", "service", { AWS: ["iam:*"], GCP: ["iam.*"] }, "do something in iam (iam.*, iam:*)"],
    ["passrole", "part", { AWS: ["iam:PassRole"] }, 'do something named "passrole" (iam:PassRole)'],
    [
      "disks.delete",
      "part",
      { GCP: ["compute.disks.delete", "compute.disks.deleteTagBinding"], Azure: [] },
      'do something named "disks.delete" (compute.disks.delete, compute.disks.deleteTagBinding)',
    ],
    ["put*", "none", {}, 'do something named "put*"'],
    ["TagQueue", "guess", { AWS: ["ec2:TagQueue", "iam:TagQueue", "s3:TagQueue"] }, 'do something named "TagQueue"'],
    ["openshift-ingress", "none", {}, 'do something named "openshift-ingress"'],
  ])("%s", (word, is, actions, said) => {
    const question = questionOf(word, clouds);
    const expected = Object.fromEntries(Object.entries(actions).filter(([, some]) => some.length > 0));
    expect({ ...question, actions: Object.fromEntries(question.actions) }).toEqual({ is, said, actions: expected });
  });

  it("nothing but operations before a file is read", () => {
    const empty = clouds.map((cloud) => ({ ...cloud, names: new ActionNames(cloud.notation) }));
    expect(questionOf("HeadObject", empty).is).toBe("operation");
    expect(questionOf("PassRole", empty).is).toBe("none");
  });
});

describe("the names of operations", () => {
  it.each(
    inspectors.flatMap(({ title, questions, terms }) =>
      Object.entries(questions.operations).map(([name, actions]) => [title, name, actions, terms] as const),
    ),
  )("%s: %s is authorized by actions of the cloud, none of which has its name", (_, name, actions, { actionForm }) => {
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) {
      expect(action).toMatch(actionForm);
      expect(action).not.toMatch(/[*?]/);
      expect(action.toLowerCase()).not.toBe(name.toLowerCase());
    }
  });
});

const one = { id: "a", count: 1 };
const answer = (kind: Weighed["answer"], more: Partial<Weighed> = {}): Weighed => ({
  ...{ answer: kind, steps: [], serviceAccounts: [], clusters: [one] },
  ...more,
});
const passing = answer("step", { steps: [{ by: "passing a role" }] });
const over = { packages: 2, identities: 14, actions: 120 };
const none = "No identity in 2 packages (14 identities, 120 actions) can do x";

describe("an answer in a sentence", () => {
  const used = (...serviceAccounts: string[]) => answer("allowed", { serviceAccounts });
  it.each<[string, Weighed[], string]>([
    ["nothing", [], `${none}, and none can reach it in one step.`],
    ["one", [used("s")], "1 identity in 1 cluster can do x, used by 1 service account."],
    ["unused", [used()], "1 identity in 1 cluster can do x, used by no service account."],
    [
      "a service account of two",
      [used("s"), used("s", "t")],
      "2 identities in 1 cluster can do x, used by 2 service accounts.",
    ],
    [
      "several clusters",
      [answer("allowed", { serviceAccounts: ["s"], clusters: [one, { id: "b", count: 3 }] })],
      "4 identities in 4 clusters can do x, used by 4 service accounts.",
    ],
    ["a pattern", [used("s:*")], "1 identity in 1 cluster can do x, used by all that match 1 pattern."],
    [
      "both",
      [used("s", "s:*")],
      "1 identity in 1 cluster can do x, used by 1 service account and by all that match 1 pattern.",
    ],
    [
      "a step more",
      [used("s"), passing],
      "1 identity in 1 cluster can do x, used by 1 service account; 1 more by passing a role.",
    ],
    ["only a step", [passing], `${none}; 1 can reach it by passing a role.`],
    [
      "steps",
      [passing, answer("step", { steps: [{ by: "assuming a role" }, { by: "passing a role" }] })],
      `${none}; 2 can reach it by assuming a role or passing a role.`,
    ],
    ["undecided", [answer("undecided")], `${none} for certain; 1 is undecided.`],
    [
      "everything",
      [used("s"), passing, answer("undecided"), answer("undecided")],
      "1 identity in 1 cluster can do x, used by 1 service account; 1 more by passing a role; 2 are undecided.",
    ],
  ])("%s", (_, answers, expected) => expect(sentence("do x", answers, over)).toBe(expected));

  it("says over what it looked in the singular, too", () => {
    expect(sentence("do x", [], { packages: 1, identities: 1, actions: 1 })).toMatch(
      /^No identity in 1 package \(1 identity, 1 action\) can do x/,
    );
  });
});
