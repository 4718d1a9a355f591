import type { Clause } from "./clause.ts";
import type { Glob } from "./glob.ts";

/** What distinguishes a cluster's own resources from others in the same account. */
export interface OwnCluster {
  /** The AWS account, the project, or the subscription; undefined if it is not known. */
  readonly account: string | undefined;
  /** Names with which the names of its resources start: its resource prefix, its name, its infrastructure name. */
  readonly names: readonly string[];
  /** Scopes that contain only its resources, such as the resource groups of the cluster; empty in a cloud without scopes. */
  readonly scopes: readonly string[];
}

/** An answer that may be impossible; then the text is the reason, as a clause: "the name does not contain its project". */
export type Decided = boolean | string;

/** How a cloud writes permissions: what questions about them need to know. */
export interface PermissionTerms {
  /** An action, as an example for messages: `ec2:DeleteVolume`. */
  readonly example: string;
  /** Whether the cloud ignores the case of actions. */
  readonly actionsIgnoreCase: boolean;
  /** Whether a text has the form of an action of this cloud. It may contain wildcards. */
  isAction(text: string): boolean;
  /** Whether a statement on `resource` applies to a resource that the user named. Both may contain wildcards. */
  appliesTo(resource: Glob, named: Glob, own: OwnCluster): Decided;
  /** Whether the meaning of a condition operator is known. */
  isKnownOperator(operator: string): boolean;
  /** Whether all actions of a set only read. */
  onlyReads(action: Glob): boolean;
  /** Whether a statement on `resource` applies to more than the cluster's resources. */
  isBeyond(resource: Glob, own: OwnCluster): Decided;
  /** Whether a clause of a condition limits an action to the cluster's resources. */
  isLimit?(clause: Clause, action: Glob, own: OwnCluster): boolean;
  /** Whether a clause is true for every resource that is not the cluster's: a denial with it protects all others. */
  isOutside?(clause: Clause, own: OwnCluster): boolean;
  /** Why resources are more than the cluster's, as a clause. `resources` lists them in quotes. */
  describeBeyond(resources: string, own: OwnCluster): string;
}
