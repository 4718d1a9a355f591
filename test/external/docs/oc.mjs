// oc create token NAME --namespace NAMESPACE --audience AUDIENCE: a token of the cluster with the issuer in ISSUER.
// oc get ...: objects of the cluster. OBJECTS names a JSON file with their list.
// oc apply -f FILE: adds an object to them.
// oc replace -f FILE...: replaces objects, which must exist. oc patch RESOURCE NAME --type=merge --patch JSON. oc delete secret NAME.
import { spawn } from "node:child_process";
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { load } from "js-yaml";

/** @type {Record<string, string>} */
const kinds = {
  authentications: "Authentication",
  infrastructures: "Infrastructure",
  featuregates: "FeatureGate",
  clusterversions: "ClusterVersion",
  credentialsrequests: "CredentialsRequest",
  secret: "Secret",
  secrets: "Secret",
  namespaces: "Namespace",
  authentication: "Authentication",
  cloudcredential: "CloudCredential",
  cloudcredentials: "CloudCredential",
  configmap: "ConfigMap",
  serviceaccounts: "ServiceAccount",
  pods: "Pod",
  mutatingwebhookconfigurations: "MutatingWebhookConfiguration",
};

const objectsFile = process.env["OBJECTS"] ?? "";

const [command, ...rest] = process.argv.slice(2);
if (command === "get") get(rest);
else if (command === "apply") apply(rest[1] ?? "");
else if (command === "replace") replace(rest.filter((word) => word !== "-f"));
else if (command === "patch") patch(rest);
else if (command === "delete") remove(rest);
else if (command === "create" && rest[0] === "token") console.log(token(rest[1] ?? "", rest.slice(2)));
else throw new Error(`not covered: oc ${process.argv.slice(2).join(" ")}`);

/** @param {string} name @param {string[]} flags */
function token(name, flags) {
  const flag = (/** @type {string} */ text) => flags[flags.indexOf(text) + 1];
  const key = createPrivateKey(readFileSync("../cluster-keys/serviceaccount-signer.private", "utf8"));
  const spki = createPublicKey(key).export({ type: "spki", format: "der" });
  const now = Math.floor(Date.now() / 1000);
  const header = {
    alg: key.asymmetricKeyType === "rsa" ? "RS256" : "ES256",
    kid: createHash("sha256").update(spki).digest("base64url"),
  };
  const claims = {
    aud: [flag("--audience")],
    exp: now + 3600,
    iat: now,
    nbf: now,
    iss: process.env["ISSUER"],
    sub: `system:serviceaccount:${flag("--namespace")}:${name}`,
  };
  const text = [header, claims].map((one) => Buffer.from(JSON.stringify(one)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

/** @param {string} file */
function apply(file) {
  writeFileSync(objectsFile, JSON.stringify([...objects(), load(readFileSync(file, "utf8"))]));
}

/** @typedef {{ kind: string, metadata: { name: string, namespace?: string }, spec?: object, data?: object, stringData?: Record<string, string> }} KubernetesObject */

/** @param {KubernetesObject} a @param {KubernetesObject} b */
function isSame(a, b) {
  return a.kind === b.kind && a.metadata.name === b.metadata.name && a.metadata.namespace === b.metadata.namespace;
}

/** @param {string[]} files */
function replace(files) {
  for (const file of files) {
    const { stringData = {}, ...rest } = /** @type {KubernetesObject} */ (load(readFileSync(file, "utf8")));
    const texts = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
    const next = {
      ...rest,
      ...(rest.kind === "Secret" ? { data: { ...rest.data, ...Object.fromEntries(texts) } } : {}),
    };
    const before = objects();
    if (!before.some((/** @type {KubernetesObject} */ one) => isSame(one, next))) throw new Error(`not found: ${file}`);
    const uid = "7f6f7c4e-0000-4000-8000-000000000000";
    const after = before.map((/** @type {KubernetesObject} */ one) =>
      isSame(one, next) ? { ...next, metadata: { ...next.metadata, uid } } : one,
    );
    writeFileSync(objectsFile, JSON.stringify(after));
    console.log(`${next.kind.toLowerCase()}/${next.metadata.name} replaced`);
  }
}

/** @param {string[]} args */
function patch([resource = "", name = "", ...args]) {
  const { spec } = JSON.parse(args[args.indexOf("--patch") + 1] ?? "");
  const all = objects();
  const one = all.find(
    (/** @type {KubernetesObject} */ { kind, metadata }) => kind === kinds[resource] && metadata.name === name,
  );
  one.spec = { ...one.spec, ...spec };
  writeFileSync(objectsFile, JSON.stringify(all));
  console.log(`${resource}/${name} patched`);
}

/** @param {string[]} args */
function remove([resource = "", name = "", ...args]) {
  const namespace = args[args.indexOf("--namespace") + 1];
  const isGone = (/** @type {KubernetesObject} */ { kind, metadata }) =>
    kind === kinds[resource] && metadata.name === name && metadata.namespace === namespace;
  writeFileSync(objectsFile, JSON.stringify(objects().filter((/** @type {KubernetesObject} */ one) => !isGone(one))));
  console.log(`${resource} "${name}" deleted`);
}

function objects() {
  return JSON.parse(readFileSync(objectsFile, "utf8"));
}

/** @param {string[]} args */
function get(args) {
  const output = args[args.indexOf("--output") + 1] ?? "";
  const all = objects();
  if (output === "yaml") console.log(JSON.stringify(selected(all, args), undefined, 2));
  else byKubectl(all, args);
}

/**
 * The objects of the kinds in the first argument; one of them if the second is a name.
 *
 * @param {{ kind: string, metadata: { name: string, namespace?: string } }[]} all
 * @param {string[]} args
 */
function selected(all, [resources = "", ...args]) {
  const wanted = resources.split(",").map((resource) => kinds[resource.split(".")[0] ?? ""]);
  const items = all.filter(({ kind }) => wanted.includes(kind));
  if (args[0]?.startsWith("-") !== false) return { apiVersion: "v1", kind: "List", items };
  const namespace = args[args.indexOf("--namespace") + 1];
  return items.find(({ metadata }) => metadata.name === args[0] && metadata.namespace === namespace);
}

/**
 * Lets kubectl print the requests by a template.
 *
 * @param {{ kind: string }[]} all
 * @param {string[]} args
 */
function byKubectl(all, args) {
  const group = "cloudcredential.openshift.io";
  const groupVersion = `${group}/v1`;
  const version = { groupVersion, version: "v1" };
  const requests = {
    name: "credentialsrequests",
    singularName: "",
    namespaced: true,
    kind: "CredentialsRequest",
    verbs: ["list"],
  };
  const items = all.filter(({ kind }) => kind === "CredentialsRequest");
  /** @type {Record<string, object>} */
  const answers = {
    "/api": { kind: "APIVersions", versions: ["v1"] },
    "/api/v1": { kind: "APIResourceList", groupVersion: "v1", resources: [] },
    "/apis": {
      kind: "APIGroupList",
      apiVersion: "v1",
      groups: [{ name: group, versions: [version], preferredVersion: version }],
    },
    [`/apis/${groupVersion}`]: { kind: "APIResourceList", groupVersion, resources: [requests] },
    [`/apis/${groupVersion}/credentialsrequests`]: {
      kind: "CredentialsRequestList",
      apiVersion: groupVersion,
      metadata: {},
      items,
    },
  };
  const server = createServer((request, response) => {
    const answer = answers[new URL(request.url ?? "", "http://localhost").pathname];
    response.writeHead(answer === undefined ? 404 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  server.listen(0, "127.0.0.1", () => {
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const child = spawn("kubectl", ["--server", `http://127.0.0.1:${port}`, "get", ...args], { stdio: "inherit" });
    child.on("exit", (code) => {
      server.close();
      process.exitCode = code ?? 1;
    });
  });
}
