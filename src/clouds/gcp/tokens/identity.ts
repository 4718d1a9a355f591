import { entryOf, isMap, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import type { Truth } from "../../tokens.ts";

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

/** Tells whether a text is the email of a service account: `<id>@<project>.iam.gserviceaccount.com` or Google's own. */
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

/** The subject that a provider reads from a token, or why it is unknown. */
export type MappedSubject = { readonly subject: string } | { readonly problem: string };

/** Maps the claims of a token to `google.subject`. Every mapping must be understood, because one that fails ends the exchange. */
export function mappedSubject({ mapping }: Provider, claims: ValueMap): MappedSubject {
  if (mapping === undefined) return { problem: "the provider's attribute mapping cannot be read" };
  let subject: Value | undefined;
  for (const [attribute, expression] of mapping) {
    const result = evaluateCel(expression, { assertion: claims });
    if ("problem" in result)
      return { problem: `the mapping of ${quoteWhole(attribute)} cannot be evaluated here: ${result.problem}` };
    if (attribute === "google.subject") subject = result.value;
  }
  if (typeof subject !== "string" || subject === "" || !subject.isWellFormed())
    return { problem: "the provider does not map a usable text to google.subject" };
  return { subject };
}

/** The value of an expression, or why it is unknown. */
export type CelResult = { readonly value: Value } | { readonly problem: string };

/** Google accepts at most this many characters in a condition (IAM API v1, attributeCondition). */
const maxLength = 4096;

/*
 * The part of the Common Expression Language ("Language Definition", "Syntax") that providers of clusters use: a field, a text,
 * a list of texts, and one comparison of two of them.
 */
const text = `"[^"\\\\\\r\\n]*"|'[^'\\\\\\r\\n]*'`;
const field = `[A-Za-z_]\\w*(?:\\.[A-Za-z_]\\w*|\\[(?:${text})\\])+`;
const list = `\\[\\s*(?:(?:${text})\\s*(?:,\\s*(?:${text})\\s*)*)?\\]`;
const operand = `${text}|${field}|${list}`;
const fieldOrText = new RegExp(`^\\s*(${text}|${field})\\s*$`);
const comparison = new RegExp(`^\\s*(${operand})\\s*(==|(?<!\\w)in(?!\\w))\\s*(${operand})\\s*$`);
const texts = new RegExp(text, "g");
const names = new RegExp(`[A-Za-z_]\\w*|${text}`, "g");

/**
 * Evaluates an expression: a field of the variables, a text, or `==` or `in` between fields, texts, and lists of texts.
 * Whatever else it contains, a missing field, and values of other types make the result unknown.
 */
export function evaluateCel(expression: string, variables: ValueMap): CelResult {
  if (expression.length > maxLength) return notSupported;
  const [, single] = fieldOrText.exec(expression) ?? [];
  if (single !== undefined) return operandOf(single, variables);
  const [, left = "", operator, right = ""] = comparison.exec(expression) ?? [];
  if (operator === undefined) return notSupported;
  const [one, other] = [operandOf(left, variables), operandOf(right, variables)];
  if ("problem" in one) return one;
  if ("problem" in other) return other;
  if (operator === "==" && typeof one.value === "string" && typeof other.value === "string")
    return { value: one.value === other.value };
  if (operator === "in" && typeof one.value === "string" && isTexts(other.value))
    return { value: other.value.includes(one.value) };
  return { problem: "it compares values of other types than texts" };
}

const notSupported: CelResult = { problem: "it contains something that is not supported here" };

function operandOf(written: string, variables: ValueMap): CelResult {
  if (/^["']/.test(written)) return { value: written.slice(1, -1) };
  if (written.startsWith("[")) return { value: (written.match(texts) ?? []).map((item) => item.slice(1, -1)) };
  const [variable = "", ...path] = written.match(names) ?? [];
  let value = entryOf(variables, variable);
  if (value === undefined) return { problem: `${quote(variable)} is not known here` };
  for (const part of path) {
    const name = part.replace(/^["'](.*)["']$/s, "$1");
    value = isMap(value) ? entryOf(value, name) : undefined;
    if (value === undefined) return { problem: `${quote(name)} is missing` };
  }
  return { value };
}

function isTexts(value: Value): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
