import { isMap, type Value, valueAt } from "../../../core/resource.ts";
import type { Truth } from "../../../core/truth.ts";

/** A workload identity pool provider, as `gcloud iam workload-identity-pools providers describe` prints it. */
export interface Provider {
  /** `projects/<number>/locations/global/workloadIdentityPools/<pool>/providers/<provider>` */
  readonly name: string;
  /** The part of the name before `/providers/`. */
  readonly pool: string;
  /** Whether it exists and is enabled. */
  readonly isActive: Truth;
  /** Why it is not active, or why that is unknown: a predicate. */
  readonly whyNot: string;
  /** CEL expressions by attribute; undefined if they have another form. */
  readonly mapping: ReadonlyMap<string, string> | undefined;
  /** A CEL expression, or "" for none; undefined if it has another form. */
  readonly condition: string | undefined;
}

const form = /^(projects\/[1-9]\d*\/locations\/global\/workloadIdentityPools\/[a-z0-9-]+)\/providers\/[a-z0-9-]+$/;

/** Reads a provider; undefined if the value is something else (IAM API v1, WorkloadIdentityPoolProvider). */
export function readProvider(definition: Value | undefined): Provider | undefined {
  const name = valueAt(definition ?? null, ["name"]);
  const pool = typeof name === "string" ? form.exec(name)?.[1] : undefined;
  if (definition === undefined || typeof name !== "string" || pool === undefined) return undefined;
  const condition = valueAt(definition, ["attributeCondition"]) ?? "";
  return {
    name,
    pool,
    ...activity(definition),
    mapping: readMapping(valueAt(definition, ["attributeMapping"])),
    condition: typeof condition === "string" ? condition : undefined,
  };
}

// The API omits `disabled` if it is false.
function activity(definition: Value): Pick<Provider, "isActive" | "whyNot"> {
  const [state, disabled] = [valueAt(definition, ["state"]), valueAt(definition, ["disabled"]) ?? false];
  if (state === "DELETED") return { isActive: false, whyNot: "is deleted" };
  if (disabled === true) return { isActive: false, whyNot: "is disabled" };
  if (state === "ACTIVE" && disabled === false) return { isActive: true, whyNot: "" };
  return { isActive: "unknown", whyNot: "is in an unknown state" };
}

function readMapping(value: Value | undefined): ReadonlyMap<string, string> | undefined {
  if (!isMap(value)) return undefined;
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return entries.length === Object.keys(value).length ? new Map(entries) : undefined;
}
