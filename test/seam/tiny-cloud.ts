import type { Cloud, Cluster, ComponentIdentity } from "../../src/clouds/cloud.ts";
import type { Inspector } from "../../src/clouds/inspector.ts";
import { makeIdentities } from "../../src/clouds/make-identities.ts";
import { clusterFile, identityFile, type RenderedBundle } from "../../src/clouds/rendered.ts";
import { secretOf } from "../../src/clouds/secret.ts";
import { bundle, jsonFiles } from "../../src/core/bundle.ts";
import { finding } from "../../src/core/finding.ts";
import { exactly } from "../../src/core/output-form.ts";
import { listAt, refOf, textAt, type Value, type ValueMap, valueAt } from "../../src/core/resource.ts";
import type { Identity } from "../../src/identity/cluster-identity.ts";
import type { CloudIdentity } from "../../src/permissions/identity.ts";
import type { Permissions } from "../../src/permissions/permissions.ts";
import { baseNameOf } from "../../src/requests/base-name.ts";
import type { SelectedRequest } from "../../src/requests/select.ts";

/*
 * A cloud whose identities are accounts: `spec.platform.tiny` has a project, and a request lists the permissions of its
 * account.
 */

const names = {
  name: "tiny",
  title: "Tiny Cloud",
  providerKind: "TinyProviderSpec",
  accountNoun: "project",
  identityNoun: "account",
} as const;
const form = (path: RegExp) => ({ apiVersion: "v1", kind: "ConfigMap", path });

/** A request of the previous release adds its permissions to those of the new one. */
function merge(newer: ValueMap, older: ValueMap) {
  const may = [newer, older].flatMap((spec) => listAt(spec, ["may"]));
  return { providerSpec: { ...newer, may: [...new Set(may)] } };
}

export const tiny: Cloud = {
  ...names,
  merge,
  renderer: {
    emits: {
      issuer: [form(exactly("tiny/issuer.yaml")), form(exactly("tiny/cluster.yaml"))],
      identities: [form(/^tiny\/accounts\/[^/]+\.yaml$/)],
    },
    bundleName: "tiny-account-",
    operators: { secretsSince: "4.14", isName: () => false },
    keys: { reader: "Tiny Cloud", algorithms: ["RS256"] },
    checkPlatform(spec, resource) {
      const message = "the project must be letters.";
      const isProject = /^[a-z]+$/.test(textAt(spec, ["project"]));
      return isProject ? [] : [finding("error", "config-invalid-field", message, { resource })];
    },
    readCluster: (identity) => ({ value: clusterOf(identity), findings: [] }),
    checkRequests: () => [],
    nameOf: ({ name }) => name,
    publishedBy: () => ({ url: undefined, keyIds: [] }),
  },
};

function clusterOf(identity: Identity): Cluster {
  const project = textAt(identity.platform.spec, ["project"]);
  const issuerUrl = `https://oidc.tiny.example/${project}`;
  return {
    issuerUrl,
    trustedIssuers: [issuerUrl],
    issuer: () => [
      bundle("tiny/issuer.yaml", "tiny-issuer", jsonFiles({ "discovery.json": { issuer: issuerUrl } })),
      bundle("tiny/cluster.yaml", "tiny-cluster", jsonFiles({ [clusterFile]: { project, prefix: identity.prefix } })),
    ],
    identities: (scope) =>
      makeIdentities(identity, scope, {
        bundlePath: (name) => `tiny/accounts/${name}.yaml`,
        make: (request) => ({ made: accountOf(identity, project, request), findings: [] }),
        reserve: () => [],
      }),
    keepIssuer: () => ({ field: "spec.platform.tiny.project", cure: "Keep the project." }),
    ownVariable: () => undefined,
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
    secret: () => secretOf({ resource, secretNamespace, secretName }, { account }, identity.secretEncoding),
    operator: () => {
      throw new Error("no operator is installed in these tests");
    },
  };
}

export const tinyInspector: Inspector = {
  ...names,
  merge,
  tokenAuthAnnotation: "features.operators.openshift.io/token-auth-tiny",
  unsaidTokenPath: "/token",
  identityDirectory: "tiny/accounts",
  rules: [],
  requested: ({ value, secretKey = "", resource }) => ({
    identity: identityOf(secretKey, resource.name, mayOf(value), subjectsOf(value)),
    findings: [],
  }),
  read(bundles) {
    const facts = jsonIn(
      bundles.find(({ directory }) => directory.endsWith("cluster") || directory === "tiny"),
      clusterFile,
    );
    const identities = bundles.filter(({ files }) => files.has("account.json")).map(readAccount);
    if (identities.length === 0) return undefined;
    const [account, resourcePrefix] = [textAt(facts, ["project"]), textAt(facts, ["prefix"])];
    const rest = { region: "here", issuers: [], documentIssuer: undefined, findings: [] };
    return { account, resourcePrefix, identities, ...rest };
  },
  derivedFiles: () => new Map([["tiny/apply.sh", "#!/bin/sh\n"]]),
};

function readAccount(from: RenderedBundle) {
  const [key, account] = [textAt(jsonIn(from, identityFile), ["secret"]), jsonIn(from, "account.json")];
  const [may, who] = ["may", "who"].map((field) => valueAt(account, [field]) as string[]) as [string[], string[]];
  const compared = identityOf(key, undefined, may, who);
  const [id, { permissions }] = [textAt(account, ["account"]), compared];
  const rest = { trusts: [], managedPolicies: [], maxSessionDuration: undefined, trustFiles: [], permissionFiles: [] };
  return { resource: from.resource, key, id, permissions, boundary: undefined, compared, ...rest };
}

function identityOf(key: string, request: string | undefined, may: string[], subjects: string[]): CloudIdentity {
  const everything = { principals: [""], resources: ["*"], condition: [] };
  const permissions: Permissions = [{ effect: "Allow", actions: may, ...everything }];
  const rest = { trust: undefined, boundary: undefined, tokenPath: "/token" };
  return { cloud: names.title, noun: "account", key, request, permissions, subjects, ...rest };
}

const mayOf = (value: Value) => valueAt(value, ["spec", "providerSpec", "may"]) as string[];
const subjectsOf = (value: Value) => valueAt(value, ["spec", "serviceAccountNames"]) as string[];

function jsonIn(from: RenderedBundle | undefined, file: string): Value {
  return JSON.parse(from?.files.get(file) ?? "null") as Value;
}
