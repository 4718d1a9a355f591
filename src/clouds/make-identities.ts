import type { V1Secret } from "@kubernetes/client-node";
import { type Finding, type FindingCode, finding } from "../core/finding.ts";
import type { OutputForm } from "../core/generated-object.ts";
import { describe, type GeneratedObject, type Resource, refOf } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import { listed, nearest } from "../core/words.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { baseNameOf, secretKeyOf } from "../requests/credentials-request.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { ComponentIdentity, Scope } from "./cloud.ts";

/** Generates one cloud's identities for the requests of a scope, one request at a time. */
export interface Maker {
  /** The path of an identity's bundle ConfigMap. */
  bundlePath(baseName: string): string;
  /** The identity of one of the current function's requests; undefined if a finding says why there is none. */
  make(request: SelectedRequest): {
    readonly made: ComponentIdentity | undefined;
    readonly findings: readonly Finding[];
  };
  /** Checks a request whose identity another function generates: only its names matter here. */
  reserve(request: SelectedRequest): readonly Finding[];
}

/** Generates the identities of a scope, except those that an override skips. Reports two identities with the same file. */
export function makeIdentities(
  { overrides, resource }: Identity,
  { selected, isOwn }: Scope,
  maker: Maker,
): { made: readonly ComponentIdentity[]; findings: readonly Finding[] } {
  const made: ComponentIdentity[] = [];
  const findings = unmatchedOverrides(resource, "spec.overrides", overrides, selected);
  const files: Files = new Map();
  for (const request of selected) {
    const own = isOwn(request);
    if (overrides[request.secretKey ?? ""]?.skip === true) {
      const message = 'excluded: its override sets "skip" to true.';
      if (own) findings.push(finding("info", "skipped-override", message, { resource: request.resource }));
      continue;
    }
    const result = own ? maker.make(request) : { made: undefined, findings: maker.reserve(request) };
    findings.push(...result.findings);
    if (result.made !== undefined) made.push(result.made);
    if (own ? result.made !== undefined : request.secretKey !== undefined)
      findings.push(...fileCollision(request, own, files, maker));
  }
  return { made, findings };
}

type Files = Map<string, { readonly resource: Resource; readonly own: boolean }>;

// Two files of the same function are compared later, where its objects are collected.
function fileCollision(
  { resource, secretKey = "" }: SelectedRequest,
  own: boolean,
  files: Files,
  { bundlePath }: Maker,
): Finding[] {
  const name = baseNameOf(secretKey);
  const other = files.get(name);
  files.set(name, { resource, own });
  if (other === undefined || other.own === own) return [];
  const message = `${describe(refOf(other.resource))} and ${describe(refOf(resource))} would both be written to the file ${quote(bundlePath(name))}. Rename one of their Secrets.`;
  return [finding("error", "path-collision", message, { resource })];
}

/** A name in the cloud that only one request may get. */
interface TakenName {
  readonly code: FindingCode;
  /** What has the name: `role`. */
  readonly noun: string;
  readonly name: string;
  /** The rest of the message, after the name: how to resolve the collision. */
  readonly rest: string;
}

/**
 * Reports a request that would get the name of an earlier one.
 *
 * @param key the name in the form in which the cloud compares it.
 * @param taken the requests by key; this one is added.
 */
export function collision(
  { resource, secretKey }: SelectedRequest,
  key: string,
  taken: Map<string, Resource>,
  { code, noun, name, rest }: TakenName,
): Finding[] {
  const other = taken.get(key);
  if (other === undefined) {
    taken.set(key, resource);
    return [];
  }
  // Selection already reports two requests for the same Secret, and no name would resolve that.
  if (secretKey !== undefined && secretKeyOf(other.value()) === secretKey) return [];
  const both = `${describe(refOf(other))} and ${describe(refOf(resource))}`;
  return [finding("error", code, `${both} would get the same ${noun} ${quote(name)}${rest}`, { resource })];
}

/** Where Secrets are written. The installer reads every manifest in that directory. */
export const secretForm: OutputForm = {
  apiVersion: "v1",
  kind: "Secret",
  path: /^manifests\/[^/]+-credentials\.yaml$/,
};

/** A request that names its Secret. */
export interface SecretOwner {
  readonly resource: Resource;
  readonly secretNamespace: string;
  readonly secretName: string;
}

/**
 * The Secret of a request.
 *
 * @param content values by key, in order
 * @param encoding `data` encodes the values in base64, as the API server returns them
 */
export function secretOf(
  { resource, secretNamespace: namespace, secretName: name }: SecretOwner,
  content: Readonly<Record<string, string>>,
  encoding: "stringData" | "data",
): GeneratedObject {
  const texts = Object.entries(content).map(([key, text]) => [
    key,
    encoding === "data" ? Buffer.from(text, "utf8").toString("base64") : text,
  ]);
  const object = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    type: "Opaque",
    [encoding]: Object.fromEntries(texts) as Record<string, string>,
  } satisfies V1Secret;
  return { path: `manifests/${namespace}-${name}-credentials.yaml`, object, origin: refOf(resource) };
}

/** How many keys get a cure of their own: it compares a key with all requests, and many wrong keys have one cause. */
const maxCures = 20;

/** How many keys a message lists if none is similar. */
const maxKeys = 5;

/**
 * Overrides that match the Secret of no request, each with the key that the user probably meant.
 *
 * @param base path of the field that contains the overrides
 * @param overrides by `<secret namespace>/<secret name>`
 */
export function unmatchedOverrides(
  resource: Resource,
  base: string,
  overrides: Readonly<Record<string, unknown>>,
  selected: readonly SelectedRequest[],
): Finding[] {
  const keys = Object.keys(overrides);
  if (keys.length === 0) return [];
  const secrets = new Set(selected.map(({ secretKey }) => secretKey));
  return keys
    .filter((key) => !secrets.has(key))
    .map((key, at) => {
      const cure = at < maxCures ? cureFor(key, selected) : "Correct the name, or remove it.";
      const field = `${base}.${key}`;
      const message = `the override ${quoteWhole(key)} in "${base}" matches no request that is included in this cluster. The name of an override is "<secret namespace>/<secret name>". ${cure}`;
      return finding("error", "override-unmatched", message, { resource, field });
    });
}

function cureFor(key: string, selected: readonly SelectedRequest[]): string {
  const meant = namedBy(key, selected);
  if (meant !== undefined)
    return `Rename it to ${quoteWhole(meant.secretKey)}, the Secret of ${describe(refOf(meant.resource))}, or remove it.`;
  const keys = [...new Set(selected.flatMap(({ secretKey }) => secretKey ?? []))];
  const near = nearest(key, keys);
  if (near !== undefined) return `Rename it to ${quoteWhole(near)}, or remove it.`;
  return keys.length === 0 ? "Remove it." : `Rename it to one of ${listed(keys.map(quote), maxKeys)}, or remove it.`;
}

interface Named extends SelectedRequest {
  readonly secretKey: string;
}

// Finds the request that the user meant: by the request's name in place of its Secret's, with the namespace of either;
// or by a correct half of the key, if it matches exactly one request.
function namedBy(key: string, selected: readonly SelectedRequest[]): Named | undefined {
  const [namespace = "", name = ""] = key.split("/");
  const all = selected.filter((request): request is Named => request.secretKey !== undefined);
  const half = (one: Named, at: number, text: string) => one.secretKey.split("/")[at] === text;
  const ways: ((one: Named) => boolean)[] = [
    (one) => one.resource.name === name && (one.resource.namespace === namespace || half(one, 0, namespace)),
    (one) => half(one, 0, namespace),
    (one) => half(one, 1, name),
  ];
  for (const way of ways) {
    const found = all.filter(way);
    if (found.length === 1) return found[0];
  }
  return undefined;
}
