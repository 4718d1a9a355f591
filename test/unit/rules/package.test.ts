import { describe, expect, it } from "vitest";
import { validate } from "../../../functions/validate-credentials/function.ts";
import { type Any, identity, makeCredentials, makeIssuer, request, statements } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";
import { codesOf, validated } from "../../helpers/validated.ts";

const secretPath = "manifests/openshift-one-credentials-credentials.yaml";
const bundlePath = "aws/roles/openshift-one-credentials.yaml";

/** One request, its ClusterIdentity, and what is rendered of them, to be changed. */
function rendered(
  aws: Any = {},
  encoding = "stringData",
): {
  config: Any;
  asked: Any;
  secret: Any;
  bundle: Any;
  issuer: Any;
  authentication: Any;
} {
  const config = identity({ aws, spec: { secret: { encoding }, issuer: identity().spec.issuer } });
  const asked = request("one", { spec: { secretRef: { namespace: "openshift-one", name: "credentials" } } });
  const { objects } = makeCredentials(config, [asked]);
  const { objects: hosted } = makeIssuer(config);
  return {
    config,
    asked,
    secret: objects[secretPath],
    bundle: objects[bundlePath],
    issuer: hosted["aws/issuer.yaml"],
    authentication: hosted["manifests/cluster-authentication-02-config.yaml"],
  };
}

/** What is found in a rendered package; the issuer's bundle is found by its file. */
function found(all: ReturnType<typeof rendered>, more: Any[] = []) {
  return everything(all, more).filter(({ code }) => code !== "role-edited" && code !== "bundle-edited");
}

/** The same, and that a file is not what a render makes. */
function everything(
  { config, asked, secret, bundle, issuer, authentication }: ReturnType<typeof rendered>,
  more: Any[] = [],
) {
  const authenticationPath = authentication.metadata.annotations["config.kubernetes.io/path"];
  return validated(
    [config, asked, secret, bundle, issuer, authentication, ...more],
    [],
    ["cluster-identity.yaml", "request.yaml", secretPath, bundlePath, "aws/issuer.yaml", authenticationPath],
  );
}

/** Changes the first statement of a policy in a bundle. */
function editPolicy(bundle: Any, file: string, change: (statement: Any) => void): void {
  const policy = JSON.parse(bundle.data[file]);
  change(policy.Statement[0]);
  bundle.data[file] = JSON.stringify(policy);
}

const subject = "demo-oidc.s3.us-east-2.amazonaws.com:sub";
const account = "system:serviceaccount:openshift-one:one-operator";

describe("what was rendered", () => {
  it.each([{}, { roles: { path: "/a/b/" } }, { includeRegionInSecret: true }])("breaks no rule with %o", (aws) => {
    expect(everything(rendered(aws))).toEqual([]);
    expect(everything(rendered(aws, "data"))).toEqual([]);
  });
});

describe("an edited role", () => {
  it("is judged as a request by what its policy allows", () => {
    const all = rendered();
    const file = "permissions-policy.json";
    editPolicy(all.bundle, file, (value) => (value.Action = ["ec2:DescribeVolumes", "iam:*"]));
    const location = { severity: "error", field: `data.${file}`, file: { path: bundlePath } };
    expect(everything(all)).toMatchObject([
      {
        ...location,
        code: "iam-wildcard",
        message: `"data.${file}" allows IAM actions with a wildcard: "iam:*"; name the actions that the component calls.`,
      },
      { code: "pass-role-any" },
      { code: "privilege-escalation" },
      {
        ...location,
        code: "role-edited",
        message: `differs from what a render generates: "${file}" changed. Find out what changed, and render again.`,
      },
    ]);
  });

  it.each<[string, (statement: Any) => void]>([
    ["NotAction", (value) => Object.assign(value, { NotAction: "s3:*", Action: undefined })],
    ["NotResource", (value) => Object.assign(value, { NotResource: "arn:aws:s3:::x", Resource: undefined })],
    [
      "a policy variable",
      (value) => Object.assign(value, { Action: "iam:*", Resource: "arn:aws:iam::*:${aws:username}" }),
    ],
    ["an action that is not a string", (value) => Object.assign(value, { Action: [1] })],
  ])("counts as what it may allow at most where it has %s", (_name, change) => {
    const all = rendered();
    editPolicy(all.bundle, "permissions-policy.json", change);
    const [first] = found(all).filter(({ code }) => code === "iam-wildcard");
    expect(first?.message).toMatch(/^"data\.permissions-policy\.json" perhaps .* It is undecided: .+\.$/);
  });

  it("does not say as a fact what an unreadable denial, or the document of a boundary, may rule out", () => {
    const wild = { Effect: "Allow", Action: "iam:*", Resource: "*" };
    const messageOf = (all: ReturnType<typeof rendered>) =>
      found(all).find(({ code }) => code === "iam-wildcard")?.message;
    const denied = rendered();
    editPolicy(denied.bundle, "permissions-policy.json", (value) => Object.assign(value, wild));
    expect(messageOf(denied)).not.toContain("perhaps");
    const denial = { Effect: "Deny", NotAction: "s3:*", Resource: "*" };
    denied.bundle.data["permissions-policy.json"] = JSON.stringify({
      Version: "2012-10-17",
      Statement: [wild, denial],
    });
    expect(messageOf(denied)).toContain("perhaps");
    const limited = rendered({ roles: { permissionsBoundaryARN: "arn:aws:iam::123456789012:policy/b" } });
    editPolicy(limited.bundle, "permissions-policy.json", (value) => Object.assign(value, wild));
    expect(messageOf(limited)).toMatch(
      /perhaps .* It is undecided: the document of the permissions boundary "arn:aws:iam::123456789012:policy\/b" is not in the package\.$/,
    );
  });

  it("stays certain with a managed policy, which may deny it", () => {
    const arn = "arn:aws:iam::123456789012:policy/p";
    const all = rendered({ overrides: { "openshift-one/credentials": { managedPolicyARNs: [arn] } } });
    const wild = { Effect: "Allow", Action: "iam:*", Resource: "*" };
    editPolicy(all.bundle, "permissions-policy.json", (value) => Object.assign(value, wild));
    const wildcard = found(all).find(({ code }) => code === "iam-wildcard");
    expect(wildcard).not.toHaveProperty("isUndecided");
    expect(wildcard?.message).toBe(
      `"data.permissions-policy.json" allows IAM actions with a wildcard: "iam:*"; name the actions that the component calls. The package does not contain the document of the attached managed policy "${arn}", which may deny it.`,
    );
  });

  it.each([
    ["AdministratorAccess", true],
    ["IAMFullAccess", true],
    ["PowerUserAccess", true],
    ["ReadOnlyAccess", false],
    ["job-function/Billing", false],
    ["constructor", false],
  ])("with the managed policy %s of AWS is unbounded: %s", (name, isFound) => {
    const codes = (account: string) => {
      const managedPolicyARNs = [`arn:aws:iam::${account}:policy/${name}`];
      return codesOf(found(rendered({ overrides: { "openshift-one/credentials": { managedPolicyARNs } } })));
    };
    expect(codes("aws").includes("managed-policy-unbounded")).toBe(isFound);
    expect(codes("123456789012")).not.toContain("managed-policy-unbounded");
  });

  it("is judged where no request asks for it, and where there is no ClusterIdentity", () => {
    const { bundle } = rendered();
    editPolicy(bundle, "permissions-policy.json", (value) => (value.Action = "iam:Tag*"));
    expect(codesOf(validated([bundle]))).toEqual(["iam-wildcard"]);
  });

  it("is not judged for what its request asks for: that is said, and accepted, there", () => {
    const annotations = {
      "fn.cloudcredential.dev/accept": "pass-role-any",
      "fn.cloudcredential.dev/accept-reason": "reviewed",
    };
    const asked = request("one", {
      annotations,
      spec: statements({ effect: "Allow", action: ["iam:PassRole"], resource: "arn:aws:iam::*:role/*" }),
    });
    for (const region of ["us-east-2", "us-gov-west-1"]) {
      const config = identity({ aws: { region } });
      const made = Object.entries(makeCredentials(config, [asked]).objects);
      const all = validated(
        [config, asked, ...made.map(([, one]) => one)],
        [],
        ["", "", ...made.map(([path]) => path)],
      );
      const rest = all.filter(({ code }) => code !== "namespace-missing");
      expect(rest.map(({ severity, code }) => [severity, code])).toEqual([["info", "pass-role-any"]]);
    }
  });

  it.each<[string, (data: Any) => void, string]>([
    [
      "another service account",
      (data) => (data["trust-policy.json"] = data["trust-policy.json"].replace("one-operator", "two")),
      '"trust-policy.json" changed',
    ],
    [
      "a second trust policy",
      (data) =>
        (data["create-role.json"] = data["create-role.json"].replace("{", '{"AssumeRolePolicyDocument": "{}", ')),
      '"create-role.json" changed',
    ],
    ["no boundary", (data) => (data["create-role.json"] = data["create-role.json"].replace("3600", "7200")), "changed"],
    ["another policy", (data) => (data["attach-role-policy-x.json"] = "{}"), '"attach-role-policy-x.json" added'],
    ["a file less", (data) => delete data["put-role-policy.json"], '"put-role-policy.json" missing'],
  ])("into %s differs from what a render makes", (_name, change, message) => {
    const all = rendered();
    change(all.bundle.data);
    expect(everything(all)).toMatchObject([{ severity: "error", code: "role-edited" }]);
    expect(everything(all)[0]?.message).toContain(message);
  });

  it("has nothing beside its files", () => {
    const all = rendered();
    all.bundle.binaryData = { "attach-role-policy-x.json": "e30=" };
    expect(everything(all)).toMatchObject([
      { code: "role-edited", field: "binaryData", message: expect.stringContaining('"binaryData" added') },
    ]);
  });

  it("is seen without its annotations, and under another name", () => {
    const all = rendered();
    all.bundle.data["trust-policy.json"] = "{}";
    all.bundle.metadata = { name: "other" };
    expect(codesOf(everything(all))).toEqual(["role-edited"]);
  });

  it("does not count where its request changed hands, and is equal", () => {
    const all = rendered();
    all.asked.spec.serviceAccountNames = ["two"];
    expect(codesOf(everything(all))).toEqual(["role-edited"]);
  });

  it("is one of many where none was rendered since the config changed: that is said once", () => {
    const asked = ["a", "b", "c"].map((name) => request(name));
    const made = Object.entries(makeCredentials(identity(), asked).objects);
    const config = identity({ aws: { roles: { maxSessionDuration: 7200 }, includeRegionInSecret: true } });
    const all = validated(
      [config, ...asked, ...made.map(([, one]) => one)],
      [],
      ["", "", "", "", ...made.map(([path]) => path)],
    );
    expect(all.filter(({ code }) => code !== "namespace-missing")).toMatchObject([
      {
        code: "role-edited",
        resource: { kind: "ClusterIdentity" },
        message:
          'all 3 rendered roles differ from what a render generates: the ClusterIdentity was changed since, or another version of ccf rendered them; run "ccf render" and review the changes.',
      },
      { code: "secret-edited", resource: { kind: "ClusterIdentity" } },
    ]);
  });
});

describe("a rendered Secret and its role that no request asks for", () => {
  const cases: readonly [string, (all: ReturnType<typeof rendered>) => Any[], string][] = [
    ["has no request", () => [], "the package contains no CredentialsRequest"],
    [
      "has a request for another cloud",
      ({ asked }) => {
        asked.spec.providerSpec.kind = "GCPProviderSpec";
        return [asked];
      },
      'the package\'s CredentialsRequests are for another cloud ("GCPProviderSpec")',
    ],
    [
      "has no request of its own",
      () => [request("two", { spec: { secretRef: { namespace: "openshift-two", name: "credentials" } } })],
      "no CredentialsRequest for AWS in the package names the Secret",
    ],
    [
      "has a request that the release excludes",
      ({ asked, config }) => {
        asked.metadata.annotations["capability.openshift.io/name"] = "Ingress";
        config.spec.release = { capabilities: ["Ingres"] };
        return [asked];
      },
      '"spec.release" excludes its request, because it requires the capability Ingress, which is not enabled',
    ],
  ];

  it.each(cases)("because it %s, is an error that says so", (_name, requestsOf, reason) => {
    const all = rendered();
    const requests = requestsOf(all);
    const said = validated([all.config, all.secret, all.bundle, ...requests], [], ["", secretPath, bundlePath]);
    expect(said.filter(({ severity, code }) => severity === "error" && code !== "no-requests")).toMatchObject([
      {
        code: "rendered-not-requested",
        message: `no request needs this Secret and its role: ${reason}. Restore the request. If this is intended, add "--allow removal:openshift-one/credentials" to "ccf render", or set the annotation "fn.cloudcredential.dev/allow: removal:openshift-one/credentials" on the ClusterIdentity.`,
        resource: { kind: "Secret", namespace: "openshift-one" },
      },
    ]);
  });

  it("is one error for many of one reason", () => {
    const asked = ["a", "b", "c", "d"].map((name) => request(name));
    const made = Object.values(makeCredentials(identity(), asked).objects);
    const found = validated([identity(), ...made]).filter(({ severity }) => severity === "error");
    expect(found).toMatchObject([
      {
        code: "rendered-not-requested",
        resource: { kind: "ClusterIdentity" },
        message:
          'no request needs 4 rendered Secrets and 4 roles ("ns-a/credentials", "ns-b/credentials", "ns-c/credentials" and 1 more): the package contains no CredentialsRequest. Restore the requests. If this is intended, add "--allow removal:ns-a/credentials,removal:ns-b/credentials,removal:ns-c/credentials,removal:ns-d/credentials" to "ccf render", or put the same list into the annotation "fn.cloudcredential.dev/allow" of the ClusterIdentity.',
      },
    ]);
  });

  it("is a warning where an override skips it, or the release deletes its request", () => {
    const skipped = rendered({});
    skipped.config.spec.overrides = { "openshift-one/credentials": { skip: true } };
    const deleted = rendered({});
    deleted.asked.metadata.annotations["release.openshift.io/delete"] = "true";
    for (const all of [skipped, deleted])
      expect(found(all).filter(({ code }) => code !== "no-requests")).toMatchObject([
        {
          severity: "warning",
          code: "rendered-not-removed",
          message: expect.stringMatching(
            /^this Secret and its role are still in the package, although .*; render to remove them\.$/,
          ),
        },
      ]);
  });

  it("is not an error where only its role is left, of an operator", () => {
    const all = rendered();
    expect(codesOf(validated([all.config, all.asked, all.bundle]))).toEqual([]);
    expect(codesOf(validated([all.config, all.bundle]))).toEqual(["rendered-not-requested"]);
  });

  it("belongs to another ClusterIdentity of the list if that one has its name, and is unknown without one", () => {
    const all = rendered();
    const other = identity({ metadata: { name: "other" }, spec: { resourcePrefix: "other" } });
    const items = [all.secret, all.bundle];
    expect(codesOf(validated(items))).not.toContain("rendered-not-requested");
    const resources = [other, all.config, ...items].map((value) => resourceOf(value));
    const both = validate({ items: resources, functionConfig: resourceOf(other) });
    expect(codesOf(both)).not.toContain("rendered-not-requested");
    const alone = validate({
      items: resources.filter(({ name }) => name !== "demo"),
      functionConfig: resourceOf(other),
    });
    expect(codesOf(alone)).toContain("rendered-not-requested");
  });
});

describe("the issuer's bundle", () => {
  it("is not edited", () => {
    const all = rendered();
    all.issuer.data["keys.json"] = all.issuer.data["keys.json"].replace('"alg": "RS256"', '"alg": "RS384"');
    expect(everything(all)).toMatchObject([
      { severity: "error", code: "bundle-edited", field: "data.keys.json", file: { path: "aws/issuer.yaml" } },
    ]);
  });

  it("and the Authentication are not edited together", () => {
    const all = rendered();
    for (const file of Object.keys(all.issuer.data))
      all.issuer.data[file] = all.issuer.data[file].replaceAll("demo-oidc.s3", "else-oidc.s3");
    all.authentication.spec.serviceAccountIssuer = JSON.parse(all.issuer.data["openid-configuration"]).issuer;
    expect(codesOf(everything(all))).toEqual(["issuer-changed", "issuer-replaced", "issuer-changed", "bundle-edited"]);
  });

  it("is not needed to see that a generated Authentication was edited", () => {
    const all = rendered();
    all.authentication.spec.serviceAccountIssuer = "https://oidc.example.com";
    const rest = validated([all.config, all.asked, all.authentication]);
    expect(rest.filter(({ severity, code }) => severity === "error" && code !== "issuer-changed")).toMatchObject([
      { code: "issuer-differs", message: expect.stringContaining('but a render writes "https://demo-oidc.s3.') },
    ]);
  });
});

describe("what the generators refuse", () => {
  it("is said of files that two requests make", () => {
    const [a, b] = ["openshift-a-b/c", "openshift-a/b-c"].map((key) => {
      const [namespace, name] = key.split("/");
      return request(`of-${name}`, { spec: { secretRef: { namespace, name } } });
    });
    const config = identity({ aws: { overrides: { "openshift-a/b-c": { roleName: "other" } } } });
    expect(codesOf(validated([config, a, b]))).toEqual(["path-collision", "path-collision"]);
  });

  it("is not said of an issuer that the package leaves to others", () => {
    const config = identity({ spec: { issuer: {} } });
    const value = request("one", { spec: { secretRef: { namespace: "openshift-one", name: "x" } } });
    expect(codesOf(validated([config, value]))).toEqual([]);
    expect(codesOf(validated([identity(), value]))).toEqual([]);
  });
});

describe("the trust policy of a role", () => {
  const file = "trust-policy.json";

  it.each<[string, string, (statement: Any) => void]>([
    ["no condition", "trust-without-subject", (value) => delete value.Condition],
    [
      "an audience alone",
      "trust-without-subject",
      (value) => (value.Condition = { StringEquals: { "i:aud": "openshift" } }),
    ],
    [
      "a subject that is excluded",
      "trust-without-subject",
      (value) => (value.Condition = { StringNotEquals: { [subject]: account } }),
    ],
    [
      "a subject if there is one",
      "trust-without-subject",
      (value) => (value.Condition = { StringEqualsIfExists: { [subject]: account } }),
    ],
    ["a statement that is not a set", "trust-without-subject", (value) => (value.NotPrincipal = value.Principal)],
    ["an effect that is none", "trust-without-subject", (value) => (value.Effect = "allow")],
    [
      "a wildcard",
      "trust-subject-wildcard",
      (value) => (value.Condition = { StringLike: { [subject]: "system:serviceaccount:a:*" } }),
    ],
    [
      "a wildcard of several",
      "trust-subject-wildcard",
      (value) => (value.Condition = { StringLike: { [subject]: [account, "?"] } }),
    ],
    [
      "a wildcard that is none",
      "trust-subject-wildcard",
      (value) => (value.Condition = { StringEquals: { [subject]: "*" } }),
    ],
    [
      "a scheme in its key",
      "condition-key-scheme",
      (value) => (value.Condition = { StringEquals: { [`https://${subject}`]: account } }),
    ],
  ])("with %s is an error", (_name, code, change) => {
    const all = rendered();
    editPolicy(all.bundle, file, change);
    expect(found(all)).toMatchObject([
      {
        severity: "error",
        code,
        field: `data.${file}`,
        message: expect.stringContaining(`"data.${file}"`),
        file: { path: bundlePath },
      },
    ]);
  });

  it("that is not JSON is an error", () => {
    const all = rendered();
    all.bundle.data[file] = "{";
    expect(codesOf(found(all))).toContain("trust-without-subject");
  });

  it.each<[string, (text: string) => string]>([
    ["that is not JSON", () => "{"],
    ["that is a list", () => "[]"],
    ["with a key twice", (text) => text.replace("{", '{"Version": "2012-10-17", "Version": "2012-10-17", ')],
    [
      "with a key twice in the policy",
      (text) => text.replace('"Version":', '"Statement": [], "Statement": [], "Version":'),
    ],
  ])("%s is an error", (_name, change) => {
    const all = rendered();
    all.bundle.data[file] = change(all.bundle.data[file]);
    expect(found(all)).toContainEqual(
      expect.objectContaining({ severity: "error", code: "trust-without-subject", field: `data.${file}` }),
    );
  });

  it("with a policy variable for a subject is an error that names it", () => {
    for (const value of ["${aws:username}", [account, "system:serviceaccount:a:${aws:PrincipalTag/x}"]]) {
      for (const operator of ["StringEquals", "StringLike", "StringEqualsIgnoreCase"]) {
        const all = rendered();
        editPolicy(all.bundle, file, (one) => (one.Condition = { [operator]: { [subject]: value } }));
        const variable = typeof value === "string" ? value : value[1];
        expect(found(all)).toMatchObject([
          {
            severity: "error",
            code: "trust-without-subject",
            field: `data.${file}`,
            message: `"data.${file}" has a statement that does not limit the role to named service accounts with an equality condition on ":sub"; the policy variable "${variable}" does not limit it; render again.`,
          },
        ]);
      }
    }
  });

  it("with a policy variable beside a subject limits more, and is none", () => {
    const all = rendered();
    editPolicy(all.bundle, file, (value) => (value.Condition.StringLike = { [subject]: "${aws:username}" }));
    expect(found(all)).toEqual([]);
  });

  it("that denies need name no subject", () => {
    const all = rendered();
    editPolicy(all.bundle, file, (value) => {
      value.Effect = "Deny";
      delete value.Condition;
    });
    expect(found(all)).toEqual([]);
  });
});

describe("a Secret", () => {
  const withText = (change: (text: string) => string, encoding = "stringData") => {
    const all = rendered({}, encoding);
    if (encoding === "data") {
      const text = Buffer.from(all.secret.data.credentials, "base64").toString("utf8");
      all.secret.data.credentials = Buffer.from(change(text)).toString("base64");
    } else all.secret.stringData.credentials = change(all.secret.stringData.credentials);
    return found(all);
  };

  const cases: readonly [string, string, (text: string) => string, string][] = [
    [
      "another role",
      "secret-edited",
      (text) => text.replace(/role\/.*/, "role/mine"),
      'names another "role_arn": its rendered role is "arn:aws:iam::123456789012:role/demo-openshift-one-credentials"; render again.',
    ],
    [
      "a role of another account",
      "secret-edited",
      (text) => text.replace("123456789012", "210987654321"),
      'names another "role_arn"',
    ],
    ["no role", "secret-edited", (text) => text.replace(/role_arn.*\n/, ""), 'has no "role_arn"'],
    [
      "another token",
      "secret-edited",
      (text) => text.replace("/token", "/other"),
      'names another "web_identity_token_file"',
    ],
    ["no token", "secret-edited", (text) => text.replace(/\nweb.*/, ""), 'has no "web_identity_token_file"'],
    [
      "another role in its default profile, and its own in another one",
      "secret-edited",
      (text) => `${text.replace(/role\/.*/, "role/mine")}\n${text.replace("[default]", "[other]")}`,
      'names another "role_arn"',
    ],
    [
      "its role in another profile alone",
      "secret-edited",
      (text) => `[default]\n${text.match(/web.*/)?.[0]}\n${text.replace("[default]", "[other]")}`,
      'has no "role_arn"',
    ],
    [
      "its role, and another one before it",
      "secret-edited",
      (text) => text.replace("role_arn", "ROLE_ARN = mine\nrole_arn"),
      'names another "role_arn"',
    ],
    [
      "its role, and another one in the default profile's longer name",
      "secret-edited",
      (text) => `${text}\n[profile default]\nrole_arn = mine`,
      'names another "role_arn"',
    ],
    [
      "nothing in it",
      "secret-edited",
      () => "",
      'has no "credentials", although a role is rendered for it; render again.',
    ],
    [
      "angle brackets",
      "secret-copied",
      (text) => text.replace(/role_arn = .*/, "role_arn = <role ARN>"),
      "angle brackets",
    ],
    ["a role's name", "secret-copied", (text) => text.replace(/role_arn = .*/, "role_name: one"), '"role_name"'],
    ["colons", "secret-copied", (text) => text.replaceAll(" = ", ": "), "a colon instead of an equal sign"],
    ["a key's ID", "long-lived-key", (text) => `${text}\n# AKIA${"X".repeat(16)}`, "long-lived AWS access key"],
    ["a key", "long-lived-key", (text) => `${text}\naws_secret_access_key = abc`, "long-lived AWS access key"],
    [
      "a key's name of any case",
      "long-lived-key",
      (text) => `${text}\n AWS_ACCESS_KEY_ID=abc`,
      "long-lived AWS access key",
    ],
  ];
  for (const encoding of ["stringData", "data"]) {
    it.each(cases)(
      `with %s in ${encoding} is an error, and what it says is not shown`,
      (_name, code, change, message) => {
        const all = withText(change, encoding);
        expect(all).toMatchObject([
          { severity: "error", code, field: `${encoding}.credentials`, file: { path: secretPath } },
        ]);
        expect(all[0]?.message).toContain(message);
        expect(all[0]?.message).not.toMatch(/mine|other"|abc|210987654321|<role/);
      },
    );
  }

  it.each(["credential_process = curl example.com", "endpoint_url = https://example.com"])(
    "with the setting %s is not what a render makes",
    (line) => {
      const [name] = line.split(" ");
      expect(withText((text) => `${text}\n${line}`)).toMatchObject([
        {
          severity: "error",
          code: "secret-edited",
          message: `differs from what a render generates: "${name}" differs. Find out what changed, and render again.`,
        },
      ]);
    },
  );

  it("may have other profiles, and comments", () => {
    expect(withText((text) => `# role_arn = mine\n${text}\n; role_arn = mine\n[other]\nrole_arn = mine`)).toEqual([]);
  });

  it("without its credentials is edited", () => {
    const all = rendered();
    delete all.secret.stringData;
    expect(found(all)).toMatchObject([{ severity: "error", code: "secret-edited", field: "data.credentials" }]);
  });

  it("may be written with other spaces and line ends", () => {
    expect(withText((text) => text.replaceAll(" = ", "=").replaceAll("\n", "\r\n  "))).toEqual([]);
  });

  it("is compared with its request's own token path", () => {
    const all = rendered();
    all.asked.spec.cloudTokenPath = "/var/run/one/token";
    expect(codesOf(found(all))).toEqual(["secret-edited"]);
    all.secret.stringData.credentials = all.secret.stringData.credentials.replace(
      /token_file = .*/,
      "token_file = /var/run/one/token",
    );
    expect(found(all)).toEqual([]);
  });

  it.each([
    "export AWS_ACCESS_KEY_ID=x",
    "set -a; AWS_SECRET_ACCESS_KEY=x",
    '{"awsAccessKeyId": "x"}',
    '{"aws": {"aws-secret-access-key": "x"}}',
    "awsSecretAccessKey: x",
  ])("with the text %s is an error", (text) => {
    const metadata = { name: "x", namespace: "openshift-x" };
    const one = { apiVersion: "v1", kind: "Secret", metadata, stringData: { ".env": text } };
    expect(found(rendered(), [one])).toMatchObject([
      {
        severity: "error",
        code: "long-lived-key",
        field: "stringData..env",
        message:
          '"stringData..env" contains a long-lived AWS access key. Treat the key as compromised: delete it in AWS, and use a role.',
      },
    ]);
  });

  it.each([
    "aws_access_key_id",
    "aws_secret_access_key",
    "awsAccessKeyId",
    "awsSecretAccessKey",
    "aws-access-key-id",
    "my_aws_secret_access_key",
    "AWS_ACCESS_KEY_ID.txt",
  ])("with a key under %s is an error", (key) => {
    const all = rendered();
    const one = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "x", namespace: "openshift-x" },
      data: { [key]: "YQ==" },
    };
    expect(found(all, [one])).toMatchObject([{ code: "long-lived-key", field: `data.${key}` }]);
  });

  it("of which stringData and data say something else says what stringData says", () => {
    const all = rendered();
    all.secret.data = { credentials: "YQ==" };
    expect(found(all)).toEqual([]);
  });

  it("of another user is ignored", () => {
    const one = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "x", namespace: "openshift-x" },
      stringData: { password: "<b> = x" },
    };
    expect(found(rendered(), [one])).toEqual([]);
  });
});

describe("an object that was exported from a cluster into a file of the package", () => {
  const exported = (object: Any): Any => ({ ...object, metadata: { ...object.metadata, uid: "1" } });
  const key = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "x", namespace: "openshift-x", uid: "1" },
    data: { aws_secret_access_key: "YQ==" },
  };

  it("exposes a key in Git, which a live object does not", () => {
    expect(validated([key], [], ["backup/secret.yaml"])).toMatchObject([
      { severity: "error", code: "long-lived-key", field: "data.aws_secret_access_key" },
    ]);
    expect(codesOf(validated([key]))).toEqual([]);
    expect(codesOf(validated([], [key]))).toEqual([]);
  });

  it("may have been copied from a page", () => {
    const copied = { ...key, data: {}, stringData: { credentials: "role_name: one" } };
    expect(codesOf(validated([copied], [], ["secret.yaml"]))).toEqual(["secret-copied"]);
    expect(codesOf(validated([], [copied]))).toEqual([]);
  });

  it("is compared with its rendered role", () => {
    const all = rendered();
    all.secret = exported(all.secret);
    expect(codesOf(found(all))).toEqual([]);
    all.secret.stringData.credentials = all.secret.stringData.credentials.replace(/role\/.*/, "role/mine");
    expect(codesOf(found(all))).toEqual(["secret-edited"]);
  });

  it("is an Authentication in a file that the installer does not read, unless the package has one of its own", () => {
    const all = rendered();
    const own = all.authentication;
    all.authentication = exported(own);
    all.authentication.metadata.annotations = { "config.kubernetes.io/path": "backup/authentication.yaml" };
    expect(codesOf(found(all))).toEqual(["manifest-name"]);
    const paths = ["cluster-identity.yaml", "manifests/cluster-authentication-02-config.yaml", "backup/a.yaml"];
    expect(codesOf(validated([all.config, own, exported(own)], [], paths))).not.toContain("manifest-name");
  });
});

describe("namespaces", () => {
  const secretIn = (namespace: string): Any => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "x", namespace },
    type: "Opaque",
  });
  const namespace = (name: string): Any => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const off = (secretNamespace: string): Any =>
    request("off", {
      annotations: { "capability.openshift.io/name": "Off" },
      spec: { secretRef: { namespace: secretNamespace, name: "x" } },
    });
  const config = () => identity({ spec: { release: { capabilities: ["On"] } } });

  it.each<[string, readonly Any[], readonly string[]]>([
    [
      "of the platform",
      [secretIn("openshift-x"), secretIn("kube-system"), secretIn("openshift"), secretIn("default")],
      [],
    ],
    ["of nobody", [secretIn("backup")], ["namespace-missing"]],
    [
      "that look like the platform's",
      [secretIn("openshifty"), secretIn("defaults")],
      ["namespace-missing", "namespace-missing"],
    ],
    ["of the package", [secretIn("backup"), namespace("backup")], []],
    ["of another one", [secretIn("backup"), namespace("other")], ["namespace-missing"]],
    ["of a request", [request("one")], ["namespace-missing"]],
    [
      "of a request that was not filled in",
      [request("one", { spec: { secretRef: { namespace: "${NS}", name: "x" } } })],
      [],
    ],
    [
      "of a request and its Secret, once",
      [request("one"), { ...secretIn("ns-one"), metadata: { name: "credentials", namespace: "ns-one" } }],
      ["namespace-missing"],
    ],
    ["of components that are off", [off("openshift-x"), secretIn("openshift-x")], ["namespace-missing"]],
    ["of components that are off, with no Secret", [off("openshift-x")], []],
    [
      "of components that are off, and are made",
      [off("openshift-x"), secretIn("openshift-x"), namespace("openshift-x")],
      [],
    ],
    [
      "that a component which is on has too",
      [
        off("openshift-x"),
        request("on", { spec: { secretRef: { namespace: "openshift-x", name: "y" } } }),
        secretIn("openshift-x"),
      ],
      [],
    ],
  ])("%s", (_name, objects, codes) => {
    expect(codesOf(validated([config(), ...objects])).filter((code) => code === "namespace-missing")).toEqual(codes);
  });

  it("say which they are, on the request where there is one", () => {
    expect(validated([request("one")])).toMatchObject([
      {
        severity: "warning",
        message:
          'is for the namespace "ns-one", which the platform does not create and for which the package has no Namespace object; add one.',
        resource: { kind: "CredentialsRequest" },
      },
    ]);
    expect(validated([config(), off("openshift-x"), secretIn("openshift-x")])).toContainEqual(
      expect.objectContaining({
        message:
          'is for the namespace "openshift-x" of a component that is disabled in this cluster, so nothing creates the namespace; remove the Secret, or add the Namespace.',
        resource: expect.objectContaining({ kind: "Secret" }),
      }),
    );
  });
});

describe("the Authentication", () => {
  it.each([["https://demo-oidc.s3.us-east-2.amazonaws.com/"], ["https://other.example.com"], [""]])(
    "with the issuer %j differs from the document",
    (issuer) => {
      const all = rendered();
      all.authentication.spec.serviceAccountIssuer = issuer;
      const differing = found(all).filter(({ code }) => code === "issuer-differs");
      expect(differing).toMatchObject([{ severity: "error", field: "spec.serviceAccountIssuer" }]);
      expect(differing[0]?.message).toBe(
        `"spec.serviceAccountIssuer" is "${issuer}", but the discovery document in the package is for "https://demo-oidc.s3.us-east-2.amazonaws.com"; render again.`,
      );
    },
  );

  it("is compared with the cluster's by the document, where there is one", () => {
    const all = rendered();
    const live = structuredClone(all.authentication);
    live.metadata.uid = "1";
    all.authentication.spec.serviceAccountIssuer = "https://other.example.com";
    expect(codesOf(found(all, [live]))).not.toContain("live-issuer");
    live.spec.serviceAccountIssuer = "https://other.example.com";
    expect(codesOf(found(all, [live]))).toContain("live-issuer");
  });

  it("in another file is a warning", () => {
    const all = rendered();
    all.authentication.metadata.annotations["config.kubernetes.io/path"] = "config/authentication.yaml";
    expect(found(all)).toMatchObject([
      {
        severity: "warning",
        code: "manifest-name",
        message:
          'is in "config/authentication.yaml", but the installer reads only "manifests/cluster-authentication-02-config.yaml"; move it there.',
      },
    ]);
  });
});

describe("what a render would refuse to remove", () => {
  it("is an error of a validation, too", () => {
    const all = rendered();
    const old = { ...all.issuer, metadata: { ...all.issuer.metadata, name: "aws-old" } };
    expect(everything(all, [old])).toMatchObject([{ severity: "error", code: "object-lost" }]);
  });

  it("includes the keys of a rendered issuer", () => {
    const all = rendered();
    all.config = { ...all.config, spec: { ...all.config.spec, issuer: {} } };
    expect(codesOf(everything(all).filter(({ severity }) => severity === "error"))).toContain("config-missing-field");
  });
});
