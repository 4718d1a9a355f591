import type { V1Secret } from "@kubernetes/client-node";
import { type Finding, type FindingCode, finding } from "../core/finding.ts";
import type { OutputForm } from "../core/generated-object.ts";
import { describe, type GeneratedObject, type Resource, refOf } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { baseNameOf, secretKeyOf } from "../requests/credentials-request.ts";
import type { SelectedRequest } from "../requests/select.ts";
import { unmatchedOverrides } from "../requests/unknown-names.ts";
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
  { selected, held, isOwn }: Scope,
  maker: Maker,
): { made: readonly ComponentIdentity[]; findings: readonly Finding[] } {
  const made: ComponentIdentity[] = [];
  const findings = unmatchedOverrides(resource, "spec.overrides", overrides, { selected, held });
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
