import { type Finding, finding } from "../core/finding.ts";
import {
  describe,
  type FieldChange,
  type FieldValue,
  isMap,
  type NamedEntry,
  type Resource,
  refOf,
  type Value,
  type ValueMap,
  valueAt,
} from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";

/** An environment variable that an operator shall find, and the request that asks for it. */
export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly asker: Resource;
}

/** What becomes of a Subscription. */
export interface SubscriptionOutput {
  readonly changes: readonly FieldChange[];
  readonly findings: readonly Finding[];
}

/** How Subscriptions are to be set up. */
export interface SubscriptionRules {
  /** `Manual` is set; `Automatic` leaves what stands there. */
  readonly installPlanApproval: "Manual" | "Automatic";
  /** Says whether a variable's value is one that was made for this cluster. */
  isOurs(value: string): boolean;
}

const envPath = ["spec", "config", "env"];
const envField = envPath.join(".");
const approvalField = "spec.installPlanApproval";
const configField = "spec.operators.installPlanApproval";

/**
 * Sets the variables that an operator reads from its Subscription, which hands `spec.config.env` to every container of the
 * operator (Operator Lifecycle Manager, "Subscription config"), and the approval of its install plans: an operator
 * that updates by itself can outrun the permissions of its role. Everything else of it stays.
 */
export function configureSubscription(
  subscription: Resource,
  variables: readonly Variable[],
  rules: SubscriptionRules,
): SubscriptionOutput {
  const value = subscription.value();
  const env = entriesOf(value);
  const findings: Finding[] = [];
  const wanted = new Map<string, NamedEntry>();
  const askers = new Map<string, Resource>();
  for (const { name, value: text, asker } of variables) {
    const other = askers.get(name);
    if (other !== undefined && other !== asker) findings.push(shared(subscription, name, other, asker));
    askers.set(name, asker);
    const problems = entryFindings(subscription, env, name, text);
    findings.push(...problems);
    wanted.set(name, { name, value: text });
  }
  findings.push(...leftovers(subscription, env, wanted, rules));
  if (wanted.size === 0) return { changes: [], findings };
  const approval = approvalFor(subscription, value, rules);
  const missing = [...wanted.values()].filter((one) => !env.some((entry) => isSame(entry, one)));
  const spec: Record<string, FieldValue> = {
    ...(missing.length === 0 ? {} : { config: { env: missing } }),
    ...approval.set,
  };
  const changes = Object.keys(spec).length === 0 ? [] : [{ resource: subscription, path: ["spec"], value: spec }];
  return { changes, findings: [...findings, ...approval.findings] };
}

interface Entry {
  readonly place: number;
  readonly value: ValueMap;
}

function entriesOf(value: Value): Entry[] {
  const env = valueAt(value, envPath);
  if (!Array.isArray(env)) return [];
  return (env as readonly Value[]).flatMap((value, index) => (isMap(value) ? [{ place: index, value: value }] : []));
}

function isSame({ value }: Entry, wanted: NamedEntry): boolean {
  return value["name"] === wanted.name && value["value"] === wanted["value"];
}

function shared(resource: Resource, name: string, one: Resource, other: Resource): Finding {
  const message = `the variable ${quote(name)} is asked for by ${describe(refOf(one))} and ${describe(refOf(other))}; the annotation "credentials.openshift.io/role-arns-vars" of one of them must name the variable in which the operator looks for its role, or be empty where it is told otherwise.`;
  return finding("error", "variable-shared", message, { resource, field: envField });
}

// What somebody left to be filled in: nothing, `$ROLEARN`, `${ROLEARN}` or `<role_arn>`.
const isTemplate = /^(?:|\$\{?\w+\}?|<[\w .-]+>)$/;

function entryFindings(resource: Resource, env: readonly Entry[], name: string, wanted: string): Finding[] {
  const [entry, ...others] = env.filter(({ value }) => value["name"] === name);
  if (entry === undefined) return [];
  const field = `${envField}[${entry.place}]`;
  if (others.length > 0) {
    const message = `the variable ${quote(name)} stands ${others.length + 1} times in "${envField}"; remove all but one.`;
    return [finding("error", "variable-conflict", message, { resource, field: envField })];
  }
  if ((entry.value["valueFrom"] ?? null) !== null) {
    const message = `the variable ${quote(name)} has its value from somewhere else ("${field}.valueFrom"), and it must be ${quoteWhole(wanted)}; remove the entry.`;
    return [finding("error", "variable-conflict", message, { resource, field })];
  }
  const before = entry.value["value"];
  if (typeof before !== "string" || before === wanted || isTemplate.test(before)) return [];
  // What is no ARN may be anybody's secret.
  const was = before.startsWith("arn:") ? `was ${quoteWhole(before)}` : "had another value";
  const message = `the variable ${quote(name)} ${was}, and is replaced by ${quoteWhole(wanted)}, the role of its request.`;
  return [finding("warning", "variable-replaced", message, { resource, field: `${field}.value` })];
}

// Nothing says who wrote a variable, so that none is ever removed.
function leftovers(
  resource: Resource,
  env: readonly Entry[],
  wanted: ReadonlyMap<string, NamedEntry>,
  { isOurs }: SubscriptionRules,
): Finding[] {
  return env.flatMap(({ place, value: { name, value } }) => {
    if (typeof name !== "string" || wanted.has(name) || typeof value !== "string" || !isOurs(value)) return [];
    const message = `the variable ${quote(name)} names ${quoteWhole(value)}, a role of this cluster that no request asks for in this variable any more; remove the entry, or correct the request.`;
    return [finding("warning", "variable-stale", message, { resource, field: `${envField}[${place}]` })];
  });
}

function approvalFor(
  resource: Resource,
  value: Value,
  { installPlanApproval }: SubscriptionRules,
): { set: Record<string, string>; findings: Finding[] } {
  const before = valueAt(value, ["spec", "installPlanApproval"]);
  if (before === "Manual") return { set: {}, findings: [] };
  if (installPlanApproval === "Automatic") {
    const message = `"${approvalField}" is not "Manual", so the operator updates by itself, and a new version may need permissions that its role does not have. Set it to "Manual"; with "${configField}: Manual" in the ClusterIdentity it is set here.`;
    return {
      set: {},
      findings: [finding("warning", "install-plan-automatic", message, { resource, field: approvalField })],
    };
  }
  const set = { installPlanApproval: "Manual" };
  if (before === undefined || before === null) return { set, findings: [] };
  const message = `"${approvalField}" was ${quote(before)}, and is set to "Manual". To leave it as it is, set "${configField}" of the ClusterIdentity to "Automatic".`;
  return { set, findings: [finding("info", "install-plan-manual", message, { resource, field: approvalField })] };
}
