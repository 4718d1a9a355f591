import type { Permissions } from "./permissions.ts";

/** What a component is to a cloud, wherever that was read: in its request, in a rendered package, in an export. */
export interface CloudIdentity {
  readonly cloud: "AWS" | "Azure" | "GCP";
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
export const leftToTheCluster = { trust: undefined, boundary: undefined } as const;
