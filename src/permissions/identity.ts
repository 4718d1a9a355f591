import type { Resource } from "../core/resource.ts";
import type { Permissions } from "./permissions.ts";

/** What a component is to a cloud, wherever that was read: in its request, in a rendered package, in an export. */
export interface CloudIdentity {
  /** The cloud's title, such as "AWS". */
  readonly cloud: string;
  /** What that cloud calls an identity, such as "role". */
  readonly noun: string;
  /** `<secret namespace>/<secret name>`: what it is paired by. */
  readonly key: string;
  /** The request's name; undefined where nobody says it. */
  readonly request: string | undefined;
  readonly permissions: Permissions;
  /** Who may become it, such as `system:serviceaccount:<namespace>:<name>`; sorted, each once. */
  readonly subjects: readonly string[];
  /** Who may become it, as its trust policy says it; undefined where there is none, as in a request. */
  readonly trust: Permissions | undefined;
  /** What its permissions are held within: a policy's ARN, or "" for nothing; undefined where nobody says it. */
  readonly boundary: string | undefined;
  /** Where its token is, "" where that is left to the cluster; undefined where nobody says it. */
  readonly tokenPath: string | undefined;
}

/** What a request does not say of an identity: its cluster's configuration does. */
export const decidedByCluster = { trust: undefined, boundary: undefined } as const;

/** An identity as the files of a package or an export say it, whoever wrote them last. */
export interface RenderedIdentity {
  /** Its bundle ConfigMap; undefined in an export. */
  readonly resource: Resource | undefined;
  /** `<secret namespace>/<secret name>`; undefined where its files do not say it. */
  readonly key: string | undefined;
  /** What the cloud knows it by, such as a role's ARN; undefined where its files do not say it. */
  readonly id: string | undefined;
  /** Who may become it: one for each statement and principal. */
  readonly trusts: readonly Trust[];
  /** What its own policy grants, with resources as they are written. */
  readonly permissions: Permissions;
  /** Policies of others that it has, by their names in the cloud. */
  readonly managedPolicies: readonly string[];
  /** The policy that its permissions are held within. */
  readonly boundary: string | undefined;
  /** In seconds. */
  readonly maxSessionDuration: number | undefined;
  /** Each file that says who may become it; the scripts read the first one, and the others are copies. */
  readonly trustFiles: readonly PolicyFile[];
  /** Each file that says what it may do, in the same way. */
  readonly permissionFiles: readonly PolicyFile[];
  /** For comparisons with a request; undefined where a file that it needs is missing or cannot be read. */
  readonly compared: CloudIdentity | undefined;
}

/** One file with a policy, and what it grants, as requests say it; what cannot be read is undecided. */
export interface PolicyFile {
  /** The field of the bundle. */
  readonly field: string;
  readonly permissions: Permissions;
}

/** Whose tokens let a component become an identity: one statement of a trust policy, read. */
export interface Trust {
  readonly effect: "Allow" | "Deny";
  /** With `https://`; undefined where the statement names no provider. */
  readonly issuer: string | undefined;
  /** The subjects; none where the statement limits them by nothing that is known here. */
  readonly subjects: readonly string[];
  /** What the token must be for: what the statement says, else the provider's client IDs; undefined where neither does. */
  readonly audiences: readonly string[] | undefined;
  /** What else must hold, in words. */
  readonly conditions: readonly string[];
  /** The statement itself, where it has a form that is not known. */
  readonly unread?: string;
}
