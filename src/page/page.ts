import { withoutSecrets } from "../core/text.ts";
import type { Trust } from "../permissions/identity.ts";
import type { Permissions } from "../permissions/permissions.ts";

/*
 * What the page for auditors shows, as plain data. Texts come from the input as they are: the writers of HTML, SVG and Mermaid
 * escape them.
 */

/** A page about one cluster or a fleet. */
export interface Page {
  /** At least one. */
  readonly clusters: readonly ClusterPart[];
  /** What the search must know of each cloud on the page. */
  readonly terms: readonly SearchTerms[];
  readonly made: Made;
}

/** How a cloud writes permissions, as far as the search needs it. */
export interface SearchTerms {
  /** {@link ClusterPart.cloud} */
  readonly cloud: string;
  readonly actionsIgnoreCase: boolean;
  /** The form of an action, as the source and the flags of a regular expression. */
  readonly actionForm: string;
  readonly actionFlags: string;
  readonly separator: string;
  /** The form of the name of an action, as the source of a regular expression; missing if a word is never one. */
  readonly nameForm?: string;
  /** Names that people use for actions. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  /** The operators in conditions on the page whose meaning is known. */
  readonly operators: readonly string[];
  /** The definitions of the roles on the page, by name. */
  readonly roles: Readonly<Record<string, SearchedRole>>;
}

/** What a role consists of: names of permissions or, in a cloud whose roles contain wildcards, grants. */
export type SearchedRole = readonly string[] | { readonly grants: Permissions };

/** A text that differs between clusters which are the same otherwise, and what it is: "account". */
export interface OwnName {
  readonly name: string;
  readonly value: string;
}

/** How the page was made. Neither a time nor a machine is part of it, so that the same input produces the same bytes. */
export interface Made {
  readonly version: string;
  /** The command line, for a shell. */
  readonly command: string;
  /** What the user calls the state of the files, such as a commit. */
  readonly commit?: string;
  /** The day on which acceptances were judged, as "2026-01-31"; without it, their expiry was not checked. */
  readonly today?: string;
}

/** One cluster of the page. */
export interface ClusterPart {
  /** The directory of its package or export, as the user named it. */
  readonly path: string;
  readonly name: string;
  /** The title of its cloud: "AWS". */
  readonly cloud: string;
  /** The cloud's term for an identity: "role". */
  readonly noun: string;
  /** What limits an identity besides its permissions; missing if nothing does in its cloud. */
  readonly boundaries?: Term;
  readonly account: string | undefined;
  readonly region: string | undefined;
  /** The issuer of its tokens, with `https://`. */
  readonly issuer: string | undefined;
  readonly previousIssuers: readonly string[];
  readonly keyIds: readonly string[];
  readonly release: string | undefined;
  /** Who is responsible for it, according to its label `owner`. */
  readonly owner: string | undefined;
  /** Texts that only this cluster has, besides its account, region, and issuers. */
  readonly own: readonly OwnName[];
  /** Sorted. Undefined if it was not validated. */
  readonly findings: readonly FindingPart[] | undefined;
  /** Sorted by {@link IdentityPart.key}. */
  readonly identities: readonly IdentityPart[];
  readonly differences?: Differences;
}

/** A word of a cloud, and its explanation. */
export interface Term {
  readonly term: string;
  readonly text: string;
}

/** A finding of `ccf validate`. */
export interface FindingPart {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
  /** The object, such as "CredentialsRequest ns/name". */
  readonly object?: string;
  /** The file, relative to the package. */
  readonly file?: string;
  /** The identity that it is about, by {@link IdentityPart.key}. */
  readonly identity?: string;
  /** Whether it is a warning about what a request of the release asks for; missing if it is not. */
  readonly isOfRelease?: true;
  readonly accepted?: { readonly reason: string; readonly until?: string };
}

/** One component identity. */
export interface IdentityPart {
  /** `<secret namespace>/<secret name>`, unique in its cluster. */
  readonly key: string;
  /** Whether it is that of a WorkloadIdentity, which is shown apart; missing if it is not. */
  readonly isOfWorkload?: true;
  /** Whether a request of the release alone says what it allows; missing if it does not, or if that is not known. */
  readonly isOfRelease?: true;
  /** Its ID in the cloud, such as an ARN. */
  readonly id: string;
  /** The ID that the cloud assigned to it, if it assigns one; undefined if the package does not contain it yet. */
  readonly assigned?: { readonly noun: string; readonly id: string | undefined };
  /** Texts that only this identity of this cluster has, such as computed names, besides its IDs. */
  readonly own: readonly OwnName[];
  readonly trusts: readonly Trust[];
  readonly statements: readonly Statement[];
  /** For the search. */
  readonly searched: Searched;
  readonly managedPolicies: readonly string[];
  /** Why it may have more permissions than the files say, besides its managed policies: a clause for each reason, sorted. */
  readonly unknown?: readonly string[];
  /** Null if it has none; undefined in a cloud without boundaries. */
  readonly boundary: string | null | undefined;
  /** In seconds. */
  readonly maxSession: number | undefined;
  readonly escalations: readonly Escalation[];
  /** What it reaches beyond the cluster; undefined if it was not asked for. */
  readonly reach?: readonly Reached[];
  readonly request?: { readonly name: string; readonly path: string | undefined };
  /** The file of its generated object. */
  readonly file: string | undefined;
  /** The exact files for the cloud, sorted by name. */
  readonly documents: readonly { readonly name: string; readonly text: string }[];
}

/** An identity as the search sees it: what is known of policies that the package only names is part of it. */
interface Searched {
  readonly permissions: Permissions;
  /** Those whose documents are not known. */
  readonly managedPolicies: readonly string[];
  /** Missing if it has none, or if its document is known. */
  readonly boundary?: string;
  /** What it can reach in one step. */
  readonly steps: readonly SearchedStep[];
  /** The subjects of its service accounts. */
  readonly serviceAccounts: readonly string[];
}

/** A step that an identity can take; see Step in `src/permissions/steps.ts`. */
interface SearchedStep {
  readonly by: string;
  readonly gives?: readonly string[];
  /** The identity of the same cluster that it leads to, by {@link IdentityPart.key}. */
  readonly to?: string;
  readonly isUndecided?: true;
}

/** What an identity reaches beyond the cluster, in a sentence. */
interface Reached {
  readonly text: string;
  /** Whether something that is not in the files decides whether it does. */
  readonly isUndecided: boolean;
}

/** A statement about permissions. */
export interface Statement {
  readonly effect: "Allow" | "Deny";
  /** Sorted by service. */
  readonly actions: readonly ServiceActions[];
  readonly resources: readonly string[];
  readonly conditions: readonly string[];
  /** The statement itself, if its form is not known. */
  readonly unread?: string;
}

/** The actions of one service in a statement. */
export interface ServiceActions {
  /** The service of the cloud: "ec2". */
  readonly service: string;
  /** What {@link names} are: "action", "role", "permission". */
  readonly kind: string;
  readonly names: readonly string[];
}

/** A way in which an identity can get more permissions than its own. */
export interface Escalation {
  /** The rule that found it. */
  readonly code: string;
  readonly message: string;
  /** Set if something that is not in the package may prevent it; the message says what. */
  readonly isUndecided?: true;
}

/** What a change does to a cluster. */
export interface Differences {
  /** What the cluster was compared with, as the user named it. */
  readonly against: string;
  readonly verdict: "none" | "narrowed" | "broadened" | "both" | "unknown";
  /** Whether the verdict counts something as a change that could not be decided. */
  readonly isUndecided?: boolean;
  /** What was compared, if that is not everything: "permissions". */
  readonly only?: "permissions";
  /** The numbers of identities by outcome, in words. */
  readonly counts: string;
  /** Notes about the comparison. */
  readonly notes: readonly string[];
  /** What changes, in order. */
  readonly sections: readonly DifferenceSection[];
  /** What to do before, with and after the change is applied. */
  readonly steps: {
    readonly before: readonly string[];
    readonly with: readonly string[];
    readonly after: readonly string[];
  };
}

/** What changes in a part of a package, or in identities in which the same changes. */
export interface DifferenceSection {
  /** The keys of the identities; an identity that is gone has no {@link IdentityPart}. */
  readonly keys: readonly string[];
  /** "new: AWS ns/name (request)" */
  readonly headline: string;
  /** A line each, which begins with "+", "-" or "~". */
  readonly lines: readonly string[];
}

/**
 * A page without anything that could be a private key or a token. This comes before everything else: a part of a text, such as a
 * name that is cut, would no longer look like a key.
 */
export function pageWithoutSecrets(page: Page): Page {
  return harmless(page) as Page;
}

function harmless(value: unknown): unknown {
  if (typeof value === "string") return withoutSecrets(value);
  if (Array.isArray(value)) return value.map(harmless);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, harmless(child)]));
}
