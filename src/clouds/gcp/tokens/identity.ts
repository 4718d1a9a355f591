import { isMap, type Value, valueAt } from "../../../core/resource.ts";

/** A role that members have on a service account. */
export interface Binding {
  readonly role: string;
  readonly members: readonly string[];
  readonly isConditional: boolean;
}

/** A service account that a token can be exchanged for. */
export interface ServiceAccount {
  readonly email: string;
  /** Undefined if they cannot be read. */
  readonly bindings: readonly Binding[] | undefined;
}

/** The role that lets a principal of a pool use a service account (Google Cloud, "Workload Identity Federation"). */
export const workloadIdentityUser = "roles/iam.workloadIdentityUser";

/** Tells whether a text is the e-mail of a service account: `<id>@<project>.iam.gserviceaccount.com` or Google's own. */
export function isEmail(text: string): boolean {
  return /^[a-z0-9][a-z0-9.-]*@[a-z0-9.-]+\.gserviceaccount\.com$/.test(text);
}

/** The short name of a service account: its ID. */
export function accountIdOf(email: string): string {
  return email.split("@")[0] ?? "";
}

/** The bindings of an IAM policy, as `gcloud ... get-iam-policy` prints it; undefined if the value is something else. */
export function readPolicy(policy: Value): readonly Binding[] | undefined {
  if (typeof valueAt(policy, ["etag"]) !== "string") return undefined;
  const list = valueAt(policy, ["bindings"]) ?? [];
  if (!Array.isArray(list)) return undefined;
  const bindings = (list as readonly Value[]).map(readBinding);
  return bindings.every((binding) => binding !== undefined) ? (bindings as Binding[]) : undefined;
}

function readBinding(value: Value): Binding | undefined {
  const [role, members] = [valueAt(value, ["role"]), valueAt(value, ["members"])];
  if (typeof role !== "string" || !Array.isArray(members)) return undefined;
  if (!members.every((member) => typeof member === "string")) return undefined;
  const isConditional = isMap(value) && (value["condition"] ?? null) !== null;
  return { role, members: members as readonly string[], isConditional };
}
