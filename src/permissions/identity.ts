import type { Resource } from "../core/resource.ts";
import type { Permissions } from "./permissions.ts";

/** A component identity, read from its request, from a rendered package, or from an export. */
export interface CloudIdentity {
  /** The cloud's title, for example "AWS". */
  readonly cloud: string;
  /** The cloud's term for an identity, for example "role". */
  readonly noun: string;
  /** `<secret namespace>/<secret name>`: identities are paired by it. */
  readonly key: string;
  /** The request's name; undefined if it is not known. */
  readonly request: string | undefined;
  readonly permissions: Permissions;
  /** Who may assume it, for example `system:serviceaccount:<namespace>:<name>`; sorted, without duplicates. */
  readonly subjects: readonly string[];
  /** Who may assume it, according to its trust policy; undefined if it has none, as in a request. */
  readonly trust: Permissions | undefined;
  /** The ARN of its permissions boundary, or "" for none; undefined if it is not known. */
  readonly boundary: string | undefined;
  /** Whether the resources of its permissions are the scopes of its roles; a request does not name them. Only for clouds with scopes. */
  readonly areScopesKnown?: boolean;
  /** The path of its token, or "" if the cluster decides; undefined if it is not known. */
  readonly tokenPath: string | undefined;
  /** The e-mail of its service account, in a cloud where that is its ID; undefined if it is not known. */
  readonly email?: string | undefined;
  /** The audience for which its token is exchanged, according to its Secret; undefined if it names none. */
  readonly audience?: string | undefined;
}

/** The properties of an identity that the cluster's configuration decides, not the request. */
export const decidedByCluster = { trust: undefined, boundary: undefined } as const;

/** An identity according to the files of a package or an export, which a user may have edited. */
export interface RenderedIdentity {
  /** Its bundle ConfigMap; undefined in an export. */
  readonly resource: Resource | undefined;
  /** `<secret namespace>/<secret name>`; undefined if its files do not contain it. */
  readonly key: string | undefined;
  /** Its ID in the cloud, for example a role's ARN; undefined if its files do not contain it. */
  readonly id: string | undefined;
  /** Who may assume it: one entry for each statement and principal. */
  readonly trusts: readonly Trust[];
  /** What its own policy grants, with resources verbatim. */
  readonly permissions: Permissions;
  /** The managed policies that are attached to it, by their names in the cloud. */
  readonly managedPolicies: readonly string[];
  /** Its permissions boundary. */
  readonly boundary: string | undefined;
  /** In seconds. */
  readonly maxSessionDuration: number | undefined;
  /** The files with its trust policy. */
  readonly trustFiles: readonly PolicyFile[];
  /** The files with its permissions. */
  readonly permissionFiles: readonly PolicyFile[];
  /** For comparisons with a request; undefined if a required file is missing or cannot be read. */
  readonly compared: CloudIdentity | undefined;
}

/** One file with a policy, and what it grants, in the form of requests. Unreadable parts are undecided. */
export interface PolicyFile {
  /** The field of the bundle. */
  readonly field: string;
  readonly permissions: Permissions;
}

/** One parsed statement of a trust policy: whose tokens allow a component to assume an identity. */
export interface Trust {
  readonly effect: "Allow" | "Deny";
  /** With `https://`; undefined if the statement does not name a provider. */
  readonly issuer: string | undefined;
  /** The subjects; empty if the statement does not limit them in a known way. */
  readonly subjects: readonly string[];
  /** The audiences from the statement, otherwise the provider's client IDs; undefined if neither has any. */
  readonly audiences: readonly string[] | undefined;
  /** Descriptions of all other conditions. */
  readonly conditions: readonly string[];
  /** The statement itself, if its form is not known. */
  readonly unread?: string;
}
