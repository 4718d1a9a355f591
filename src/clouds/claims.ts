import { type Resource, type Value, valueAt } from "../core/resource.ts";
import type { Identity } from "../identity/cluster-identity.ts";

/*
 * What one cluster claims for itself alone. Two packages that claim the same would overwrite each other's resources.
 */

/** A name or a value that only one cluster may have. */
export interface Claim {
  /** What has it, in the cloud's own term: `bucket`. */
  readonly noun: string;
  /** As a message shows it. */
  readonly value: string;
  /** The value in the form in which the cloud compares it; without it, {@link value}. */
  readonly compared?: string;
  /** Where it is unique, for messages: `the account "123456789012"`; "" for everywhere, on every cloud. */
  readonly within: string;
  /** The field of the ClusterIdentity that sets it. */
  readonly field: string;
  /** How to change it: an imperative sentence without a period. Without it, the field is set to another value. */
  readonly cure?: string;
  /** What happens if two clusters have it: a sentence. Without it, each replaces what the other one uses. */
  readonly effect?: string;
  /** The noun of the claim that it is derived from: a conflict of that one is a conflict of this one. */
  readonly derivedFrom?: string;
  /** The claim of the same identity that it follows from, with the same meaning. */
  readonly follows?: Claim;
}

/** What a cluster claims in its cloud. */
export interface CloudClaims {
  readonly claims: readonly Claim[];
  /** The Secrets whose identities have a name that the config sets, as `<namespace>/<name>`. */
  readonly named: readonly string[];
  /** The names of the identity of a Secret, given or computed. Keeps no other part of the package in memory. */
  readonly namesOf: (secretKey: string) => readonly Claim[];
}

/** The nouns of the claims that every cloud has. */
const claimNouns = { name: "ClusterIdentity name", prefix: "resource prefix", issuer: "issuer URL" } as const;

/** The field of the resource prefix. */
export const prefixField = "spec.resourcePrefix";

/** The name of the ClusterIdentity, and the resource prefix, which only one cluster of an account may have. */
export function ownNames({ name, prefix, resource }: Identity, within: string): readonly Claim[] {
  const isDerived = valueAt(resource.value(), prefixField.split(".")) === undefined;
  const derived = isDerived ? { derivedFrom: claimNouns.name } : {};
  return [
    { noun: claimNouns.name, value: name, within, field: "metadata.name" },
    { noun: claimNouns.prefix, value: prefix, within, field: prefixField, ...derived },
  ];
}

/** The URL of an issuer, which is unique everywhere. */
export function issuerClaim(
  url: string,
  field: string,
  { derivedFrom }: { readonly derivedFrom?: string | undefined } = {},
): Claim {
  const derived = derivedFrom === undefined ? {} : { derivedFrom };
  return { noun: claimNouns.issuer, value: url, within: "", field, ...derived };
}

/** What a claim is if nothing sets its field: derived from the prefix. */
export function unlessGiven(given: string | undefined): { readonly derivedFrom?: string } {
  return given === undefined ? { derivedFrom: claimNouns.prefix } : {};
}

/** Where a cluster is, as the text of its ClusterIdentity says, valid or not. */
export interface ClusterHome {
  /** The ID of the account, the project, or the subscription; undefined if it is not known. */
  readonly account: string | undefined;
  readonly region: string | undefined;
  /** More names of the same place, by the cloud's own terms: `partition`, `project`, `subscription`. */
  readonly names: Readonly<Record<string, string | undefined>>;
}

/** Reads where the cluster of a ClusterIdentity is. */
export interface Home {
  /** The keys that {@link ClusterHome.names} may have. */
  readonly names: readonly string[];
  /**
   * @param spec the value of `spec.platform.<name>`
   * @param items the package's items, for what the ClusterIdentity may omit.
   */
  read(spec: Value, items: readonly Resource[]): ClusterHome;
}

/** A text in `spec.platform.<name>`; undefined if it is not a text. */
export function textIn(spec: Value, key: string): string | undefined {
  const value = valueAt(spec, [key]);
  return typeof value === "string" ? value : undefined;
}
