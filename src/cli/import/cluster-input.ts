import type { Inspector } from "../../clouds/inspector.ts";
import { inspectors } from "../../clouds/inspectors.ts";
import { known } from "../../clouds/live-cluster.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { describe, isSubdomain, type Resource, refOf, textAt, valueAt } from "../../core/resource.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import { alternatives } from "../../core/words.ts";
import type { Item } from "../../krm/item.ts";
import { isKeyProblem, publicKeysOf, readPublicKey } from "../../oidc/public-key.ts";
import { isRequestFor, providerSpecOf } from "../../requests/credentials-request.ts";
import { isOfRelease } from "../../requests/release-filter.ts";
import { emitYaml } from "../../yaml/emit.ts";
import type { FlagsOf } from "../definition.ts";
import { readJsonFile } from "../files/input-file.ts";
import { readPublicKeyFile } from "../files/public-key-file.ts";
import type { ReleaseFacts } from "../release/release-directory.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { type CcoctlDirectory, readCcoctlDirectory, readObjects, textsAt } from "./ccoctl-directory.ts";
import type { importCommand as definition } from "./definition.ts";
import { type FoundCluster, findCluster } from "./found-cluster.ts";

/** The requests that belong in the package of a live cluster. */
export interface LiveRequests {
  /** Those for its cloud. */
  readonly requests: readonly Resource[];
  /** Everything that the files contain. */
  readonly items: readonly Resource[];
  /** Their files, by path. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** How many requests for other clouds a directory contains that the package does not get. */
  readonly others?: number;
  /** All objects of such a directory, also the FeatureGate manifests of the release. */
  readonly all?: readonly Item[];
  /** What such a directory says about its release. */
  readonly facts?: ReleaseFacts;
  readonly findings: readonly Finding[];
}

/** Selects the requests for a cloud, without those of OLM operators, whose Secrets the cluster creates itself. */
export function liveRequests(all: readonly Resource[], { providerKind, operators }: Inspector): LiveRequests {
  const ofCloud = all.filter((request) => isRequestFor(request, providerKind));
  const isOperators = (request: Resource) =>
    !isOfRelease(request.annotations) &&
    [...operators.writtenFields].some((field) => (valueAt(request.value(), field.split(".")) ?? "") !== "");
  const requests = ofCloud.filter((request) => !isOperators(request));
  const findings = ofCloud.filter(isOperators).map((resource) => {
    const message =
      'belongs to an OLM operator: the cloud-credential-operator creates its Secret. It is not in the package. To manage its component identity there, see "docs/guides/operators.md".';
    return finding("info", "import-operator-request", message, { resource });
  });
  const counts = new Map<string, number>();
  for (const { name } of requests) counts.set(name, (counts.get(name) ?? 0) + 1);
  const pathOf = ({ name, namespace }: Resource) => {
    const file = (counts.get(name) ?? 0) > 1 ? `${namespace}-${name}` : name;
    if (!isSubdomain(file) || file.length > maxFileName)
      throw new UsageError(
        `the input contains a CredentialsRequest with the name ${quote(name)}, which is not the name of a Kubernetes object`,
      );
    return `credentials-requests/${file}.yaml`;
  };
  return {
    requests,
    items: requests,
    files: new Map(requests.map((request) => [pathOf(request), documentOf(request)])),
    findings,
  };
}

/** The characters of a request's name: its file also has an extension. */
const maxFileName = 245;

// The annotations that decide whether the release includes the request, and those of this project.
const kept = /(?:^|\.)release\.openshift\.io\/|^capability\.openshift\.io\/|^fn\.cloudcredential\.dev\//;

function documentOf(request: Resource): string {
  const { apiVersion, kind, name, namespace } = request;
  const annotations = [...request.annotations].filter(([key]) => kept.test(key)).sort(([a], [b]) => compareText(a, b));
  return emitYaml({
    apiVersion,
    kind,
    metadata: known({ name, namespace: namespace || undefined, annotations: Object.fromEntries(annotations) }),
    spec: valueAt(request.value(), ["spec"]) ?? {},
  });
}

/** What the input of the command contains. */
export interface ClusterInput {
  readonly cluster: FoundCluster;
  /** The public keys; empty if nothing contains one. */
  readonly keys: readonly string[];
  /** Warnings about private keys in the directory that ccoctl wrote. */
  readonly findings: readonly Finding[];
}

/**
 * Reads the input that the flags name.
 * @throws UsageError or FindingsError if it does not describe one cluster with short-term credentials.
 */
export function readClusterInput(flags: FlagsOf<typeof definition>): ClusterInput {
  const { from, "from-ccoctl": out } = flags;
  if (from.length === 0 && out === undefined)
    throw new UsageError('--from FILE or --from-ccoctl OUT is required; "-" is standard input');
  if (from.filter((path) => path === "-").length > 1)
    throw new UsageError('--from "-" may appear only once; put everything into standard input');
  const ccoctl = out === undefined ? undefined : readCcoctlDirectory(out);
  const items = [...from.flatMap((path) => readObjects("--from", path)), ...(ccoctl?.items ?? [])];
  const cluster = findCluster(items, {
    issuerUrl: ccoctl?.issuerUrl,
    byCcoctl: ccoctl !== undefined,
    requests: flags["credentials-requests"] !== undefined,
  });
  const keys = signingKeys({
    files: flags["public-key-file"],
    jwksFile: flags["jwks-file"],
    configMap: cluster.signingKeys,
    ccoctl,
  });
  return { cluster, keys, findings: ccoctl?.findings ?? [] };
}

/**
 * The cloud of a live cluster: the one that its Infrastructure names, or that the flag names, or the only one whose identities
 * are in Secrets, or the only one with requests.
 * @throws FindingsError if the cloud is not supported; UsageError if it is not known.
 */
export function cloudOfCluster(
  { infrastructure, issuerUrl, requests, secrets }: FoundCluster,
  flag: string | undefined,
): Inspector {
  const status = infrastructure?.value() ?? null;
  const type = textAt(status, ["status", "platformStatus", "type"]) || textAt(status, ["status", "platform"]);
  if (type !== "") {
    const cloud = inspectors.find(({ title }) => title === type);
    if (cloud === undefined) {
      const message = `the cluster runs on the platform ${quote(type)}. Only clusters on ${alternatives(inspectors.map(({ title }) => title))} can be imported.`;
      throw new FindingsError([finding("error", "import-platform-unsupported", message)]);
    }
    if (flag === undefined || flag === cloud.name) return cloud;
    const message = `--platform is ${quote(flag)}, but the cluster runs on ${cloud.title}. Remove the option.`;
    throw new FindingsError([finding("error", "import-contradiction", message)]);
  }
  const named = inspectors.find(({ name }) => name === flag);
  if (named !== undefined) return named;
  const kinds = new Set(requests.map((one) => providerSpecOf(one.value())?.["kind"]));
  const all = [...secrets].map(([key, resource]) => ({ key, resource }));
  const found = [
    inspectors.filter(({ readLive }) =>
      readLive({ issuerUrl, items: [], secrets: all }).credentials.some(({ id }) => id !== undefined),
    ),
    inspectors.filter(({ providerKind }) => kinds.has(providerKind)),
  ].find((clouds) => clouds.length === 1);
  if (found?.[0] === undefined) throw new UsageError("--platform is required");
  return found[0];
}

/** Where the public keys of a cluster can be found. */
interface KeySources {
  /** The files of `--public-key-file`. */
  readonly files: readonly string[];
  /** The file of `--jwks-file`. */
  readonly jwksFile: string | undefined;
  /** ConfigMap `bound-sa-token-signing-certs`. */
  readonly configMap: Resource | undefined;
  readonly ccoctl: CcoctlDirectory | undefined;
}

/**
 * The public keys of a cluster in PEM form, each once. Options replace what the input contains; the cluster's own keys
 * replace those that ccoctl published. Empty if nothing contains a key.
 *
 * @throws FindingsError if a key cannot be published.
 */
function signingKeys({ files, jwksFile, configMap, ccoctl }: KeySources): readonly string[] {
  if (files.length > 0 || jwksFile !== undefined)
    return distinct([...files.map(readPublicKeyFile), ...(jwksFile === undefined ? [] : fromJwks(jwksFile))]);
  if (configMap !== undefined) return distinct(fromConfigMap(configMap));
  if (ccoctl?.publicKeyFile !== undefined) return [readPublicKeyFile(ccoctl.publicKeyFile)];
  if (ccoctl?.jwks === undefined) return [];
  const keys = publicKeysOf(ccoctl.jwks);
  if (typeof keys === "string") throw invalid(`keys.json of --from-ccoctl ${keys}.`);
  return distinct(keys);
}

function fromJwks(path: string): readonly string[] {
  const keys = publicKeysOf(readJsonFile("--jwks-file", path));
  if (typeof keys === "string") throw invalid(`The file ${quote(path)} of --jwks-file ${keys}.`);
  return keys;
}

// cluster-kube-apiserver-operator: a key for each public key, "service-account-001.pub".
function fromConfigMap(configMap: Resource): readonly string[] {
  return [...textsAt(configMap.value(), ["data"])]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, pem]) => {
      const key = readPublicKey(pem);
      if (!isKeyProblem(key)) return `${pem.trim().replaceAll("\r\n", "\n")}\n`;
      throw invalid(`${quoteWhole(name)} in ${describe(refOf(configMap))} ${key.problem}.`);
    });
}

function invalid(message: string): FindingsError {
  return new FindingsError([finding("error", "import-key-invalid", message)]);
}

function distinct(pems: readonly string[]): readonly string[] {
  const byId = new Map<string, string>();
  for (const pem of pems) {
    const key = readPublicKey(pem);
    const id = isKeyProblem(key) ? pem : key.jwk.kid;
    if (!byId.has(id)) byId.set(id, pem);
  }
  return [...byId.values()];
}
