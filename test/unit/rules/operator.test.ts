import "../../helpers/seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Any, subscription } from "../../helpers/cluster.ts";
import {
  allVerbs,
  csv,
  deploymentSpec,
  rules,
  shippedRequest,
  tokenPath,
  tokenVolume,
} from "../../helpers/operator.ts";
import { codesOf, validated } from "../../helpers/validated.ts";

const annotation = (cloud: string) => `features.operators.openshift.io/token-auth-${cloud}`;
const field = (cloud: string) => `metadata.annotations.${annotation(cloud)}`;
const pod = "spec.install.spec.deployments[0].spec.template.spec";
const deployment = (name: string, account = "sample", metadata: Any = {}, container: Any = {}): Any => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, ...metadata },
  spec: deploymentSpec(account, container),
});

/** What is found, in short. */
function found(...objects: readonly Any[]) {
  return validated(objects).map(({ code, message, resource, field }) => ({
    code,
    message,
    field,
    on: `${resource?.kind} ${resource?.name}`,
  }));
}

const clouds = [
  ["AWS", "aws"],
  ["GCP", "gcp"],
  ["Azure", "azure"],
] as const;

describe("an operator as it should be", () => {
  it.each(clouds)("on %s breaks no rule", (cloud, suffix) => {
    expect(found(csv({ annotations: { [annotation(suffix)]: "true" } }), shippedRequest({ cloud }))).toEqual([]);
  });

  it("with nothing of any cloud breaks no rule", () => {
    expect(found(csv({ annotations: {}, clusterPermissions: [] }))).toEqual([]);
    expect(found(csv({ annotations: {}, install: { deployments: null, clusterPermissions: "x" } }))).toEqual([]);
  });

  it("is of the group operators.coreos.com", () => {
    const other = { ...csv(), apiVersion: "example.com/v1" };
    expect(codesOf(validated([other]))).toEqual([]);
    expect(codesOf(validated([{ ...csv(), apiVersion: "operators.coreos.com/v1beta7" }]))).toEqual([
      "operator-token-auth-unshipped",
    ]);
  });
});

describe("the token-auth annotations", () => {
  it.each(clouds)("must be there for a request for %s", (cloud, suffix) => {
    const on = "ClusterServiceVersion sample.v1.0.0";
    for (const [annotations, is] of [
      [{}, "is not set"],
      [{ [annotation(suffix)]: "false" }, 'is "false"'],
    ] as const) {
      const message = `"${field(suffix)}" ${is}, but CredentialsRequest "openshift-cloud-credential-operator/sample" for ${cloud} is shipped with it; write ${annotation(suffix)}: "true", with the quotes.`;
      expect(found(csv({ annotations }), shippedRequest({ cloud }))).toEqual([
        { code: "operator-token-auth-undeclared", message, field: field(suffix), on },
      ]);
    }
  });

  it.each(clouds)('must not be "true" without a request for %s', (cloud, suffix) => {
    const message = `"${field(suffix)}" is "true", but no CredentialsRequest for ${cloud} (${cloud}ProviderSpec) is shipped with it; add one, or write "false".`;
    expect(found(csv({ annotations: { [annotation(suffix)]: "true" } }))).toEqual([
      {
        code: "operator-token-auth-unshipped",
        message,
        field: field(suffix),
        on: "ClusterServiceVersion sample.v1.0.0",
      },
    ]);
  });

  it.each<[string, unknown, string]>([
    ["a boolean", true, "true"],
    ["a boolean that denies", false, "false"],
    ["another case", "True", '"True"'],
    ["a word", "yes", '"yes"'],
    ["nothing", null, "null"],
    ["an empty text", "", '""'],
    ["a mapping", { aws: "true" }, "a mapping"],
  ])("that are %s are refused, and taken for neither", (_name, value, shown) => {
    const wrong = csv({ annotations: { [annotation("aws")]: value } });
    for (const objects of [[wrong], [wrong, shippedRequest()]])
      expect(validated(objects)).toMatchObject([
        {
          severity: "error",
          code: "operator-token-auth-value",
          message: `"${field("aws")}" is ${shown}, but must be the string "true" or "false", in quotes.`,
          field: field("aws"),
        },
      ]);
  });

  it("are not decided by requests that are marked for deletion", () => {
    const gone = shippedRequest({ annotations: { "release.openshift.io/delete": "true" } });
    expect(codesOf(validated([csv(), gone]))).toEqual(["operator-token-auth-unshipped"]);
  });

  it("are accepted on the ClusterServiceVersion", () => {
    const annotations = {
      [annotation("aws")]: "true",
      "fn.cloudcredential.dev/accept": "operator-token-auth-unshipped",
      "fn.cloudcredential.dev/accept-reason": "the code makes its requests",
    };
    expect(validated([csv({ annotations })])).toMatchObject([
      { severity: "info", code: "operator-token-auth-unshipped", accepted: '"the code makes its requests"' },
    ]);
  });
});

describe("permissions over CredentialsRequests", () => {
  const given = (...list: readonly Any[]) => ({ clusterPermissions: [{ serviceAccountName: "sample", rules: list }] });
  const all = [...allVerbs];
  const names = { resourceNames: ["sample"] };

  it.each<[string, Any, readonly string[]]>([
    ["in one rule", given(rules(all)), []],
    ["in several rules", given(rules(all.slice(0, 3)), rules(all.slice(3))), []],
    [
      "in several entries of the account",
      { clusterPermissions: [...given(rules(["get"])).clusterPermissions, ...given(rules(all)).clusterPermissions] },
      [],
    ],
    ["by wildcards", given({ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }), []],
    ["for other resources, too", given(rules(all, { resources: ["secrets", "credentialsrequests"] })), []],
    ["for the status alone", given(rules(all, { resources: ["credentialsrequests/status"] })), all],
    [
      "for a resource with its group",
      given(rules(all, { resources: ["credentialsrequests.cloudcredential.openshift.io"] })),
      all,
    ],
    ["of another group", given(rules(all, { apiGroups: ["", "config.openshift.io"] })), all],
    ["without a group", given({ resources: ["credentialsrequests"], verbs: ["*"] }), all],
    ["of other accounts", { clusterPermissions: [{ serviceAccountName: "other", rules: [rules(all)] }] }, all],
    ["of nobody", { clusterPermissions: [] }, all],
    ["but for one verb", given(rules(all.filter((verb) => verb !== "patch"))), ["patch"]],
    ["but for two verbs", given(rules(["create", "get", "list", "watch", "update"])), ["patch", "delete"]],
    ["by name where a name is known", given(rules(["create", "list", "watch"]), rules(all, names)), []],
    ["by name alone", given(rules(all, names)), ["create", "list", "watch"]],
    ["by another name", given(rules(all, { resourceNames: ["x"] })), all],
    ["in its own namespaces", { clusterPermissions: [], permissions: given(rules(all)).clusterPermissions }, all],
  ])("%s", (_name, parts, missing) => {
    const list = missing.join(", ");
    const message = `declares token authentication, but its service account "sample" may not ${list} credentialsrequests in the whole cluster; add {apiGroups: [cloudcredential.openshift.io], resources: [credentialsrequests], verbs: [${list}]} to its rules in "spec.install.spec.clusterPermissions".`;
    const expected = {
      code: "operator-permissions",
      message,
      field: "spec.install.spec.clusterPermissions",
      on: "ClusterServiceVersion sample.v1.0.0",
    };
    expect(found(csv(parts), shippedRequest())).toEqual(missing.length === 0 ? [] : [expected]);
  });

  it.each<[string, readonly Any[], boolean]>([
    ["all namespaces alone", [{ type: "AllNamespaces", supported: true }], true],
    [
      "all namespaces, the others not supported",
      [
        { type: "OwnNamespace", supported: false },
        { type: "AllNamespaces", supported: true },
      ],
      true,
    ],
    [
      "its own namespace, too",
      [
        { type: "OwnNamespace", supported: true },
        { type: "AllNamespaces", supported: true },
      ],
      false,
    ],
    ["nobody knows what", [], false],
  ])("in its own namespaces, of an operator for %s", (_name, installModes, suffices) => {
    const permissions = [{ serviceAccountName: "sample", rules: [rules(all)] }];
    const value = csv({ permissions, clusterPermissions: [], spec: { installModes, ...installOf(permissions) } });
    expect(codesOf(validated([value, shippedRequest()]))).toEqual(suffices ? [] : ["operator-permissions"]);
  });

  // `spec` of the helper replaces the existing one.
  function installOf(permissions: Any): Any {
    return { install: { spec: { permissions, deployments: [{ name: "sample", spec: deploymentSpec("sample") }] } } };
  }

  it("must be one account's, and of one that pods run as", () => {
    const two = {
      deployments: ["more", "sample"].map((name) => ({ name, spec: deploymentSpec(name) })),
      clusterPermissions: [
        { serviceAccountName: "more", rules: [rules(["create", "get"])] },
        { serviceAccountName: "sample", rules: [rules(["list", "watch", "update", "patch", "delete"])] },
        { serviceAccountName: "nobody", rules: [rules(all)] },
      ],
    };
    const [only, ...more] = found(csv({ install: two }), shippedRequest());
    expect(more).toEqual([]);
    expect(only?.message).toContain('its service account "sample" may not create, get credentialsrequests');
  });

  it("by name suffice for no operator of whose requests no name is known", () => {
    const value = csv(given(rules(["create", "list", "watch"]), rules(all, names)));
    expect(codesOf(validated([value]))).toEqual(["operator-permissions", "operator-token-auth-unshipped"]);
  });

  it("can be those of a Deployment beside the ClusterServiceVersion", () => {
    const beside = [{ serviceAccountName: "beside", rules: [rules(all)] }];
    const value = csv({ clusterPermissions: beside, install: { deployments: [] } });
    expect(codesOf(validated([value, deployment("x", "beside"), shippedRequest()]))).toEqual([
      "operator-service-account",
    ]);
  });

  it("are not asked of an operator that declares nothing", () => {
    expect(found(csv({ annotations: { [annotation("aws")]: "false" }, clusterPermissions: [] }))).toEqual([]);
  });

  it("can be spread over rules in any way", () => {
    const split = fc.array(fc.subarray(allVerbs, { minLength: 1 }), { maxLength: 4 });
    fc.assert(
      fc.property(split, (parts) => {
        const missing = allVerbs.filter((verb) => !parts.some((part) => part.includes(verb)));
        const [only] = found(csv(given(...parts.map((part) => rules(part)))), shippedRequest());
        if (missing.length === 0) expect(only).toBeUndefined();
        else expect(only?.message).toContain(`verbs: [${missing.join(", ")}]`);
      }),
    );
  });
});

describe("service accounts of a request", () => {
  const named = (accounts: unknown, more: Any = {}) =>
    shippedRequest({ spec: { serviceAccountNames: accounts, ...more } });
  const codes = (value: Any, ...objects: readonly Any[]) => codesOf(validated([value, ...objects]));
  const account = (name: string, namespace = "") => ({
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name, ...(namespace === "" ? {} : { namespace }) },
  });

  it("must be those of the operator", () => {
    expect(found(csv(), named(["sample", "sampel", "node"]))).toEqual([
      {
        code: "operator-service-account",
        message:
          '"spec.serviceAccountNames" names "sampel", "node", but the operator is not installed with that service account; its pods run as "sample". Correct the name. If the operator creates the account when it runs, accept the finding.',
        field: "spec.serviceAccountNames",
        on: "CredentialsRequest sample",
      },
    ]);
  });

  it.each<[string, Any, readonly Any[]]>([
    ["of its permissions", csv({ permissions: [{ serviceAccountName: "node", rules: [] }] }), []],
    ["of a ServiceAccount beside it", csv(), [account("node")]],
    ["of a ServiceAccount in its namespace", csv(), [account("node", "openshift-sample")]],
    ["of a Deployment beside it", csv(), [deployment("plugin", "node")]],
  ])("can be those %s", (_name, value, beside) => {
    expect(codes(value, named(["sample", "node"]), ...beside)).toEqual([]);
  });

  it.each<[string, readonly Any[]]>([
    ["of a ServiceAccount elsewhere", [account("node", "other")]],
    ["of a ServiceAccount of another kind", [{ ...account("node"), apiVersion: "example.com/v1" }]],
    ["of pods of another kind", [{ ...deployment("x", "node"), apiVersion: "example.com/v1" }]],
  ])("cannot be those %s", (_name, beside) => {
    expect(codes(csv(), named(["sample", "node"]), ...beside)).toEqual(["operator-service-account"]);
  });

  it("count in the namespace of the Secret", () => {
    const elsewhere = named(["sample"], { secretRef: { namespace: "openshift-else", name: "cloud-credentials" } });
    expect(found(csv(), elsewhere)).toEqual([
      {
        code: "operator-service-account",
        message:
          '"spec.serviceAccountNames" applies to the namespace "openshift-else" of its Secret, but the operator is for "openshift-sample"; use one namespace for both.',
        field: "spec.serviceAccountNames",
        on: "CredentialsRequest sample",
      },
    ]);
    const suggested = { "operatorframework.io/suggested-namespace": "openshift-else", [annotation("aws")]: "true" };
    expect(codes(csv({ namespace: "placeholder", annotations: suggested }), elsewhere)).toEqual([]);
    expect(codes(csv({ namespace: "placeholder" }), elsewhere)).toEqual([]);
    expect(codes(csv({ namespace: "" }), elsewhere)).toEqual([]);
    const startingCSV = "sample.v1.0.0";
    expect(codes(csv(), elsewhere, subscription("sample", "openshift-else", { spec: { startingCSV } }))).toEqual([]);
  });

  it("are those of a Subscription's namespace only where it has one", () => {
    const nowhere = subscription("sample", "", { spec: { startingCSV: "sample.v1.0.0" } });
    expect(codes(csv({ namespace: "placeholder" }), shippedRequest(), nowhere)).toEqual([]);
  });

  it("can be the one of pods that name none", () => {
    const pod = { serviceAccountName: undefined };
    const clusterPermissions = [{ serviceAccountName: "default", rules: [rules(allVerbs)] }];
    expect(codes(csv({ pod, clusterPermissions }), named(["default"]))).toEqual([]);
  });

  it("must be there, which another finding says", () => {
    for (const accounts of [undefined, [], [""]]) {
      expect(codes(csv(), named(accounts)), String(accounts)).not.toContain("operator-service-account");
      const azure = csv({ annotations: { [annotation("azure")]: "true" } });
      const said = codes(azure, shippedRequest({ cloud: "Azure", spec: { serviceAccountNames: accounts } }));
      expect(said, String(accounts)).not.toContain("operator-service-account");
    }
    expect(codes(csv(), named([""]))).toContain("no-service-account");
    const gcp = shippedRequest({ cloud: "GCP", spec: { serviceAccountNames: [""] } });
    expect(codes(csv({ annotations: { [annotation("gcp")]: "true" } }), gcp)).toContain("no-service-account");
  });

  it("are not compared where the package has no ClusterServiceVersion", () => {
    expect(codes(deployment("plugin"), named(["node"]))).toEqual([]);
  });
});

describe("the token of an operator", () => {
  const on = "ClusterServiceVersion sample.v1.0.0";
  const mount = (more: Any = {}) => ({
    volumeMounts: [
      { name: "cloud-token", mountPath: "/var/run/secrets/openshift/serviceaccount", ...more },
      { name: "cloud-credentials", mountPath: "/var/run/secrets/cloud" },
    ],
  });
  const volumes = (token: Any) => ({
    volumes: [tokenVolume(token), { name: "cloud-credentials", secret: { secretName: "cloud-credentials" } }],
  });
  const place = `"${tokenPath}", the path in CredentialsRequest "openshift-cloud-credential-operator/sample"`;

  it.each<[string, Any, string]>([
    [
      "is nowhere",
      { pod: volumes(null) },
      `Deployment "sample" mounts no token for the audience "openshift" at ${place}; add the volume {name: cloud-token, projected: {sources: [{serviceAccountToken: {audience: openshift, expirationSeconds: 3600, path: "token"}}]}} and the mount {name: cloud-token, mountPath: "/var/run/secrets/openshift/serviceaccount", readOnly: true}.`,
    ],
    [
      "is a volume that no container mounts",
      { container: { volumeMounts: mount().volumeMounts.slice(1) } },
      `Deployment "sample" mounts no token for the audience "openshift" at ${place}; add the volume`,
    ],
    [
      "is for another audience",
      { pod: volumes({ audience: "sts.amazonaws.com", path: "token" }) },
      `Deployment "sample" mounts a token for the audience "sts.amazonaws.com" at ${place}, but it must be for "openshift": set "serviceAccountToken.audience".`,
    ],
    [
      "is for the API server",
      { pod: volumes({ path: "token" }) },
      `Deployment "sample" mounts a token for the API server at ${place}, but it must be for "openshift"`,
    ],
    [
      "is elsewhere",
      { container: mount({ mountPath: "/var/run/secrets/token/" }) },
      `Deployment "sample" mounts its token at "/var/run/secrets/token/token", not at ${place}; use the same path in both.`,
    ],
    [
      "has another name",
      { pod: volumes({ audience: "openshift", path: "tokens/one" }) },
      `Deployment "sample" mounts its token at "/var/run/secrets/openshift/serviceaccount/tokens/one", not at ${place}`,
    ],
    [
      "is never renewed",
      { container: mount({ mountPath: tokenPath, subPath: "token" }) },
      `Deployment "sample" mounts the token at ${place}, with a "subPath", so it is never renewed; mount the whole volume.`,
    ],
    [
      "is never renewed, with a variable in the path",
      { container: mount({ mountPath: tokenPath, subPathExpr: "token" }) },
      `Deployment "sample" mounts the token at ${place}, with a "subPath", so it is never renewed`,
    ],
    [
      "is elsewhere, and never renewed",
      { container: mount({ mountPath: "/token", subPath: "token" }) },
      `Deployment "sample" mounts no token for the audience "openshift" at ${place}`,
    ],
  ])("that %s is found", (_name, parts, message) => {
    const all = found(csv(parts), shippedRequest());
    expect(all).toEqual([{ code: "operator-token-mount", message: expect.stringContaining(message), field: pod, on }]);
  });

  it.each<[string, Any]>([
    ["with slashes that say nothing", mount({ mountPath: "/var/run//secrets/openshift/serviceaccount/" })],
    ["in another container", { name: "proxy" }],
  ])("can be mounted %s", (_name, container) => {
    const containers = [{ name: "main" }, { name: "manager", ...mount(), ...container }];
    expect(found(csv({ pod: { containers } }), shippedRequest())).toEqual([]);
    expect(found(csv({ pod: { containers: [], initContainers: containers } }), shippedRequest())).toEqual([]);
  });

  it("of a request for AWS without a path is looked for where the cloud-credential-operator says", () => {
    const none = shippedRequest({ spec: { cloudTokenPath: undefined } });
    expect(found(csv(), none)).toEqual([
      {
        code: "operator-token-mount",
        message: `has no "spec.cloudTokenPath", so its Secret would name "/var/run/secrets/kubernetes.io/serviceaccount/token"; set it to "${tokenPath}", where Deployment "sample" has its token.`,
        field: "spec.cloudTokenPath",
        on: "CredentialsRequest sample",
      },
    ]);
    expect(found(csv(mountedAt("/var/run/secrets/kubernetes.io/serviceaccount")), none)).toEqual([]);
    const [nowhere] = found(csv({ pod: volumes(null) }), none);
    expect(nowhere).toMatchObject({ code: "operator-token-mount", field: pod });
    expect(nowhere?.message).toContain(
      `mountPath: "/var/run/secrets/openshift/serviceaccount", readOnly: true}, and set "spec.cloudTokenPath" of the request to "${tokenPath}".`,
    );
  });

  function mountedAt(mountPath: string) {
    return { container: mount({ mountPath }) };
  }

  it.each(clouds.slice(1))("of a request for %s without a path is at the usual one", (cloud, suffix) => {
    const annotations = { [annotation(suffix)]: "true" };
    const none = shippedRequest({ cloud, spec: { cloudTokenPath: undefined } });
    expect(found(csv({ annotations }), none)).toEqual([]);
    expect(found(csv({ annotations, container: mount({ mountPath: "/tokens" }) }), none)).toMatchObject([
      { code: "operator-token-mount", field: "spec.cloudTokenPath", on: "CredentialsRequest sample" },
    ]);
  });

  it("that two requests miss in one place is missed once", () => {
    const annotations = { [annotation("aws")]: "true", [annotation("gcp")]: "true" };
    const value = csv({ annotations, pod: volumes(null) });
    expect(codesOf(validated([value, shippedRequest(), shippedRequest({ cloud: "GCP" })]))).toEqual([
      "operator-token-mount",
    ]);
  });

  it("is not required of Deployments that run as another account", () => {
    const account = { serviceAccountName: "other", volumes: [] };
    const permissions = [{ serviceAccountName: "sample", rules: [] }];
    const value = csv({ pod: account, permissions, annotations: { [annotation("aws")]: "true" } });
    expect(codesOf(validated([value, shippedRequest()]))).toEqual(["operator-permissions"]);
  });

  it("is asked of each Deployment that has the Secret, and else of one", () => {
    const bare = { volumes: [] };
    const both = (...pods: readonly Any[]) =>
      csv({
        install: {
          deployments: pods.map((pod, index) => ({ name: `d${index}`, spec: deploymentSpec("sample", {}, pod) })),
        },
      });
    const codes = (...pods: readonly Any[]) => found(both(...pods), shippedRequest());
    expect(codes({}, bare)).toEqual([]);
    expect(codes({}, volumes(null))).toMatchObject([
      { code: "operator-token-mount", field: pod.replace("[0]", "[1]") },
    ]);
    const tokenAlone = { volumes: [tokenVolume()] };
    expect(codes(bare, tokenAlone)).toMatchObject([{ code: "operator-secret-unused", field: pod }]);
    expect(codes(bare, bare).map((code) => [code.code, code.field])).toEqual([
      ["operator-secret-unused", pod],
      ["operator-token-mount", pod],
    ]);
  });

  it("is looked for in Deployments beside the ClusterServiceVersion, too", () => {
    const none = { deployments: [], clusterPermissions: [{ serviceAccountName: "sample", rules: [rules(allVerbs)] }] };
    const codes = (value: Any) => found(csv({ install: none }), shippedRequest(), value);
    expect(codes(deployment("plugin"))).toEqual([]);
    expect(codes(deployment("plugin", "sample", {}, { volumeMounts: mount().volumeMounts.slice(1) }))).toMatchObject([
      { code: "operator-token-mount", field: "spec.template.spec", on: "Deployment plugin" },
    ]);
    // In another namespace an account of the same name is another one.
    const unplaced = csv({ install: none, namespace: "placeholder" });
    const elsewhere = deployment("plugin", "sample", { namespace: "other" }, { volumeMounts: [] });
    expect(found(unplaced, shippedRequest(), elsewhere)).toEqual([]);
    expect(codes(deployment("plugin", "sample", { namespace: "other" }, { volumeMounts: [] }))).toEqual([]);
  });
});

describe("the Secret of an operator", () => {
  const cloudToken = { name: "cloud-token", mountPath: "/var/run/secrets/openshift/serviceaccount" };
  const unused = {
    code: "operator-secret-unused",
    message:
      'Deployment "sample" runs as a service account of CredentialsRequest "openshift-cloud-credential-operator/sample", but no container mounts or names its Secret "cloud-credentials"; add the volume {name: cloud-credentials, secret: {secretName: "cloud-credentials", optional: true}} and a mount of it.',
    field: pod,
    on: "ClusterServiceVersion sample.v1.0.0",
  };

  it.each<[string, Any, boolean]>([
    ["mounted", {}, true],
    ["not mounted", { volumeMounts: [cloudToken] }, false],
    [
      "of another name in a variable",
      { env: [{ name: "SECRET", value: "credentials" }], volumeMounts: [cloudToken] },
      false,
    ],
    [
      "named in a variable",
      { env: [{ name: "SECRET", value: "cloud-credentials" }], volumeMounts: [cloudToken] },
      true,
    ],
    ["named in an argument", { args: ["--secret=cloud-credentials"], volumeMounts: [cloudToken] }, true],
    ["named in a command", { command: ["run", "cloud-credentials"], volumeMounts: [cloudToken] }, true],
    [
      "read into a variable",
      {
        env: [{ name: "KEY", valueFrom: { secretKeyRef: { name: "cloud-credentials", key: "azure_client_id" } } }],
        volumeMounts: [cloudToken],
      },
      true,
    ],
    [
      "read into all variables",
      { envFrom: [{ secretRef: { name: "cloud-credentials" } }], volumeMounts: [cloudToken] },
      true,
    ],
    [
      "an optional volume of another Secret",
      { envFrom: [{ secretRef: { name: "x" } }], volumeMounts: [cloudToken] },
      false,
    ],
  ])("%s", (_name, container, isUsed) => {
    expect(found(csv({ container }), shippedRequest())).toEqual(isUsed ? [] : [unused]);
  });

  it("can be mounted together with the token", () => {
    const projected = {
      sources: [
        { serviceAccountToken: { audience: "openshift", path: "token" } },
        { secret: { name: "cloud-credentials", items: [{ key: "credentials", path: "aws/config" }] } },
      ],
    };
    const env = (value: string) => ({ env: [{ name: "AWS_CONFIG_FILE", value }], volumeMounts: [cloudToken] });
    const codes = (value: string) =>
      codesOf(
        validated([
          csv({ container: env(value), pod: { volumes: [{ name: "cloud-token", projected }] } }),
          shippedRequest(),
        ]),
      );
    expect(codes("/var/run/secrets/openshift/serviceaccount/aws/config")).toEqual([]);
    expect(codes("/var/run/secrets/openshift/serviceaccount/credentials")).toEqual(["operator-secret-mount"]);
  });

  it("is looked for in its own namespace alone", () => {
    const mountedThere = deployment(
      "x",
      "sample",
      { namespace: "other" },
      { volumeMounts: [{ name: "cloud-credentials", mountPath: "/root" }] },
    );
    const value = csv({ namespace: "placeholder", container: { volumeMounts: [cloudToken] } });
    expect(found(value, shippedRequest(), mountedThere)).toEqual([unused]);
  });

  it("of no name is nobody's", () => {
    const annotations = { [annotation("gcp")]: "true" };
    const pod = { volumes: [tokenVolume(), { name: "cloud-credentials", secret: {} }] };
    const container = { volumeMounts: [cloudToken, { name: "cloud-credentials", mountPath: "/root" }] };
    const spec = { secretRef: { namespace: "openshift-sample", name: "${SECRET}" } };
    expect(found(csv({ annotations, pod, container }), shippedRequest({ cloud: "GCP", spec }))).toMatchObject([
      { code: "request-placeholder" },
    ]);
  });

  it("that is not mounted has no place", () => {
    const env = [
      { name: "SECRET", value: "cloud-credentials" },
      { name: "AWS_CONFIG_FILE", value: "/tmp/config" },
    ];
    expect(found(csv({ container: { env, volumeMounts: [cloudToken] } }), shippedRequest())).toEqual([]);
  });

  it("can be mounted by a directory of its volume", () => {
    const items = [{ key: "credentials", path: "aws/config" }];
    const pod = {
      volumes: [tokenVolume(), { name: "cloud-credentials", secret: { secretName: "cloud-credentials", items } }],
    };
    const at = (value: string) =>
      found(
        csv({ pod, ...mountedAt("/c", { subPath: "aws" }, [{ name: "AWS_CONFIG_FILE", value }]) }),
        shippedRequest(),
      );
    expect(at("/c/config")).toEqual([]);
    expect(at("/c/aws/config")).toMatchObject([{ code: "operator-secret-mount" }]);
  });

  it.each([
    ["${SECRET}", "request-placeholder"],
    ["CRED-SECRET-NAME", "request-invalid-field"],
  ])("whose name is %s is looked for by nobody", (name, code) => {
    const annotations = { [annotation("gcp")]: "true" };
    const spec = { secretRef: { namespace: "openshift-sample", name } };
    expect(found(csv({ annotations }), shippedRequest({ cloud: "GCP", spec }))).toMatchObject([{ code }]);
  });

  const mountedAt = (mountPath: string, more: Any = {}, env: readonly Any[] = []) => ({
    container: { env, volumeMounts: [cloudToken, { name: "cloud-credentials", mountPath, ...more }] },
  });

  it.each(["/root", "/root/.aws", "/root/.aws/", "//root/x"])("must not be mounted at %s", (mountPath) => {
    expect(found(csv(mountedAt(mountPath)), shippedRequest())).toEqual([
      {
        code: "operator-secret-mount",
        message: `mounts the Secret "cloud-credentials" at "${mountPath.replace(/\/$/, "").replace("//", "/")}", the home of a user that OpenShift does not run pods as; mount it elsewhere, such as at "/var/run/secrets/cloud".`,
        field: `${pod}.containers[0].volumeMounts[1].mountPath`,
        on: "ClusterServiceVersion sample.v1.0.0",
      },
    ]);
  });

  it.each(["/rooted", "/var/root", "/home/root"])("can be mounted at %s", (mountPath) => {
    expect(found(csv(mountedAt(mountPath)), shippedRequest())).toEqual([]);
  });

  it.each<[string, string, string, Any, readonly string[]]>([
    ["AWS", "AWS_SHARED_CREDENTIALS_FILE", "/c/credentials", {}, []],
    ["AWS", "AWS_CONFIG_FILE", "/c//credentials", {}, []],
    ["AWS", "AWS_CONFIG_FILE", "", {}, []],
    ["AWS", "AWS_REGION", "us-east-2", {}, []],
    ["AWS", "AWS_CONFIG_FILE", "/c/config", {}, ['the Secret\'s file is "/c/credentials"']],
    ["AWS", "AWS_SHARED_CREDENTIALS_FILE", "/root/.aws/credentials", {}, ['the Secret\'s file is "/c/credentials"']],
    ["AWS", "GOOGLE_APPLICATION_CREDENTIALS", "/x", {}, []],
    ["AWS", "AWS_CONFIG_FILE", "/c", { subPath: "credentials" }, []],
    ["AWS", "AWS_CONFIG_FILE", "/c/credentials", { subPath: "other" }, ['no mount has the key "credentials"']],
    ["GCP", "GOOGLE_APPLICATION_CREDENTIALS", "/c/service_account.json", {}, []],
    ["GCP", "GOOGLE_APPLICATION_CREDENTIALS", "/c/key.json", {}, ['the Secret\'s file is "/c/service_account.json"']],
    ["Azure", "AWS_CONFIG_FILE", "/x", {}, []],
  ])("for %s is where %s=%s says (%j)", (cloud, name, value, more, why) => {
    const annotations = { [annotation(cloud.toLowerCase())]: "true" };
    const all = found(csv({ annotations, ...mountedAt("/c", more, [{ name, value }]) }), shippedRequest({ cloud }));
    expect(all).toEqual(
      why.map((text) => ({
        code: "operator-secret-mount",
        message: `"${name}" is "${value}", but ${text}; name the file that is mounted.`,
        field: `${pod}.containers[0].env[0].value`,
        on: "ClusterServiceVersion sample.v1.0.0",
      })),
    );
  });
});

describe("the namespace of an operator", () => {
  const spec = { secretRef: { namespace: "sample-system", name: "cloud-credentials" } };

  it("is created by the administrator who installs it", () => {
    expect(codesOf(validated([csv({ namespace: "sample-system" }), shippedRequest({ spec })]))).toEqual([]);
    expect(codesOf(validated([csv({ namespace: "placeholder" }), shippedRequest({ spec })]))).toEqual([]);
  });

  it("is another question where the Secret is elsewhere", () => {
    expect(codesOf(validated([shippedRequest({ spec })]))).toEqual(["namespace-missing"]);
    expect(codesOf(validated([csv(), shippedRequest({ spec })]))).toContain("namespace-missing");
  });
});
