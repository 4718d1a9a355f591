import { type Finding, finding } from "../core/finding.ts";
import { allByKey, generatedBy, type Resource } from "../core/resource.ts";
import { secretTexts } from "../core/secret-texts.ts";
import { compareText } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import type { CloudIdentity, RenderedIdentity } from "../permissions/identity.ts";
import { isCredentialsRequest, providerSpecOf, secretKeyOf } from "../requests/credentials-request.ts";
import type { ReleaseFilter } from "../requests/release-filter.ts";
import { type SelectedRequest, selectRequests } from "../requests/select.ts";
import { isOfPreviousRelease, type Merge } from "../requests/transition.ts";
import type { UndecidedRequest } from "../requests/undecided.ts";

/** What of a cluster decides which requests are included, and what its configuration adds to them. */
export interface ClusterContext {
  readonly release: ReleaseFilter;
  /** The cluster's configuration; undefined if it is unknown. */
  readonly identity: Identity | undefined;
  /** The cluster's cloud; undefined if it is unknown: then requests for any cloud are included. */
  readonly cloud: CloudIdentity["cloud"] | undefined;
}

/** The context in which a ClusterIdentity puts requests. */
export function clusterContext(identity: Identity, { title }: RequestReader): ClusterContext {
  return { release: identity.release, identity, cloud: title };
}

/** Reads the requests for one cloud. */
export interface RequestReader {
  /** The cloud's name for messages: "AWS". */
  readonly title: string;
  /** The kind of `spec.providerSpec` of its requests. */
  readonly providerKind: string;
  /** Merges what requests of two releases for one Secret ask for. */
  readonly merge: Merge;
  /** What a request asks for, and the errors that a render would report for it. */
  requested(
    request: SelectedRequest,
    config?: Identity,
  ): { readonly identity: CloudIdentity; readonly findings: readonly Finding[] };
}

/** The identities that the included requests ask for. */
export function requestedIdentities(
  items: readonly Resource[],
  clouds: readonly RequestReader[],
  { release, identity: config, cloud }: ClusterContext,
): { identities: readonly CloudIdentity[]; findings: readonly Finding[] } {
  const identities: CloudIdentity[] = [];
  const refusalFindings: Finding[] = [];
  const wanted = clouds.filter(({ title }) => cloud === undefined || title === cloud);
  const said = wanted.map((reader) => {
    const merging = { merge: reader.merge, tokenPath: config?.tokenPath };
    const { requests, undecided, findings } = selectRequests(items, release, reader.providerKind, {
      countUndecided: true,
      merging,
    });
    const gates = gatesBySecret(undecided);
    for (const request of requests) {
      if (request.secretKey === undefined) refusalFindings.push(namelessFinding(request));
      if (config?.overrides[request.secretKey ?? ""]?.skip === true) continue;
      const { identity, findings: requestFindings } = reader.requested(request, config);
      refusalFindings.push(...requestFindings);
      const unknownGates = gates.get(identity.key);
      identities.push({
        ...identity,
        tokenPath: identity.tokenPath || (config?.tokenPath ?? ""),
        ...(unknownGates === undefined ? {} : { unknownGates }),
      });
    }
    return findings;
  });
  return { identities, findings: [...onceForAll(said), ...refusalFindings] };
}

function gatesBySecret(undecided: readonly UndecidedRequest[]): ReadonlyMap<string, readonly string[]> {
  const bySecret = allByKey(undecided, ({ secretKey }) => secretKey);
  const gatesOf = (all: readonly UndecidedRequest[]) => [...new Set(all.flatMap(({ gates }) => gates))];
  return new Map([...bySecret].map(([key, all]) => [key, gatesOf(all).sort(compareText)]));
}

// Identities are paired by their Secrets.
function namelessFinding({ resource }: SelectedRequest): Finding {
  const message =
    'has no "spec.secretRef" with "namespace" and "name", so the identity with these permissions is unknown; add it.';
  return finding("error", "request-missing-field", message, { resource, field: "spec.secretRef" });
}

// A request is for another cloud only if none of the clouds included it.
function onceForAll(said: readonly (readonly Finding[])[]): Finding[] {
  const [firstFindings = [], ...others] = said;
  const left = (findings: readonly Finding[]) => findings.filter(({ code }) => code === "skipped-other-cloud");
  const cloudlessFindings = left(firstFindings).filter((finding) =>
    others.every((findings) =>
      left(findings).some((other) => other.message === finding.message && isSameLocation(other, finding)),
    ),
  );
  return [...cloudlessFindings, ...said.flat().filter(({ code }) => code !== "skipped-other-cloud")];
}

function isSameLocation(a: Finding, b: Finding): boolean {
  return JSON.stringify([a.resource, a.file]) === JSON.stringify([b.resource, b.file]);
}

/** What a comparison needs to know of a cloud besides its rendered identities. */
export interface NeighbourReader {
  /** The kind of `spec.providerSpec` of its requests. */
  readonly providerKind: string;
  /** Where a Secret contains the path of the token: in a setting of a file, or in a key. */
  readonly secret: {
    readonly file?: {
      readonly key: string;
      readonly form: {
        readonly token: string;
        readonly audience?: string;
        settings(text: string): ReadonlyMap<string, string>;
      };
    };
    readonly tokenKey?: string;
  };
}

/**
 * Rendered identities for a comparison, with facts from the package's objects: the name of the request, and the token path and
 * the audience in the Secret. Identities that cannot be compared are skipped; their reader has reported them.
 */
export function comparedIdentities(
  rendered: readonly RenderedIdentity[],
  items: readonly Resource[],
  cloud: NeighbourReader,
): CloudIdentity[] {
  const requests = new Map<string, string>();
  const secrets = new Map<string, Pick<CloudIdentity, "tokenPath" | "audience">>();
  for (const item of items) {
    if (isCredentialsRequest(item)) {
      const value = item.value();
      const key = secretKeyOf(value) ?? "";
      // During an upgrade, a Secret may also have a request of the previous release.
      if (isOfPreviousRelease(item) && requests.has(key)) continue;
      if (providerSpecOf(value)?.["kind"] === cloud.providerKind) requests.set(key, item.name);
    } else if (item.kind === "Secret") {
      secrets.set(`${item.namespace}/${item.name}`, namedIn(item, cloud));
    }
  }
  return rendered.flatMap(({ compared }) =>
    compared === undefined ? [] : { ...compared, request: requests.get(compared.key), ...secrets.get(compared.key) },
  );
}

function namedIn(
  secret: Resource,
  { secret: { file, tokenKey = "" } }: NeighbourReader,
): Pick<CloudIdentity, "tokenPath" | "audience"> {
  const texts = secretTexts(secret.value());
  if (file === undefined) return { tokenPath: texts.get(tokenKey), audience: undefined };
  const { settings, token, audience = "" } = file.form;
  const named = settings(texts.get(file.key) ?? "");
  return { tokenPath: named.get(token), audience: named.get(audience) };
}

/** The keys of the rendered identities of OLM operators and of workloads, which no release asks for. */
export function operatorsAmong(rendered: readonly RenderedIdentity[]): ReadonlySet<string> {
  const isOperators = ({ resource, isOfWorkload }: RenderedIdentity) =>
    isOfWorkload || resource?.annotations.get(generatedBy)?.startsWith("configure-operators/") === true;
  return new Set(rendered.filter(isOperators).flatMap(({ key }) => key ?? []));
}
