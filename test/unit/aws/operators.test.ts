import { describe, expect, it } from "vitest";
import { generators } from "../../../functions/generators.ts";
import {
  type Any,
  expectClean,
  expectFinding,
  identity,
  type Made,
  make,
  makeCredentials,
  makeOperators,
  request,
  subscription,
} from "../../helpers/cluster.ts";

const arn = (name: string) => `arn:aws:iam::123456789012:role/${name}`;
const named = "fn.cloudcredential.dev/subscription";
const vars = "credentials.openshift.io/role-arns-vars";
const release = { "include.release.openshift.io/self-managed-high-availability": "true" };
const tokenPath = "/var/run/secrets/openshift/serviceaccount/token";

const operators = (rules: Any) => identity({ spec: { operators: rules } });
const bundle = (baseName: string) => `aws/roles/${baseName}.yaml`;
const codes = ({ results }: Made) => results.map(({ tags }) => tags.code).sort();

/** The items that came in, as they came out. */
const passed = ({ stdout }: Made, count: number): Any[] => JSON.parse(stdout).items.slice(0, count);
const envOf = (item: Any) => item.spec.config?.env;

describe("which function handles a request", () => {
  const value = request("one");
  const settled = request("one", { annotations: { [named]: "none" } });
  const inNamespace = [value, subscription("any", "ns-one")];
  const annotated = [request("one", { annotations: { [named]: "far/any" } }), subscription("any", "far")];

  it.each([
    ["with a Subscription in its Secret's namespace", inNamespace],
    ["with the annotation", annotated],
    [
      "of a release, with the annotation",
      [request("one", { annotations: { ...release, [named]: "any" } }), inNamespace[1]],
    ],
  ])("an operator's, %s", (_, items) => {
    const platform = makeCredentials(identity(), items);
    expect(platform.objects).toEqual({});
    expect(codes(platform)).toEqual(["skipped-operator"]);
    const made = makeOperators(identity(), items);
    expectClean(made);
    expect(Object.keys(made.objects)).toEqual([bundle("ns-one-credentials")]);
  });

  it.each([
    ["without a Subscription", [value]],
    ["that says so, with a Subscription in another namespace", [settled, subscription("any", "ns-two")]],
    ["that says so, beside a Subscription", [settled, inNamespace[1]]],
    ["of a release, beside a Subscription", [request("one", { annotations: release }), inNamespace[1]]],
    ["with another kind of Subscription", [value, { ...inNamespace[1], apiVersion: "messaging.knative.dev/v1" }]],
    ["with a Subscription of no group", [value, { ...inNamespace[1], apiVersion: "v1" }]],
  ])("the platform's, %s", (_, items) => {
    expectClean(makeCredentials(identity(), items));
    expect(Object.keys(makeCredentials(identity(), items).objects)).toContain(bundle("ns-one-credentials"));
    const made = makeOperators(identity(), items);
    expect(made).toMatchObject({ exitCode: 0, objects: {}, results: [], stderr: "" });
    expect(passed(made, items.length)).toEqual(items);
  });

  it("only the platform's, and then the objects of other functions stay as they are", () => {
    const { stdout } = make(generators, identity(), [settled, subscription("any", "ns-two")]);
    const { items } = JSON.parse(stdout);
    expect(items.map(({ metadata }: Any) => metadata.name)).toContain("aws-cluster");
    for (const list of [items, items.filter(({ kind }: Any) => kind !== "Subscription")]) {
      const made = makeOperators(identity(), list);
      expect(made).toMatchObject({ exitCode: 0, results: [] });
      expect(passed(made, list.length)).toEqual(list);
    }
  });

  it("says why each function delegates a request to the other", () => {
    const items = [
      ...inNamespace,
      request("two"),
      request("four", { annotations: { [named]: "none" } }),
      request("three", { annotations: release, spec: { secretRef: { namespace: "ns-one", name: "other" } } }),
    ];
    expect(expectFinding(makeCredentials(identity(), items), "info", "skipped-operator")).toBe(
      'is delegated to configure-operators: Subscription "ns-one/any" is in the namespace of its Secret.',
    );
    const { results } = makeOperators(identity(), items);
    const said = results.filter(({ tags }) => tags.code === "skipped-platform").map(({ message }) => message);
    expect(said).toEqual([
      'is delegated to generate-cloud-credentials: its annotation "fn.cloudcredential.dev/subscription" is "none".',
      'is delegated to generate-cloud-credentials: it names cluster profiles, as a release\'s requests do, although Subscription "ns-one/any" is in the namespace of its Secret; to assign it to the operator, set the annotation "fn.cloudcredential.dev/subscription".',
      'is delegated to generate-cloud-credentials: no Subscription is in the namespace of its Secret, and it has no annotation "fn.cloudcredential.dev/subscription".',
    ]);
    expect(expectFinding(makeCredentials(identity(), annotated), "info", "skipped-operator")).toBe(
      'is delegated to configure-operators: it has the annotation "fn.cloudcredential.dev/subscription".',
    );
  });

  describe("when its Secret was rendered as the platform's", () => {
    const { stdout } = make(generators, identity(), [value]);
    const before: Any[] = JSON.parse(stdout).items.filter(({ kind }: Any) => kind !== "ClusterIdentity");
    const items = [...before, subscription("any", "ns-one")];

    it("is an error because the Secret would be removed, or a warning if the config allows it", () => {
      expect(before.map(({ kind }) => kind)).toContain("Secret");
      const made = makeCredentials(identity(), items);
      expect(expectFinding(made, "error", "secret-delegated")).toBe(
        'now belongs to an OLM operator (Subscription "ns-one/any" is in the namespace of its Secret), so its Secret "ns-one/credentials", rendered in "manifests/ns-one-credentials-credentials.yaml", would be removed. If a platform component reads the Secret, move the Subscription to another namespace. Otherwise, set "spec.operators.emitSecrets" to true to keep the Secret, or to false if the cloud-credential-operator creates it (OpenShift 4.14 and later). If this is intended, add "--allow removal:ns-one/credentials" to "ccf render", or set the annotation "fn.cloudcredential.dev/allow: removal:ns-one/credentials" on the ClusterIdentity.',
      );
      expect(codes(made)).toEqual(["secret-delegated", "skipped-operator"]);
      const meant = makeCredentials(operators({ emitSecrets: false }), items);
      expectFinding(meant, "warning", "secret-delegated");
      expect(codes(meant)).toEqual(["object-removed", "object-removed", "secret-delegated", "skipped-operator"]);
      expect(codes(make(generators, identity(), items))).toContain("secret-delegated");
    });

    it.each<[what: string, config: Any, list: Any[]]>([
      ["where operators get Secrets", operators({ emitSecrets: true }), items],
      ["where it is gone already", identity(), items.filter(({ kind }) => kind !== "Secret")],
      [
        "where it is of another",
        identity(),
        items.map((item) =>
          item.kind === "Secret" ? { ...item, metadata: { ...item.metadata, name: "other" } } : item,
        ),
      ],
    ])("is none %s", (_, config, list) => {
      const made = makeCredentials(config, list);
      expect(codes(made)).toContain("skipped-operator");
      expect(codes(made)).not.toContain("secret-delegated");
    });
  });

  it("is excluded if it is for another cloud, and a note reports it", () => {
    const gcp = request("one", { spec: { providerSpec: { kind: "GCPProviderSpec" } } });
    const made = make(generators, identity(), [gcp, subscription("any", "ns-one"), request("two")]);
    expect(expectFinding(made, "info", "skipped-other-cloud")).toBe(
      "excluded: it is for another cloud (GCPProviderSpec).",
    );
    expect(Object.keys(made.objects)).not.toContain(bundle("ns-one-credentials"));
  });

  it("is decided in the package of the identity alone", () => {
    const inPackage = (item: Any, path: string) => ({
      ...item,
      metadata: {
        ...item.metadata,
        annotations: { ...item.metadata.annotations, "internal.config.kubernetes.io/package-path": path },
      },
    });
    const items = [inPackage(value, "/a"), inPackage(subscription("any", "ns-one"), "/b")];
    const made = makeOperators(inPackage(identity(), "/a"), items);
    expect(made).toMatchObject({ exitCode: 0, objects: {}, results: [] });
    expect(passed(made, 2)).toEqual(items);
  });
});

describe("the Subscription of a request", () => {
  const with_ = (annotation: string, ...rest: Any[]) =>
    makeOperators(identity(), [request("one", { annotations: { [named]: annotation } }), ...rest]);

  it.each([
    ["a name in the Secret's namespace", "b", "ns-one/b"],
    ["a name in a namespace", "far/b", "far/b"],
  ])("is what the annotation says: %s", (_, annotation, found) => {
    const all = [subscription("a", "ns-one"), subscription("b", "ns-one"), subscription("b", "far")];
    const made = with_(annotation, ...all);
    expectClean(made);
    const changed = passed(made, 4)
      .slice(1)
      .filter(envOf)
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(changed).toEqual([found]);
  });

  it.each([
    [
      "no/such",
      [subscription("a", "ns-one")],
      "subscription-unknown",
      'names the Subscription "no/such", which is not in the package. Correct the annotation, or add the Subscription to the package.',
    ],
    [
      "alpah",
      [subscription("alpha", "ns-one")],
      "subscription-unknown",
      'names the Subscription "ns-one/alpah", which is not in the package (did you mean "ns-one/alpha"?). Correct',
    ],
    [
      "a/b/c",
      [],
      "subscription-unknown",
      'is "a/b/c", but must be the name of a Subscription, or "<namespace>/<name>".',
    ],
    ["", [], "subscription-unknown", 'is "", but must be the name of a Subscription'],
    ["../x", [], "subscription-unknown", 'is "../x", but must be'],
    [
      "a",
      [subscription("a", "ns-one"), subscription("a", "ns-one", { spec: { channel: "b" } })],
      "subscription-ambiguous",
      'belongs to Subscription "ns-one/a", which appears 2 times in the package. Remove all but one.',
    ],
  ])("is an error where the annotation is %j", (annotation, more, code, message) => {
    expect(expectFinding(with_(annotation, ...more), "error", code)).toContain(message);
  });

  it("is an error if it is ambiguous", () => {
    const made = makeOperators(identity(), [request("one"), subscription("a", "ns-one"), subscription("b", "ns-one")]);
    expect(expectFinding(made, "error", "subscription-ambiguous")).toBe(
      'has its Secret in the namespace "ns-one", which contains 2 Subscriptions. Set its annotation "fn.cloudcredential.dev/subscription" to the Subscription of its operator: "a", "b".',
    );
  });

  it.each([
    [
      subscription("${NAME}", "ns"),
      '"metadata.name" is "${NAME}", not a valid name, so no request can belong to this Subscription. Fill it in.',
    ],
    [subscription("x", "$NAMESPACE"), '"metadata.namespace" is "$NAMESPACE", not a valid name,'],
    [subscription("x", ""), '"metadata.namespace" is "", not a valid name,'],
  ])("that has no name is said", (item, message) => {
    expect(
      expectFinding(makeOperators(identity(), [request("one"), item]), "warning", "subscription-name-invalid"),
    ).toContain(message);
  });
});

describe("the variables of a Subscription", () => {
  const own = arn("demo-ns-one-credentials");
  const withEnv = (env: Any, more: Any = {}) => [
    request("one"),
    subscription("any", "ns-one", { spec: { config: { env }, ...more } }),
  ];

  it("are ROLEARN, or what the annotation says", () => {
    const node = request("node", {
      annotations: { [vars]: "NODE_ROLEARN,NODE_ROLE,NODE_ROLEARN" },
      spec: { secretRef: { namespace: "ns-one", name: "node" } },
    });
    const silent = request("silent", {
      annotations: { [vars]: "" },
      spec: { secretRef: { namespace: "ns-one", name: "silent" } },
    });
    const made = makeOperators(identity(), [node, request("one"), silent, subscription("any", "ns-one")]);
    expectClean(made);
    expect(envOf(passed(made, 4)[3])).toEqual([
      { name: "ROLEARN", value: own },
      { name: "NODE_ROLEARN", value: arn("demo-ns-one-node") },
      { name: "NODE_ROLE", value: arn("demo-ns-one-node") },
    ]);
    expect(Object.keys(made.objects)).toHaveLength(3);
  });

  it.each(["A, B", "A,", " ", "1A", "A;B", "$(x)", "-x", ".A", "A-B", "A.B"])(
    "are an error where the annotation is %j",
    (list) => {
      const items = [request("one", { annotations: { [vars]: list } }), subscription("any", "ns-one")];
      expect(expectFinding(makeOperators(identity(), items), "error", "variable-invalid")).toContain(
        `"metadata.annotations.credentials.openshift.io/role-arns-vars" is ${JSON.stringify(list)}, but must be a comma-separated list of environment variable names (letters, digits and "_", not starting with a digit) without spaces.`,
      );
    },
  );

  it.each([
    ...["PATH", "HOME", "LD_PRELOAD", "LD_LIBRARY_PATH", "GODEBUG", "KUBECONFIG", "KUBERNETES_SERVICE_HOST"],
    ...["https_proxy", "NO_PROXY", "SSL_CERT_FILE", "AWS_PROFILE", "AWS_ENDPOINT_URL", "OPERATOR_CONDITION_NAME"],
  ])("are an error where one is %s, which is for something else", (name) => {
    const items = [request("one", { annotations: { [vars]: `ROLEARN,${name}` } }), subscription("any", "ns-one")];
    const made = makeOperators(identity(), items);
    expect(made.exitCode).toBe(1);
    expect(expectFinding(made, "error", "variable-invalid")).toBe(
      `"metadata.annotations.credentials.openshift.io/role-arns-vars" names "${name}", which programs and libraries use for another purpose; name the variable in which the operator expects its role.`,
    );
  });

  it("may be what the AWS SDKs read, or look like another", () => {
    const items = [
      request("one", { annotations: { [vars]: "AWS_ROLE_ARN,AWS_MY_ROLE,_x,PATH_ROLEARN" } }),
      subscription("any", "ns-one"),
    ];
    expectClean(makeOperators(identity(), items));
  });

  it("are an error where two requests want the same", () => {
    const two = request("two", { annotations: { [named]: "ns-one/any" } });
    const made = makeOperators(identity(), [...withEnv([]), two]);
    expect(expectFinding(made, "error", "variable-shared")).toBe(
      'CredentialsRequest "openshift-cloud-credential-operator/one" and CredentialsRequest "openshift-cloud-credential-operator/two" both use the variable "ROLEARN". In one of them, set the annotation "credentials.openshift.io/role-arns-vars" to the variable from which the operator reads that role, or to an empty value if the operator gets the role in another way.',
    );
  });

  it.each<[what: string, env: Any, message: string]>([
    [
      "comes from somewhere",
      [{ name: "A" }, { name: "ROLEARN", valueFrom: { secretKeyRef: {} } }],
      `the variable "ROLEARN" must be "${own}", but takes its value from "spec.config.env[1].valueFrom". Remove the entry.`,
    ],
    [
      "appears twice",
      [
        { name: "ROLEARN", value: own },
        { name: "ROLEARN", value: own },
      ],
      'the variable "ROLEARN" appears 2 times in "spec.config.env". Remove all but one.',
    ],
  ])("are an error where one %s", (_, env, message) => {
    expect(expectFinding(makeOperators(identity(), withEnv(env)), "error", "variable-conflict")).toBe(message);
  });

  it.each<[what: string, env: Any]>([
    ["a list", { a: 1 }],
    ["a value", [{ name: "ROLEARN", value: ["x"] }]],
  ])("are an error where there is no %s to be changed", (_, env) => {
    expect(expectFinding(makeOperators(identity(), withEnv(env)), "error", "field-not-editable")).toContain(
      "Write it out as a plain value",
    );
  });

  it("replace another role with a warning, and a placeholder without", () => {
    const made = makeOperators(identity(), withEnv([{ name: "ROLEARN", value: arn("other") }]));
    expect(expectFinding(made, "warning", "variable-replaced")).toBe(
      `the variable "ROLEARN" was "${arn("other")}"; it is now "${own}", the role of its request.`,
    );
    for (const value of ["<role_arn>", "$ROLE_ARN", "${ROLEARN}", "", null]) {
      const filled = makeOperators(identity(), withEnv([{ name: "ROLEARN", value }]));
      expectClean(filled);
      expect(envOf(passed(filled, 2)[1])).toEqual([{ name: "ROLEARN", value: own }]);
    }
  });

  it.each(["true", "other", "<role_arn> x", "$A$B", "ARN:aws:iam::123456789012:role/x", " "])(
    "replace the value %j of a user with a warning that does not show it",
    (value) => {
      const made = makeOperators(identity(), withEnv([{ name: "ROLEARN", value }]));
      expect(expectFinding(made, "warning", "variable-replaced")).toBe(
        `the variable "ROLEARN" had another value; it is now "${own}", the role of its request.`,
      );
      expect(envOf(passed(made, 2)[1])).toEqual([{ name: "ROLEARN", value: own }]);
    },
  );

  it.each([
    [
      "warning",
      "<role_arn>",
      `the variable "ROLEARN" is "<role_arn>", a placeholder that was not filled in, and no CredentialsRequest in the package belongs to this Subscription. Add the operator's CredentialsRequest, and if its Secret is in another namespace, set its annotation "fn.cloudcredential.dev/subscription": the render then fills in the role. Otherwise, fill it in.`,
    ],
    [
      "info",
      arn("other"),
      `the variable "ROLEARN" names "${arn("other")}", but no CredentialsRequest in the package belongs to this Subscription, so the package neither creates nor checks the role. If something else manages it, no action is needed. Add the operator's CredentialsRequest, and if its Secret is in another namespace, set its annotation "fn.cloudcredential.dev/subscription".`,
    ],
    [
      "info",
      "secret",
      `the variable "ROLEARN" has a value, but no CredentialsRequest in the package belongs to this Subscription, so the package neither creates nor checks the role. If something else manages it, no action is needed. Add the operator's CredentialsRequest, and if its Secret is in another namespace, set its annotation "fn.cloudcredential.dev/subscription".`,
    ],
  ] as const)("are reported without a request, as a %s: %s", (severity, value, message) => {
    const alone = subscription("any", "ns-one", { spec: { config: { env: [{ name: "ROLEARN", value }] } } });
    const made = makeOperators(identity(), [alone]);
    expect(expectFinding(made, severity, "variable-without-request")).toBe(message);
    expect(passed(made, 1)).toEqual([alone]);
    expect(codes(makeOperators(identity(), [alone, request("one")]))).not.toContain("variable-without-request");
  });

  it("that no request needs anymore are reported and kept", () => {
    const old = { name: "OLD", value: arn("demo-ns-one-old") };
    const given = { name: "GIVEN", value: arn("given") };
    const foreign = { name: "FOREIGN", value: arn("else") };
    const config = identity({ aws: { overrides: { "ns-one/credentials": { roleName: "given" } } } });
    const made = makeOperators(config, withEnv([old, given, foreign, { name: "ROLEARN", value: arn("given") }]));
    const left = made.results.filter(({ tags }) => tags.code === "variable-stale").map(({ message }) => message);
    expect(left.sort()).toEqual([
      `the variable "GIVEN" names "${arn("given")}", a role of this cluster, but no request uses this variable. Remove the entry, or correct the request.`,
      `the variable "OLD" names "${arn("demo-ns-one-old")}", a role of this cluster, but no request uses this variable. Remove the entry, or correct the request.`,
    ]);
    expect(envOf(passed(made, 2)[1])).toHaveLength(4);
    // Also when the last request of an operator is gone.
    const alone = makeOperators(identity(), withEnv([old]).slice(1));
    expect(codes(alone)).toEqual(["variable-stale"]);
    expect(alone.objects).toEqual({});
  });

  it("are not reported as stale if a request could not be read", () => {
    const items = [
      request("one", { spec: { serviceAccountNames: [] } }),
      subscription("any", "ns-one", { spec: { config: { env: [{ name: "ROLEARN", value: own }] } } }),
    ];
    expect(codes(makeOperators(identity(), items))).toEqual(["no-service-account"]);
  });

  it("wait until the issuer is known", () => {
    const config = identity({ aws: { issuerHosting: { type: "S3CloudFront" } } });
    const items = withEnv([{ name: "ROLEARN", value: own }]);
    const made = makeOperators(config, items);
    expect(codes(made)).toEqual(["issuer-unknown"]);
    expect(passed(made, 2)).toEqual(items);
  });
});

describe("installPlanApproval", () => {
  const items = (installPlanApproval?: Any) => [
    request("one"),
    subscription("any", "ns-one", { spec: { installPlanApproval } }),
    subscription("no-request", "elsewhere"),
  ];
  const approval = (made: Made) => passed(made, 3).map(({ spec }) => spec?.installPlanApproval);

  it("becomes Manual, where nothing else is asked for", () => {
    for (const config of [identity(), operators({ installPlanApproval: "Manual" })]) {
      const made = makeOperators(config, items());
      expectClean(made);
      expect(approval(made)).toEqual([undefined, "Manual", undefined]);
      const replaced = makeOperators(config, items("Automatic"));
      expect(expectFinding(replaced, "info", "install-plan-manual")).toBe(
        '"spec.installPlanApproval" was "Automatic" and is now "Manual". To keep the value of the Subscription, set "spec.operators.installPlanApproval" of the ClusterIdentity to "Automatic".',
      );
      expect(approval(replaced)).toEqual([undefined, "Manual", undefined]);
      expect(codes(makeOperators(config, items("Manual")))).toEqual([]);
    }
  });

  it("stays, and its absence is warned of, where Automatic is asked for", () => {
    for (const before of [undefined, "Automatic"]) {
      const made = makeOperators(operators({ installPlanApproval: "Automatic" }), items(before));
      expect(expectFinding(made, "warning", "install-plan-automatic")).toBe(
        '"spec.installPlanApproval" is not "Manual", so the operator updates automatically, and a new version may need permissions that its role lacks. Set it to "Manual", or set "spec.operators.installPlanApproval" of the ClusterIdentity to "Manual" to have every render set it.',
      );
      expect(approval(made)).toEqual([undefined, before, undefined]);
    }
    expectClean(makeOperators(operators({ installPlanApproval: "Automatic" }), items("Manual")));
  });
});

describe("the request of an operator", () => {
  const own = arn("demo-ns-one-credentials");
  const items = (spec: Any = {}, providerSpec: Any = {}) => {
    const value = request("one", { spec });
    return [
      { ...value, spec: { ...value.spec, providerSpec: { ...value.spec.providerSpec, ...providerSpec } } },
      subscription("any", "ns-one"),
    ];
  };
  const specOf = (made: Made) => {
    const { cloudTokenPath, providerSpec } = passed(made, 1)[0].spec;
    return [providerSpec.stsIAMRoleARN, cloudTokenPath];
  };

  it.each<[what: string, items: Any[], path: string]>([
    ["nothing of it", items(), tokenPath],
    ["a token path", items({ cloudTokenPath: "/x/token" }), "/x/token"],
    ["an empty token path", items({ cloudTokenPath: "" }), tokenPath],
    ["a placeholder for the role", items({}, { stsIAMRoleARN: "${ROLEARN}" }), tokenPath],
    ["both", items({ cloudTokenPath: "/x/token" }, { stsIAMRoleARN: own }), "/x/token"],
  ])("gets role and token path where it has %s", (_, list, path) => {
    const made = makeOperators(identity(), list);
    expectClean(made);
    expect(specOf(made)).toEqual([own, path]);
  });

  it("gets the token path from the config", () => {
    expect(specOf(makeOperators(identity({ spec: { tokenPath: "/own/token" } }), items()))).toEqual([
      own,
      "/own/token",
    ]);
  });

  it("must not name another role, unless the config names that role, too", () => {
    const given = items({}, { stsIAMRoleARN: arn("by-hand") });
    const made = makeOperators(identity(), given);
    expect(expectFinding(made, "error", "operator-role-differs")).toBe(
      `"spec.providerSpec.stsIAMRoleARN" is "${arn("by-hand")}", but the package generates "${own}" for this request, and only one of them can be in its Secret. To use it, set "roleName" in "spec.platform.aws.overrides" for "ns-one/credentials" to "by-hand". Otherwise, remove the value: the render writes the role of the package there. If the role in the request must stay and is not in the account of this package, set "skip" to true in its override.`,
    );
    const config = identity({ aws: { overrides: { "ns-one/credentials": { roleName: "by-hand" } } } });
    const named = makeOperators(config, given);
    expect(codes(named)).toEqual(["token-path-missing"]);
    expect(specOf(named)).toEqual([arn("by-hand"), tokenPath]);
  });

  it.each([
    ["in another account", "arn:aws:iam::444455556666:role/by-hand"],
    ["in another form", "by-hand"],
  ])("is not told to name a role %s in the config", (_, stsIAMRoleARN) => {
    const made = makeOperators(identity(), items({}, { stsIAMRoleARN }));
    expect(expectFinding(made, "error", "operator-role-differs")).toContain(
      "only one of them can be in its Secret. Remove the value: the render writes the role of the package there.",
    );
  });

  it("gets its new role if it names the one that was rendered before", () => {
    const before = makeOperators(identity(), items());
    const config = identity({ aws: { overrides: { "ns-one/credentials": { roleName: "new" } } } });
    const made = makeOperators(config, JSON.parse(before.stdout).items);
    expect(expectFinding(made, "warning", "operator-role-differs")).toBe(
      `"spec.providerSpec.stsIAMRoleARN" is "${own}", and is replaced with "${arn("new")}", the role that is now generated for this request.`,
    );
    const edited = JSON.parse(before.stdout).items.map((item: Any) =>
      item.kind === "CredentialsRequest" ? items({}, { stsIAMRoleARN: arn("by-hand") })[0] : item,
    );
    expectFinding(makeOperators(config, edited), "error", "operator-role-differs");
  });

  it("has a missing token path filled in, with a warning", () => {
    const made = makeOperators(identity(), items({}, { stsIAMRoleARN: own }));
    expect(expectFinding(made, "warning", "token-path-missing")).toBe(
      `has a role but no "spec.cloudTokenPath", so its Secret would name "/var/run/secrets/kubernetes.io/serviceaccount/token", the pod's API server token, which AWS refuses. The field is set to "${tokenPath}"; check that the operator mounts its token there.`,
    );
    expect(specOf(made)).toEqual([own, tokenPath]);
  });

  it("is written in all its copies, so that they stay equal", () => {
    const at = (item: Any, path: string) => ({
      ...item,
      metadata: { ...item.metadata, annotations: { "config.kubernetes.io/path": path } },
    });
    const [one, any] = items() as [Any, Any];
    const made = makeOperators(identity(), [at(one, "a.yaml"), at(one, "b.yaml"), any]);
    expect(codes(made)).toEqual(["skipped-duplicate"]);
    const [first, second] = passed(made, 2);
    expect(first.spec.providerSpec.stsIAMRoleARN).toBe(own);
    expect(second.spec).toEqual(first.spec);
    expect(codes(makeOperators(identity(), passed(made, 3)))).toEqual(["skipped-duplicate"]);
  });

  it("keeps other templates an error", () => {
    const made = makeOperators(identity(), items({ cloudTokenPath: "/${X}" }, { stsIAMRoleARN: "${ROLEARN}" }));
    expect(expectFinding(made, "error", "request-placeholder")).toContain('"spec.cloudTokenPath" is "/${X}"');
    const platform = makeCredentials(identity(), items({}, { stsIAMRoleARN: "${ROLEARN}" }).slice(0, 1));
    expect(expectFinding(platform, "error", "request-placeholder")).toContain(
      '"spec.providerSpec.stsIAMRoleARN" is "${ROLEARN}"',
    );
  });
});

describe("the Secret of an operator", () => {
  const items = [request("one"), subscription("any", "ns-one")];
  const path = "manifests/ns-one-credentials-credentials.yaml";
  const text = `[default]\nsts_regional_endpoints = regional\nrole_arn = ${arn("demo-ns-one-credentials")}\nweb_identity_token_file = ${tokenPath}`;

  it("is created by the cloud-credential-operator by default", () => {
    expect(Object.keys(makeOperators(identity(), items).objects)).toEqual([bundle("ns-one-credentials")]);
    expect(Object.keys(makeOperators(operators({ emitSecrets: false }), items).objects)).toEqual([
      bundle("ns-one-credentials"),
    ]);
  });

  it("has the bytes that the cloud-credential-operator would write, whatever the config sets for other Secrets", () => {
    for (const [aws, secret] of [
      [{}, {}],
      [{ includeRegionInSecret: true }, {}],
      [{}, { encoding: "data" }],
    ]) {
      const made = makeOperators(identity({ aws, spec: { secret, operators: { emitSecrets: true } } }), items);
      expectClean(made);
      const { type, metadata, stringData, data } = made.objects[path];
      expect({ type, name: metadata.name, namespace: metadata.namespace }).toEqual({
        type: "Opaque",
        name: "credentials",
        namespace: "ns-one",
      });
      expect(data === undefined ? stringData.credentials : Buffer.from(data.credentials, "base64").toString()).toBe(
        text,
      );
    }
  });
});

describe("names", () => {
  const twin = (name: string, annotations: Any = {}) =>
    request(name, { annotations, spec: { secretRef: { namespace: `ns-${name}`, name: "credentials" } } });
  const overrides = { "ns-one/credentials": { roleName: "same" }, "ns-two/credentials": { roleName: "Same" } };
  const items = [twin("one"), twin("two"), subscription("any", "ns-two")];

  it("of roles must differ, whichever functions generate them", () => {
    for (const fns of [generators.slice(1, 2), generators.slice(2), generators]) {
      const made = make(fns, identity({ aws: { overrides } }), items);
      expect(expectFinding(made, "error", "role-name-collision")).toContain(
        'CredentialsRequest "openshift-cloud-credential-operator/one" and CredentialsRequest "openshift-cloud-credential-operator/two" would get the same role "Same"',
      );
    }
    const skipped = { "ns-one/credentials": { skip: true } };
    expectClean(make(generators, identity({ aws: { overrides }, spec: { overrides: skipped } }), items));
  });

  it("of files must differ, whichever functions generate them", () => {
    const a = request("a", { spec: { secretRef: { namespace: "x-y", name: "z" } } });
    const b = request("b", { spec: { secretRef: { namespace: "x", name: "y-z" } } });
    const config = identity({ aws: { overrides: { "x/y-z": { roleName: "other" } } } });
    for (const fns of [generators.slice(1, 2), generators.slice(2), generators]) {
      const made = make(fns, config, [a, b, subscription("any", "x")]);
      expect(expectFinding(made, "error", "path-collision")).toBe(
        'CredentialsRequest "openshift-cloud-credential-operator/a" and CredentialsRequest "openshift-cloud-credential-operator/b" would both be written to the file "aws/roles/x-y-z.yaml". Rename one of their Secrets.',
      );
    }
  });

  it("in overrides are known to both functions", () => {
    const config = identity({
      spec: { overrides: { "ns-two/credentials": { serviceAccountNames: ["c"] } } },
      aws: { overrides: { "ns-one/credentials": { roleName: "a" }, "ns-two/credentials": { roleName: "b" } } },
    });
    expectClean(make(generators, config, items));
    const made = makeOperators(config, items);
    expectClean(made);
    expect(envOf(passed(made, 3)[2])).toEqual([{ name: "ROLEARN", value: arn("b") }]);
    expect(JSON.stringify(made.bundle(bundle("ns-two-credentials"))["trust-policy.json"])).toContain(
      "system:serviceaccount:ns-two:c",
    );
    const unmatched = identity({ spec: { overrides: { "no/such": { skip: true } } } });
    expect(expectFinding(make(generators, unmatched, items), "error", "override-unmatched")).toContain('"no/such"');
  });
});

describe("a request that changes hands", () => {
  const value = request("one");
  const any = subscription("any", "ns-one");
  const config = operators({ emitSecrets: true });
  const run = (fns: typeof generators, items: Any[]) => {
    const made = make(fns, config, items);
    expectClean(made);
    if (fns.length > 1) expect(codes(made)).not.toContain("object-removed");
    return JSON.parse(made.stdout).items as Any[];
  };
  const makers = (items: Any[]) =>
    items.flatMap(({ kind, metadata }) =>
      metadata.name === "aws-role-ns-one-credentials" || kind === "Secret"
        ? [metadata.annotations["fn.cloudcredential.dev/generated-by"]]
        : [],
    );
  const without = (items: Any[], gone: Any) => items.filter(({ kind }) => kind !== gone.kind);
  const [issuer = [], credentials = [], configure = []] = generators.map((fn) => [fn]);

  it.each([
    ["all functions at once", [generators]],
    ["one after the other", [issuer, credentials, configure]],
    ["in another order", [configure, credentials, issuer]],
    ["the one that takes it alone first", [configure, credentials]],
  ])("is taken over, and given back: %s", (_, steps) => {
    const all = (items: Any[]) => steps.reduce((list, fns) => run(fns, list), items);
    const before = all([value]);
    expect(makers(before)).toEqual(Array(2).fill("generate-cloud-credentials/demo"));
    const during = all([any, ...before]);
    expect(makers(during)).toEqual(Array(2).fill("configure-operators/demo"));
    expect(all(during)).toEqual(during);
    const after = all(without(during, any));
    expect(makers(after)).toEqual(Array(2).fill("generate-cloud-credentials/demo"));
    expect(all(after)).toEqual(after);
  });

  it("is not taken over from a user or from an identity with another name", () => {
    const list = run(generators, [value]);
    for (const [owner, code] of [
      ["", "name-taken"],
      ["generate-cloud-credentials/other", "name-taken"],
    ] as const) {
      const items = list.map((item) =>
        item.kind !== "ConfigMap"
          ? item
          : {
              ...item,
              metadata: {
                ...item.metadata,
                annotations: { ...item.metadata.annotations, "fn.cloudcredential.dev/generated-by": owner },
              },
            },
      );
      const made = makeOperators(config, [any, ...items]);
      expect(made.exitCode).toBe(1);
      expect(codes(made)).toContain(code);
    }
  });
});
