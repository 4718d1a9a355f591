import type { Cloud, Cluster, ComponentIdentity } from "../../src/clouds/cloud.ts";
import { makeIdentities, secretOf } from "../../src/clouds/make-identities.ts";
import { bundlesAmong, clusterFile, identityFile, type RenderedBundle } from "../../src/clouds/rendered.ts";
import { finding } from "../../src/core/finding.ts";
import { bundle, exactly, jsonFiles } from "../../src/core/generated-object.ts";
import { listAt, refOf, textAt, type Value, type ValueMap, valueAt } from "../../src/core/resource.ts";
import type { Identity } from "../../src/identity/cluster-identity.ts";
import { baseNameOf } from "../../src/requests/credentials-request.ts";
import type { SelectedRequest } from "../../src/requests/select.ts";

/*
 * A cloud whose identities are accounts: `spec.platform.tiny` has a project, and a request lists the permissions of its
 * account.
 */

/** Its names. */
export const names = {
  name: "tiny",
  title: "Tiny Cloud",
  providerKind: "TinyProviderSpec",
  accountNoun: "project",
  identityNoun: "account",
} as const;
const form = (path: RegExp) => ({ apiVersion: "v1", kind: "ConfigMap", path });

/** A request of the previous release adds its permissions to those of the new one. */
export function merge(newer: ValueMap, older: ValueMap) {
  const may = [newer, older].flatMap((spec) => listAt(spec, ["may"]));
  return { providerSpec: { ...newer, may: [...new Set(may)] } };
}

/** What a render needs of it. */
export const tiny: Cloud = {
  ...names,
  merge,
  renderer: {
    emits: {
      issuer: [form(exactly("tiny/issuer.yaml")), form(exactly("tiny/cluster.yaml"))],
      identities: [form(/^tiny\/accounts\/[^/]+\.yaml$/)],
    },
    bundleName: "tiny-account-",
    operators: { secretsSince: "4.14", identityVariable: "ACCOUNT", isName: (value) => accountForm.test(value) },
    workloads: {
      providerSpec: ({ may = [] }) => ({ kind: "TinyProviderSpec", may }),
      fields: {},
      names: [],
      outside: () => [],
    },
    keys: { reader: "Tiny Cloud", algorithms: ["RS256"] },
    checkPlatform(spec, resource) {
      const message = "the project must be letters.";
      const isProject = /^[a-z]+$/.test(textAt(spec, ["project"]));
      return isProject ? [] : [finding("error", "config-invalid-field", message, { resource })];
    },
    readCluster: (identity) => ({ value: clusterOf(identity), findings: [] }),
    checkRequests: () => [],
    nameOf: ({ name }) => name,
    publishedBy: (items) => ({ url: issuerIn(bundlesAmong(items)), keyIds: [] }),
  },
};

function clusterOf(identity: Identity): Cluster {
  const project = textAt(identity.platform.spec, ["project"]);
  const issuerUrl = `https://oidc.tiny.example/${project}`;
  return {
    issuerUrl,
    trustedIssuers: [issuerUrl],
    checked: {},
    issuer: () => [bundle("tiny/issuer.yaml", "tiny-issuer", jsonFiles({ "discovery.json": { issuer: issuerUrl } }))],
    facts: () =>
      bundle("tiny/cluster.yaml", "tiny-cluster", jsonFiles({ [clusterFile]: { project, prefix: identity.prefix } })),
    platformForTeams: () => ({ project }),
    identities: (scope) =>
      makeIdentities(identity, scope, {
        bundlePath: (name) => `tiny/accounts/${name}.yaml`,
        make: (request) => ({ made: accountOf(identity, project, request), findings: [] }),
        reserve: () => [],
      }),
    keepIssuer: () => ({ field: "spec.platform.tiny.project", cure: "Keep the project." }),
    givenIdentity: () => undefined,
    ownVariable: (value) => (value.startsWith(`${project}:${identity.prefix}-`) ? "an account" : undefined),
  };
}

function accountOf(identity: Identity, project: string, request: SelectedRequest): ComponentIdentity {
  const { resource, secretKey = "" } = request;
  const [secretNamespace = "", secretName = ""] = secretKey.split("/");
  const account = `${project}:${identity.prefix}-${baseNameOf(secretKey)}`;
  const files = {
    [identityFile]: { secret: secretKey },
    "account.json": { account, may: mayOf(request.value), who: subjectsOf(request.value) },
  };
  const name = baseNameOf(secretKey);
  return {
    request,
    bundle: bundle(`tiny/accounts/${name}.yaml`, `tiny-account-${name}`, jsonFiles(files), refOf(resource)),
    secret: () =>
      secretOf({ resource, secretNamespace, secretName }, { account, token: tokenPath }, identity.secretEncoding),
    serviceAccount: () => ({ "tiny.example/account": account }),
    operator: () => ({
      secret: () => undefined,
      variables: [{ name: "TINY_ACCOUNT", value: account, meaning: "the account of its request" }],
      changes: [],
      findings: [],
    }),
  };
}

/** Where components find their token. */
export const tokenPath = "/token";

/** The form of an account: its project, and its name. */
export const accountForm = /^[a-z]+:[a-z0-9-]+$/;

/** The permissions that a request lists. */
export const mayOf = (value: Value) => valueAt(value, ["spec", "providerSpec", "may"]) as string[];

/** The Kubernetes service accounts that a request lists. */
export const subjectsOf = (value: Value) => valueAt(value, ["spec", "serviceAccountNames"]) as string[];

/** A JSON file of a bundle; null if it does not exist. */
export function jsonIn(from: RenderedBundle | undefined, file: string): Value {
  return JSON.parse(from?.files.get(file) ?? "null") as Value;
}

/** The issuer that was rendered. */
export function issuerIn(bundles: readonly RenderedBundle[]): string | undefined {
  const bundle = bundles.find(({ files }) => files.has("discovery.json"));
  return textAt(jsonIn(bundle, "discovery.json"), ["issuer"]) || undefined;
}
