import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { roleName } from "../../../src/clouds/aws/identities/identity.ts";
import {
  type Any,
  expectClean,
  expectFinding,
  identity,
  make,
  makeCredentials,
  request,
  statements,
} from "../../helpers/cluster.ts";

const role = "aws/roles/ns-one-credentials.yaml";
const value = request("one");
const allow = { effect: "Allow", action: ["ec2:DescribeVolumes"], resource: "*" };

describe("role names", () => {
  const long = ["demo", "openshift-cloud-credential-operator", "cloud-credential-operator-iam-ro-creds"] as const;

  it.each([
    [["demo", "ns", "secret"], "Truncate", "demo-ns-secret"],
    [["d", "n".repeat(30), "s".repeat(31)], "Fail", `d-${"n".repeat(30)}-${"s".repeat(31)}`],
    [["d", "n".repeat(30), "s".repeat(32)], "Fail", undefined],
    [long, "Truncate", "demo-openshift-cloud-credential-operator-cloud-credential-operat"],
    [long, "Fail", undefined],
  ] as const)("%j with %s: %s", ([prefix, namespace, name], overflow, expected) => {
    expect(roleName(prefix, namespace, name, overflow)).toBe(expected);
  });

  it("with Hash are truncated, end in a hash of the whole name, and stay distinct", () => {
    const hashed = roleName(...long, "Hash") ?? "";
    expect(hashed).toMatch(/^demo-openshift-cloud-credential-operator-[a-z-]+-[0-9a-f]{8}$/);
    expect(hashed.length).toBeLessThanOrEqual(64);
    expect(roleName(long[0], long[1], `${long[2]}-2`, "Hash")).not.toBe(hashed);
    expect(roleName(long[0], long[1], long[2], "Hash")).toBe(hashed);
  });

  const twins = (): Any[] =>
    ["a", "b"].map((end) =>
      request(`r-${end}`, {
        spec: {
          secretRef: { namespace: "openshift-cloud-credential-operator", name: `cloud-credential-operator-${end}` },
        },
      }),
    );

  it("that are equal after truncation are an error that names both requests", () => {
    const config = identity({ spec: { resourcePrefix: "demo", issuer: identity().spec.issuer } });
    const made = makeCredentials(config, [...twins(), value]);
    expect(expectFinding(made, "error", "role-name-collision")).toBe(
      'CredentialsRequest "openshift-cloud-credential-operator/r-a" and CredentialsRequest "openshift-cloud-credential-operator/r-b" would get the same role "demo-openshift-cloud-credential-operator-cloud-credential-operat", and the permissions of the second would replace those of the first. Set "spec.platform.aws.roles.nameOverflow" to "Hash", or set "roleName" in "spec.platform.aws.overrides" for "openshift-cloud-credential-operator/cloud-credential-operator-b" to another name.',
    );
    expectClean(makeCredentials(identity({ aws: { roles: { nameOverflow: "Hash" } } }), twins()));
    expect(
      expectFinding(
        makeCredentials(identity({ aws: { roles: { nameOverflow: "Fail" } } }), twins().slice(1)),
        "error",
        "role-name-too-long",
      ),
    ).toContain(
      '"demo-openshift-cloud-credential-operator-cloud-credential-operator-b" has 68 characters; IAM allows at most 64',
    );
  });

  it("are not case-sensitive", () => {
    const overrides = { "ns-one/credentials": { roleName: "Same" }, "ns-two/credentials": { roleName: "sAME" } };
    const message = expectFinding(
      makeCredentials(identity({ aws: { overrides } }), [value, request("two")]),
      "error",
      "role-name-collision",
    );
    expect(message).toContain('would get the same role "sAME"');
  });
});

describe("trust policies", () => {
  const trust = (config: Any, item = value) => makeCredentials(config, [item]).bundle(role)["trust-policy.json"];
  const host = "demo-oidc.s3.us-east-2.amazonaws.com";

  it("write one subject as a string, more than one as a list", () => {
    expect(trust(identity())).toEqual({
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Principal: { Federated: `arn:aws:iam::123456789012:oidc-provider/${host}` },
          Action: "sts:AssumeRoleWithWebIdentity",
          Condition: { StringEquals: { [`${host}:sub`]: "system:serviceaccount:ns-one:one-operator" } },
        },
      ],
    });
    const several = request("one", { spec: { serviceAccountNames: ["b", "a", "b"] } });
    expect(trust(identity(), several).Statement[0].Condition.StringEquals[`${host}:sub`]).toEqual([
      "system:serviceaccount:ns-one:b",
      "system:serviceaccount:ns-one:a",
    ]);
  });

  it("add the audience if it is required", () => {
    const condition = (aws: Any, issuer: Any = {}) =>
      trust(identity({ aws, spec: { issuer: { ...identity().spec.issuer, ...issuer } } })).Statement[0].Condition
        .StringEquals[`${host}:aud`];
    expect(condition({})).toBeUndefined();
    expect(condition({ roles: { requireAudience: true } })).toEqual(["openshift", "sts.amazonaws.com"]);
    expect(condition({ roles: { requireAudience: true } }, { audiences: ["openshift"] })).toBe("openshift");
  });

  it("trust previous issuers too, each once", () => {
    const previous = ["https://old.example.com/x", `https://${host}`];
    const { Statement } = trust(identity({ spec: { issuer: { ...identity().spec.issuer, previous } } }));
    expect(Statement.map((each: Any) => each.Principal.Federated)).toEqual([
      `arn:aws:iam::123456789012:oidc-provider/${host}`,
      "arn:aws:iam::123456789012:oidc-provider/old.example.com/x",
    ]);
    expect(Statement[1].Condition.StringEquals).toEqual({
      "old.example.com/x:sub": "system:serviceaccount:ns-one:one-operator",
    });
  });

  it("are limited in size", () => {
    const many = (count: number) =>
      request("one", {
        spec: { serviceAccountNames: Array.from({ length: count }, (_, index) => `account-${index}`.padEnd(60, "x")) },
      });
    expectClean(makeCredentials(identity(), [many(15)]));
    expect(expectFinding(makeCredentials(identity(), [many(25)]), "warning", "policy-over-quota")).toMatch(
      /^its trust policy has \d+ characters; IAM allows 2048 by default/,
    );
    expect(expectFinding(makeCredentials(identity(), [many(90)]), "error", "policy-too-large")).toMatch(
      /^its trust policy has \d+ characters; IAM allows at most 8192/,
    );
  });
});

describe("permissions policies", () => {
  const permissions = (spec: Any, aws: Any = {}, rawJson?: (text: string) => string) =>
    make([generateCloudCredentials], identity({ aws }), [request("one", { spec })], rawJson);

  it("have a statement for each entry, conditions unchanged in type and value", () => {
    const policyCondition = {
      Bool: { "kms:GrantIsForAWSResource": true },
      StringLike: { "aws:x": ["a*", "false"] },
      NumericLessThan: { "aws:n": 5 },
    };
    const made = permissions(
      statements(
        { effect: "Allow", action: ["kms:CreateGrant", "kms:ListGrants"], resource: "*", policyCondition },
        { effect: "Deny", action: ["*"], resource: "arn:aws:s3:::x/*", policyCondition: {} },
      ),
    );
    expectClean(made);
    expect(made.bundle(role)["permissions-policy.json"]).toEqual({
      Version: "2012-10-17",
      Statement: [
        { Effect: "Allow", Action: ["kms:CreateGrant", "kms:ListGrants"], Resource: "*", Condition: policyCondition },
        { Effect: "Deny", Action: "*", Resource: "arn:aws:s3:::x/*" },
      ],
    });
  });

  it("keep every digit of a big integer", () => {
    const made = permissions(
      statements({ ...allow, policyCondition: { NumericEquals: { "aws:n": "BIG" } } }),
      {},
      (text) => text.replace('"BIG"', "12345678901234567890"),
    );
    expect(made.objects[role].data["permissions-policy.json"]).toContain('"aws:n": 12345678901234567890\n');
  });

  it("name resources of the cluster's partition", () => {
    const made = permissions(statements({ ...allow, resource: "arn:aws:s3:::x" }), { region: "us-gov-west-1" });
    expect(made.bundle(role)["permissions-policy.json"].Statement[0].Resource).toBe("arn:aws-us-gov:s3:::x");
    expect(expectFinding(made, "info", "partition-rewritten")).toBe(
      'names resources in the partition "aws"; the role\'s policy names them in "aws-us-gov".',
    );
  });

  it("are limited in size", () => {
    const action = Array.from({ length: 400 }, (_, index) => `ec2:DescribeSomething${index}`);
    expect(expectFinding(permissions(statements({ ...allow, action })), "error", "policy-too-large")).toMatch(
      /^its permissions policy has \d+ characters; IAM allows at most 10240 for the inline policies of a role\. Shorten /,
    );
  });

  it.each([
    [
      { ...allow, effect: "allow" },
      'statementEntries[0].effect" is "allow", but must be one of "Allow", "Deny" (did you mean "Allow"?)',
    ],
    [{ ...allow, action: [] }, 'statementEntries[0].action" is a list of 0, but must contain at least one action'],
    [{ ...allow, action: ["ec2:Run;rm -rf /"] }, "must be an IAM action"],
    [{ ...allow, action: ["ec2"] }, "must be an IAM action"],
    [{ ...allow, resource: "s3:::x" }, "must be '*' or an ARN"],
    [{ ...allow, resource: "arn:aws:s3:::x\u0000" }, "must be '*' or an ARN"],
    [
      { ...allow, policyCondition: { Bool: { k: { deep: true } } } },
      "must be a string, a number, true, false, or a list of these",
    ],
    [
      { ...allow, policyCondition: { Bool: { k: null } } },
      "must be a string, a number, true, false, or a list of these",
    ],
    [{ ...allow, policyCondition: { "Bool\n": { k: true } } }, "must be an IAM condition operator"],
  ])("refuse %j", (entry, message) => {
    expect(expectFinding(permissions(statements(entry)), "error", "request-invalid-field")).toContain(message);
  });

  it("refuse an unknown field, which could narrow or widen them", () => {
    const message = expectFinding(
      permissions(statements({ ...allow, resources: "arn:aws:s3:::x" })),
      "error",
      "request-unknown-field",
    );
    expect(message).toBe('unknown field "spec.providerSpec.statementEntries[0].resources" (did you mean "resource"?).');
  });
});

describe("the other settings of a role", () => {
  it("follow the config, and ccoctl's defaults", () => {
    expect(makeCredentials(identity(), [value]).bundle(role)["create-role.json"]).toEqual({
      Path: "/",
      RoleName: "demo-ns-one-credentials",
      Description: "OpenShift role for ns-one/credentials",
      MaxSessionDuration: 3600,
      Tags: expect.any(Array),
    });
    const aws = {
      roles: {
        path: "/a/b/",
        permissionsBoundaryARN: "arn:aws:iam::123456789012:policy/boundary",
        maxSessionDuration: 43200,
      },
      includeRegionInSecret: true,
    };
    const spec = { tokenPath: "/a token", secret: { encoding: "data" }, issuer: identity().spec.issuer };
    const made = makeCredentials(identity({ aws, spec }), [value]);
    expect(made.bundle(role)["create-role.json"]).toMatchObject({
      Path: "/a/b/",
      PermissionsBoundary: aws.roles.permissionsBoundaryARN,
      MaxSessionDuration: 43200,
    });
    const { data } = made.objects["manifests/ns-one-credentials-credentials.yaml"];
    expect(Buffer.from(data.credentials, "base64").toString()).toBe(
      "[default]\nsts_regional_endpoints = regional\nrole_arn = arn:aws:iam::123456789012:role/a/b/demo-ns-one-credentials\nweb_identity_token_file = /a token\nregion = us-east-2",
    );
  });

  it("include each policy once, and the Secret of the role", () => {
    const files = makeCredentials(identity(), [value]).bundle(role);
    expect(Object.keys(files)).toEqual([
      "create-role.json",
      "identity.json",
      "permissions-policy.json",
      "put-role-policy.json",
      "trust-policy.json",
    ]);
    expect(files["identity.json"]).toEqual({ secret: "ns-one/credentials" });
    const { RoleName } = files["create-role.json"];
    expect(files["put-role-policy.json"]).toEqual({ RoleName, PolicyName: RoleName });
  });

  it("include the request's token path, if it has one", () => {
    const secret = (cloudTokenPath: string) =>
      makeCredentials(identity(), [request("one", { spec: { cloudTokenPath } })]);
    const text = (path: string) =>
      secret(path).objects["manifests/ns-one-credentials-credentials.yaml"].stringData.credentials;
    expect(text("/var/run/x")).toMatch(/web_identity_token_file = \/var\/run\/x$/);
    expect(text("")).toMatch(/web_identity_token_file = \/var\/run\/secrets\/openshift\/serviceaccount\/token$/);
    for (const bad of [
      "relative",
      "/x\nrole_arn = arn:aws:iam::1:role/evil",
      "/x\u0000",
      "/x\u2028",
      "/x\u202e",
      "/x\u200b",
      "/x\u{e0061}",
    ]) {
      expect(expectFinding(secret(bad), "error", "request-invalid-field")).toContain(
        "must be an absolute path without control characters, line separators, or invisible characters",
      );
    }
  });
});

describe("service accounts", () => {
  it.each([[undefined], [null], [[]], [[""]]])(
    "%j would create a role that no service account can assume",
    (serviceAccountNames) => {
      const item = request("one", { spec: { serviceAccountNames } });
      expect(expectFinding(makeCredentials(identity(), [item]), "error", "no-service-account")).toContain(
        'does not name a service account in "spec.serviceAccountNames"',
      );
      const overrides = { "ns-one/credentials": { serviceAccountNames: ["cured"] } };
      const made = makeCredentials(identity({ spec: { overrides } }), [item]);
      expectClean(made);
      expect(JSON.stringify(made.bundle(role)["trust-policy.json"])).toContain("system:serviceaccount:ns-one:cured");
    },
  );

  it.each(["x$(touch pwned)", "../../etc", "UPPER", "a_b", "a..b", "-a", "a:b", "a*", "é", "a\nb", "x".repeat(254)])(
    "%j is refused",
    (name) => {
      const made = makeCredentials(identity(), [request("one", { spec: { serviceAccountNames: [name] } })]);
      expect(made.exitCode).toBe(1);
      expect(made.results.map((result) => result.tags.code).filter((code) => code !== "request-placeholder")).toEqual(
        name.includes("$(") ? [] : ["request-invalid-field"],
      );
      expect(made.stderr).not.toMatch(/[^\P{Cc}\n]/u);
    },
  );

  it("in another namespace come only from an override, with a warning", () => {
    const overrides = { "ns-one/credentials": { serviceAccountNames: ["elsewhere/account", "own", "ns-one/own"] } };
    const made = makeCredentials(identity({ spec: { overrides } }), [value]);
    expect(expectFinding(made, "warning", "subject-in-other-namespace")).toContain(
      '"elsewhere/account", which is in another namespace,',
    );
    const [subjects] = Object.values(made.bundle(role)["trust-policy.json"].Statement[0].Condition.StringEquals);
    expect(subjects).toEqual(["system:serviceaccount:elsewhere:account", "system:serviceaccount:ns-one:own"]);
    expect(
      expectFinding(
        makeCredentials(identity(), [request("one", { spec: { serviceAccountNames: ["a/b"] } })]),
        "error",
        "request-invalid-field",
      ),
    ).toContain('is "a/b"');
  });
});

describe("overrides", () => {
  it("that match no request are an error", () => {
    const made = makeCredentials(identity({ spec: { overrides: { "ns-two/credentials": { skip: true } } } }), [value]);
    expect(expectFinding(made, "error", "override-unmatched")).toBe(
      'the override "ns-two/credentials" in "spec.overrides" matches no request that is included in this cluster. The name of an override is "<secret namespace>/<secret name>". Rename it to "ns-one/credentials", the Secret of CredentialsRequest "openshift-cloud-credential-operator/one", or remove it.',
    );
  });

  it("exclude a request, and set the name of a role", () => {
    const skipped = { "ns-one/credentials": { skip: true } };
    const overrides = { "ns-one/credentials": { roleName: "My.Own" }, "ns-two/credentials": { roleName: "My.Own" } };
    const config = identity({ spec: { overrides: skipped }, aws: { overrides } });
    const made = makeCredentials(config, [value, request("two")]);
    expect(expectFinding(made, "info", "skipped-override")).toBe('excluded: its override sets "skip" to true.');
    expect(Object.keys(made.objects)).toEqual([
      "aws/roles/ns-two-credentials.yaml",
      "manifests/ns-two-credentials-credentials.yaml",
    ]);
    expect(made.bundle("aws/roles/ns-two-credentials.yaml")["create-role.json"].RoleName).toBe("My.Own");
  });
});

describe("names of Secrets", () => {
  it.each([
    [{ namespace: "../../etc", name: "x" }, '"spec.secretRef.namespace" is "../../etc", but must be a DNS label'],
    [{ namespace: "ns", name: "../x" }, '"spec.secretRef.name" is "../x", but must be a DNS subdomain name'],
    [{ namespace: "n".repeat(64), name: "x" }, "must be a DNS label"],
    [{ namespace: "n".repeat(60), name: "x".repeat(200) }, "together have 260 characters, but must have at most 236"],
    [{ namespace: "ns", name: 5 }, '"spec.secretRef.name" is 5, but must be a DNS subdomain name'],
  ])("%j is refused", (secretRef, message) => {
    expect(
      expectFinding(
        makeCredentials(identity(), [request("one", { spec: { secretRef } })]),
        "error",
        "request-invalid-field",
      ),
    ).toContain(message);
  });

  it("that result in the same file name are an error that names both requests", () => {
    const items = [
      ["a", "b-c"],
      ["a-b", "c"],
    ].map(([namespace, name], index) => request(`r${index}`, { spec: { secretRef: { namespace, name } } }));
    const overrides = { "a/b-c": { roleName: "x" } };
    const made = makeCredentials(identity({ aws: { overrides } }), items);
    const messages = made.results
      .filter((result) => result.tags.code === "path-collision")
      .map((result) => result.message);
    expect(messages).toHaveLength(2);
    expect(messages[0]).toBe(
      'CredentialsRequest "openshift-cloud-credential-operator/r1" and CredentialsRequest "openshift-cloud-credential-operator/r0" would both be written to the file "aws/roles/a-b-c.yaml". Rename one of their Secrets.',
    );
  });
});

it("a list without requests is a warning", () => {
  expect(expectFinding(makeCredentials(identity(), []), "warning", "no-requests")).toContain(
    "No CredentialsRequest is included in this cluster",
  );
});
