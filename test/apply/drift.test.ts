import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { driftJson } from "../../src/apply/drift.ts";
import { pace } from "../../src/apply/requests.ts";
import { roles } from "../helpers/exported-package.ts";
import { AwsCloud } from "./aws-cloud.ts";
import * as aws from "./aws-engine.ts";
import { AzureCloud } from "./azure-cloud.ts";
import * as azure from "./azure-engine.ts";
import { GcpCloud } from "./gcp-cloud.ts";
import * as gcp from "./gcp-engine.ts";

/** What a status says of what others did to an applied package. */

beforeAll(() => {
  pace.second = 0;
});

describe("on AWS, a status shows", () => {
  it("the statements of a foreign inline policy, and the ARN of an attached one", async () => {
    const [cloud, files, [name]] = [new AwsCloud(), aws.exportedFiles(), roles];
    await aws.apply(cloud, files);
    const role = cloud.state.roles[name];
    if (role === undefined) throw new Error("the role is missing");
    const statement = { Effect: "Allow", Action: "*", Resource: "*" };
    const denial = { Effect: "Deny", Action: "s3:Get*", Resource: "arn:aws:s3:::demo/*" };
    role.inlinePolicies["urgent"] = { Version: "2012-10-17", Statement: [statement, denial] };
    role.attachedPolicies.push("arn:aws:iam::aws:policy/AdministratorAccess");
    expect(driftJson(await aws.plan(aws.open(cloud, files)))).toMatchObject([
      {
        ...{ kind: "inline policy", name: `${name}: urgent`, is: "extra", by: "others" },
        grants: ["allows * on *", "denies s3:Get* on arn:aws:s3:::demo/*"],
      },
      {
        ...{ kind: "attached policy", is: "extra" },
        grants: ["allows what arn:aws:iam::aws:policy/AdministratorAccess allows, whose document is not read"],
      },
    ]);
  });
});

describe("on Google Cloud, a status shows", () => {
  let cloud: GcpCloud;
  beforeAll(async () => {
    cloud = await GcpCloud.start();
  });
  afterAll(() => cloud.stop());

  it("who has which role, and the condition", async () => {
    const files = gcp.exportedFiles();
    await gcp.apply(cloud, files);
    const [id, account] = Object.entries(cloud.state.accounts)[0] ?? [];
    if (id === undefined || account === undefined) throw new Error("the service account is missing");
    account.policy.bindings.push({ role: "roles/iam.serviceAccountTokenCreator", members: ["user:kim@example.com"] });
    const condition = { title: "later", expression: "request.time > x" };
    const members = [`serviceAccount:${id.slice(id.lastIndexOf("/") + 1)}`];
    cloud.state.policy.bindings.push({ role: "roles/owner", members, condition });
    cloud.state.policy.bindings.push({ role: "roles/editor", members });
    const found = driftJson(await gcp.plan(gcp.open(cloud, files)));
    expect(found.map(({ is, by, grants }) => ({ is, by, grants }))).toEqual([
      {
        ...{ is: "extra", by: "others" },
        grants: [
          expect.stringMatching(/^gives user:kim@example\.com the role roles\/iam\.serviceAccountTokenCreator on /),
        ],
      },
      {
        ...{ is: "extra", by: "others" },
        grants: [expect.stringMatching(/ the role roles\/owner on projects\/[^ ]+ if request\.time > x$/)],
      },
      { is: "extra", by: undefined, grants: [expect.stringMatching(/ the role roles\/editor on projects\//)] },
    ]);
  });
});

describe("on Azure, a status shows", () => {
  let cloud: AzureCloud;
  beforeAll(async () => {
    cloud = await AzureCloud.start();
  });
  afterAll(() => cloud.stop());

  it("what a role allows that is assigned, and whose tokens can act as an identity", async () => {
    const files = azure.exportedFiles();
    await azure.apply(cloud, files);
    const [name, identity] = Object.entries(cloud.state.identities)[0] ?? [];
    const [assignment] = Object.values(cloud.state.assignments);
    if (identity === undefined || assignment === undefined) throw new Error("the identity is missing");
    identity.credentials["urgent"] = { issuer: "https://x.example", subject: "s", audiences: ["a"] };
    const assign = (guid: string, role: string) => {
      const id = `${assignment.scope}/providers/microsoft.authorization/roleassignments/${guid}`.toLowerCase();
      cloud.state.assignments[id] = { ...assignment, name: guid, principalId: identity.principalId, role };
    };
    assign("00000000-0000-4000-8000-000000000001", "8e3af657-a8ff-443c-a75c-2fe8c4bcb635");
    assign("00000000-0000-4000-8000-000000000002", "f58310d9-a9f6-439a-9e8d-f62e7b41a168");
    const found = driftJson(await azure.plan(azure.open(cloud, files)));
    expect(found.map(({ kind, is, grants }) => ({ kind, is, grants }))).toEqual(
      expect.arrayContaining([
        {
          ...{ kind: "federated credential", is: "extra" },
          grants: [`lets tokens of https://x.example for s act as ${name?.slice(name.lastIndexOf("/") + 1)}`],
        },
        { kind: "role assignment", is: "extra", grants: ["allows *"] },
        {
          ...{ kind: "role assignment", is: "extra" },
          grants: ["allows what the role f58310d9-a9f6-439a-9e8d-f62e7b41a168 allows, which is not read"],
        },
      ]),
    );
  });
});
