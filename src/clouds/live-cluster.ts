import type { Resource, Value, ValueMap } from "../core/resource.ts";
import { compareText, quote } from "../core/text.ts";
import { isResourcePrefix } from "../generated/schema-facts.ts";

/** What is known about a live cluster, as `ccf import` hands it to the cluster's cloud. */
export interface LiveCluster {
  /** `spec.serviceAccountIssuer` of its Authentication. */
  readonly issuerUrl: string;
  /** The configuration objects of the cluster (config.openshift.io). */
  readonly items: readonly Resource[];
  /** The Secrets of its requests, as far as they are known, sorted by key. */
  readonly secrets: readonly LiveSecret[];
  /** Documents that are not Kubernetes objects, such as what the cloud's own tool printed of its resources. */
  readonly listings?: readonly Resource[];
}

/** A Secret that a request names. */
export interface LiveSecret {
  /** `<namespace>/<name>` */
  readonly key: string;
  readonly resource: Resource;
}

/** How a component of the live cluster gets its credentials: what its Secret says. Nothing here is secret. */
export interface LiveCredential {
  readonly secretKey: string;
  /** The ARN of a role, the email of a service account, or a client ID; undefined if the Secret names none. */
  readonly id: string | undefined;
  /** The path of its token. */
  readonly tokenFile: string | undefined;
  /** The Secret contains a credential that works until someone deletes it. */
  readonly isLongLived: boolean;
}

/** What a cloud reads of a live cluster. */
export interface LiveFacts {
  /** The prefix with which the cluster's resources were named; undefined if nothing tells it. */
  readonly prefix: string | undefined;
  /** The answers to the cloud's questions that the cluster gives, by flag. */
  readonly answers: Readonly<Record<string, string>>;
  /** One for each Secret, in their order. */
  readonly credentials: readonly LiveCredential[];
  /** What cannot be true of one cluster: sentences without a period. */
  readonly contradictions: readonly string[];
  /** Completes the configuration once every question is answered. */
  settle(prefix: string, answers: Readonly<Record<string, string>>): SettledConfig;
}

/** The part of a ClusterIdentity that follows from the facts, so that a render emits what exists. */
export interface SettledConfig {
  /** Fields of `spec.platform.<cloud>` in addition to those of the answers. */
  readonly spec: ValueMap;
  /** `spec.issuer.url`, if it does not follow from where the documents are. */
  readonly issuerUrl: string | undefined;
  /** What was assumed, because nothing tells it: whole sentences. */
  readonly assumed: readonly string[];
}

/** The fields of a mapping that have a value, and for an inner mapping, at least one. */
export function known(fields: Readonly<Record<string, Value | undefined>>): ValueMap {
  const given = Object.entries(fields).filter(
    (field): field is [string, Value] =>
      field[1] !== undefined && (typeof field[1] !== "object" || field[1] === null || Object.keys(field[1]).length > 0),
  );
  return Object.fromEntries(given);
}

/** The only value of a fact that all parts of a cluster share, and a sentence if they have more than one. */
export function sharedFact(
  noun: string,
  values: readonly (string | undefined)[],
): { readonly value: string | undefined; readonly contradictions: readonly string[] } {
  const all = [...new Set(values.filter((value) => value !== undefined))].sort(compareText);
  const [value, other] = all;
  const contradictions =
    other === undefined ? [] : [`the Secrets name more than one ${noun}: ${all.map(quote).join(", ")}`];
  return { value: other === undefined ? value : undefined, contradictions };
}

/**
 * The candidate for a prefix with which the most names are as computed; the first one of equals. Only the first candidate and
 * those that most names suggest are counted, so the time stays proportional to the number of names.
 *
 * @param count the number of names that are computed with a prefix.
 */
export function bestPrefix(
  candidates: readonly (string | undefined)[],
  count: (prefix: string) => number,
): string | undefined {
  const valid = candidates.filter((text) => text !== undefined).filter((text) => isResourcePrefix(text));
  const counted = new Set([...valid.slice(0, 1), ...byFrequency(valid).slice(0, maxCandidates)]);
  // A stable sort: the first candidate wins.
  return Array.from(counted, (prefix) => ({ prefix, fits: count(prefix) })).sort((a, b) => b.fits - a.fits)[0]?.prefix;
}

const maxCandidates = 8;

/** The different texts of a list, the most frequent one first; equally frequent ones in their order. */
export function byFrequency(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text);
}
