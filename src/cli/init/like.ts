import { generatorsFor } from "../../../functions/generators.ts";
import { cloudOf, isIdentity, readIdentity } from "../../clouds/index.ts";
import type { Likeness, PlatformQuestions } from "../../clouds/questions.ts";
import { isMap, type Value, type ValueMap, valueAt } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { isKeyProblem, readPublicKey } from "../../oidc/public-key.ts";
import { readSigningKeys } from "../../oidc/signing-keys.ts";
import { isCredentialsRequest, isRequestFor } from "../../requests/credentials-request.ts";
import type { ReleaseFilter } from "../../requests/release-filter.ts";
import { isOfPreviousRelease } from "../../requests/transition.ts";
import { emitYaml } from "../../yaml/emit.ts";
import { clusterIdentityFile } from "../files/paths.ts";
import { platformNamed } from "../new-package/answers.ts";
import { newPackage } from "../new-package/new-package.ts";
import { editObject, fieldText } from "../package/edit-object.ts";
import { readPackage } from "../package/package-files.ts";
import { inputOf } from "../package/package-findings.ts";
import { isAboutRelease } from "../release/release-directory.ts";
import { FindingsError, skippedAsErrors, throwErrors, UsageError } from "../terminal/errors.ts";

/** A package whose settings a new one takes. */
export interface Model {
  readonly directory: string;
  readonly cloud: PlatformQuestions;
  /** The name of its ClusterIdentity. */
  readonly name: string;
  readonly keyIds: ReadonlySet<string>;
  /** Its ClusterIdentity without what makes it that cluster. */
  readonly config: ValueMap;
  /** Its part of `spec.platform`, as it is. */
  readonly platform: ValueMap;
  /** The fields that are missing in {@link config}. */
  readonly omitted: readonly string[];
  /** Where its ClusterIdentity is, relative to the package. */
  readonly configPath: string;
  readonly kptfile: Item | undefined;
  /** The files with its requests, by path, without those that only a previous release needs. */
  readonly requests: ReadonlyMap<string, string>;
  /** The objects in these files. */
  readonly items: readonly Item[];
  /** How many requests for its cloud they contain. */
  readonly count: number;
  /** What its cluster includes of a release. */
  readonly release: ReleaseFilter;
}

/**
 * Reads the package of `--like`.
 *
 * @throws FindingsError if it has no valid ClusterIdentity, or a part of it cannot be read.
 */
export function readModel(directory: string): Model {
  const pkg = readPackage(directory);
  // A request may be in what was not read.
  throwErrors(skippedAsErrors(pkg.findings));
  const { items, functionConfig } = inputOf(pkg);
  const identity = readIdentity(items, functionConfig);
  if (!isIdentity(identity)) throw new FindingsError(identity);
  const { name, platform, resource, issuer } = identity;
  const cloud = platformNamed(platform.name);
  const { keys } = readSigningKeys(issuer.signingKeys, resource, items, [], cloudOf(identity).renderer.keys);
  const { config, omitted } = withoutOwn(resource.value(), name, cloud);
  const files = pkg.files.filter(
    (file) =>
      file.items.some(isAboutRelease) ||
      file.items.some((item) => isCredentialsRequest(item) && !isOfPreviousRelease(item)),
  );
  const requests = files.flatMap((file) => file.items.filter(isCredentialsRequest));
  return {
    directory,
    cloud,
    name,
    keyIds: new Set(keys.map(({ jwk }) => jwk.kid)),
    config,
    platform: isMap(platform.spec) ? platform.spec : {},
    omitted,
    configPath: resource.path ?? "",
    kptfile: pkg.files.find(({ path }) => path === "Kptfile")?.items[0],
    requests: new Map(files.map(({ path, source }) => [path, source.text])),
    items: requests,
    count: requests.filter((item) => isRequestFor(item, cloud.providerKind)).length,
    release: identity.release,
  };
}

/** The fields outside `spec.platform` that make a cluster that cluster. */
const own: Likeness["own"] = [
  ["spec", "resourcePrefix"],
  ["spec", "issuer", "url"],
  ["spec", "issuer", "previous"],
  ["spec", "issuer", "signingKeys"],
];

/** Annotations that allow or accept something for the one object that has them. */
const ourAnnotations = "fn.cloudcredential.dev/";

function withoutOwn(value: Value, name: string, { name: cloud, like }: PlatformQuestions) {
  const omitted: string[] = [];
  const annotations = valueAt(value, ["metadata", "annotations"]);
  const ours = Object.keys(isMap(annotations) ? annotations : {}).filter((key) => key.startsWith(ourAnnotations));
  const paths = [
    ...own,
    ...like.own.map((path) => ["spec", "platform", cloud, ...path]),
    ...ours.map((key) => ["metadata", "annotations", key]),
  ];
  const left = paths.reduce((rest, path) => without(rest, path, [], omitted) ?? {}, value);
  return { config: withoutAcceptances(left, `ClusterIdentity/${name}`, omitted), omitted };
}

// What is accepted about the ClusterIdentity itself is not true for another one.
function withoutAcceptances(config: Value, object: string, omitted: string[]): ValueMap {
  const { spec, ...rest } = isMap(config) ? config : {};
  const accept = valueAt(spec ?? null, ["accept"]);
  if (!isMap(spec) || !Array.isArray(accept)) return isMap(config) ? config : {};
  const kept = (accept as readonly Value[]).filter((entry) => valueAt(entry, ["object"]) !== object);
  if (kept.length < accept.length) omitted.push(`spec.accept of ${object}`);
  const { accept: _, ...others } = spec;
  return { ...rest, spec: { ...others, ...(kept.length === 0 ? {} : { accept: kept }) } };
}

/** A value without a field, and without mappings that were only there for it; undefined if nothing remains. */
function without(
  value: Value,
  [key = "", ...rest]: readonly string[],
  at: readonly string[],
  omitted: string[],
): Value | undefined {
  if (!isMap(value)) return value;
  const entries = Object.entries(value).flatMap(([name, child]): (readonly [string, Value])[] => {
    if (key !== "*" && key !== name) return [[name, child]];
    const path = [...at, name];
    if (rest.length === 0) omitted.push(fieldText(path));
    const kept = rest.length === 0 ? undefined : without(child, rest, path, omitted);
    return kept === undefined ? [] : [[name, kept]];
  });
  return entries.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(entries);
}

/** What a user says about the new cluster. */
export interface NewCluster {
  readonly name: string;
  /** In PEM form. */
  readonly publicKey: string;
  readonly issuerUrl: string | undefined;
  /** Major and minor version of the release of other requests than those of the model. */
  readonly version: string | undefined;
  /** Answers to the questions of the cloud, by flag. */
  readonly answers: Readonly<Record<string, string>>;
}

/** The ClusterIdentity of a new cluster with the settings of another one. */
export function configLike({ config, cloud, platform: before }: Model, said: NewCluster): string {
  const { metadata, spec, ...object } = config;
  const { platform, issuer, ...others } = isMap(spec) ? spec : {};
  const { release = null } = others;
  const { version } = said;
  const answered = cloud.spec(said.answers);
  const kept = valueAt(platform ?? null, [cloud.name]) ?? {};
  const merged = mergedWith(isMap(kept) ? kept : {}, answered);
  return emitYaml({
    ...object,
    metadata: { ...(isMap(metadata) ? metadata : {}), name: said.name },
    spec: {
      ...others,
      ...(version === undefined ? {} : { release: { ...(isMap(release) ? release : {}), version } }),
      issuer: {
        ...(said.issuerUrl === undefined ? {} : { url: said.issuerUrl }),
        ...(isMap(issuer) ? issuer : {}),
        signingKeys: [{ publicKey: said.publicKey }],
      },
      platform: { [cloud.name]: cloud.like.moved?.(merged, before) ?? merged },
    },
  });
}

// A question without an answer has an empty text.
function mergedWith(base: ValueMap, over: ValueMap): ValueMap {
  const merged: Record<string, Value> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const old = base[key];
    if (value === "") continue;
    merged[key] = isMap(value) && isMap(old) ? mergedWith(old, value) : value;
  }
  return merged;
}

/** Where the package of a Kptfile came from, and what kpt noted about one cluster. */
const kptNotes = [["upstream"], ["upstreamLock"], ["inventory"], ["status"]] as const;

/** The files of a new package except its requests, by path: its pipeline is that of the other one. */
export function filesLike(model: Model, name: string, config: string): Map<string, string> {
  const { kptfile, cloud, configPath, items } = model;
  const files = newPackage({
    name,
    platform: {},
    publicKeys: [],
    identities: cloud.identities,
    images: undefined,
    functions: generatorsFor(items).map((fn) => fn.name),
  });
  files.set(clusterIdentityFile, config);
  if (kptfile === undefined) return files;
  const edits = [{ path: ["metadata", "name"], value: name }, ...kptNotes.map((path) => ({ path, value: undefined }))];
  files.set("Kptfile", editObject(kptfile, edits).source.text);
  // The pipeline names the file.
  files.delete(clusterIdentityFile);
  return files.set(configPath, config);
}

/**
 * Refuses a new cluster that would be the other one.
 *
 * @param publicKey in PEM form.
 * @throws UsageError
 */
export function refuseSame(model: Model, name: string, publicKey: string): void {
  if (name === model.name)
    throw new UsageError(
      `--name ${quote(name)} is the name of the cluster in ${quoteWhole(model.directory)}; choose another one`,
    );
  const key = readPublicKey(publicKey);
  if (isKeyProblem(key) || !model.keyIds.has(key.jwk.kid)) return;
  throw new UsageError(
    `--public-key-file contains a key of the cluster in ${quoteWhole(model.directory)}, so each cluster could sign tokens of the other; create a key pair for the new cluster`,
  );
}
