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

/** An environment variable for an operator, and the request that asks for it. */
export interface RequestedVariable {
  readonly name: string;
  readonly value: string;
  /** What the value names: "the role of its request". */
  readonly meaning: string;
  readonly requestedBy: Resource;
}

/** The changes to a Subscription, and the findings about it. */
export interface SubscriptionOutput {
  readonly changes: readonly FieldChange[];
  readonly findings: readonly Finding[];
}

/** How Subscriptions are to be set up. */
export interface SubscriptionSettings {
  /** `Manual` is written into the Subscription; `Automatic` keeps its present value. */
  readonly installPlanApproval: "Manual" | "Automatic";
  /** The cloud's term for a component identity: "role". */
  readonly identityNoun: string;
  /** The variable that tells an operator its identity: `ROLEARN`. */
  readonly identityVariable: string;
  /** What a variable's value names, if it was generated for this cluster: "a role". */
  ownVariable(value: string): string | undefined;
  /** Tells whether a value is a name in the cloud. Other values may be secret. */
  isName(value: string): boolean;
}

const envPath = ["spec", "config", "env"];
const envField = envPath.join(".");
const approvalField = "spec.installPlanApproval";
const configField = "spec.operators.installPlanApproval";

/**
 * Sets two things in an operator's Subscription: the variables in `spec.config.env`, which every container of the
 * operator gets (Operator Lifecycle Manager, "Subscription config"), and the approval of install plans, because an
 * operator that updates automatically can need permissions that its identity does not have yet. Everything else stays
 * unchanged.
 */
export function configureSubscription(
  subscription: Resource,
  variables: readonly RequestedVariable[],
  settings: SubscriptionSettings,
): SubscriptionOutput {
  const value = subscription.value();
  const env = entriesOf(value);
  const findings: Finding[] = [];
  const wanted = new Map<string, NamedEntry>();
  const first = new Map<string, RequestedVariable>();
  for (const variable of variables) {
    const { name, value: text } = variable;
    const other = first.get(name);
    // Several requests may need the same value, such as the audience of the cluster.
    if (other?.value === text) continue;
    if (other !== undefined) findings.push(shared(subscription, other, variable, settings));
    first.set(name, variable);
    findings.push(...entryFindings(subscription, env, variable, settings));
    wanted.set(name, { name, value: text });
  }
  findings.push(...staleVariables(subscription, env, wanted, settings));
  if (variables.length === 0) findings.push(...withoutRequest(subscription, env, settings));
  if (wanted.size === 0) return { changes: [], findings };
  const approval = approvalFor(subscription, value, settings);
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

function shared(
  resource: Resource,
  one: RequestedVariable,
  other: RequestedVariable,
  { identityNoun: noun }: SubscriptionSettings,
): Finding {
  const both = `${describe(refOf(one.requestedBy))} and ${describe(refOf(other.requestedBy))}`;
  const message = `${both} both use the variable ${quote(one.name)}. In one of them, set the annotation "credentials.openshift.io/role-arns-vars" to the variable from which the operator reads that ${noun}, or to an empty value if the operator gets the ${noun} in another way.`;
  return finding("error", "variable-shared", message, { resource, field: envField });
}

// A placeholder: nothing, `$ROLEARN`, `${ROLEARN}` or `<role_arn>`.
const isPlaceholder = /^(?:|\$\{?\w+\}?|<[\w .-]+>)$/;

function entryFindings(
  resource: Resource,
  env: readonly Entry[],
  { name, value: wanted, meaning }: RequestedVariable,
  { isName }: SubscriptionSettings,
): Finding[] {
  const [entry, ...others] = env.filter(({ value }) => value["name"] === name);
  if (entry === undefined) return [];
  const field = `${envField}[${entry.place}]`;
  if (others.length > 0) {
    const message = `the variable ${quote(name)} appears ${others.length + 1} times in "${envField}". Remove all but one.`;
    return [finding("error", "variable-conflict", message, { resource, field: envField })];
  }
  if ((entry.value["valueFrom"] ?? null) !== null) {
    const message = `the variable ${quote(name)} must be ${quoteWhole(wanted)}, but takes its value from "${field}.valueFrom". Remove the entry.`;
    return [finding("error", "variable-conflict", message, { resource, field })];
  }
  const before = entry.value["value"];
  if (typeof before !== "string" || before === wanted || isPlaceholder.test(before)) return [];
  const was = isName(before) ? `was ${quoteWhole(before)}` : "had another value";
  const message = `the variable ${quote(name)} ${was}; it is now ${quoteWhole(wanted)}, ${meaning}.`;
  return [finding("warning", "variable-replaced", message, { resource, field: `${field}.value` })];
}

// A Subscription does not record who wrote a variable, so none is ever removed.
function staleVariables(
  resource: Resource,
  env: readonly Entry[],
  wanted: ReadonlyMap<string, NamedEntry>,
  { ownVariable }: SubscriptionSettings,
): Finding[] {
  return env.flatMap(({ place, value: { name, value } }) => {
    if (typeof name !== "string" || wanted.has(name) || typeof value !== "string") return [];
    const what = ownVariable(value);
    if (what === undefined) return [];
    const message = `the variable ${quote(name)} names ${quoteWhole(value)}, ${what} of this cluster, but no request uses this variable. Remove the entry, or correct the request.`;
    return [finding("warning", "variable-stale", message, { resource, field: `${envField}[${place}]` })];
  });
}

// Without a request, the package cannot contain what the variable names. A value of this cluster is reported as stale.
function withoutRequest(
  resource: Resource,
  env: readonly Entry[],
  { identityVariable, identityNoun, ownVariable, isName }: SubscriptionSettings,
): Finding[] {
  const entry = env.find(({ value }) => value["name"] === identityVariable);
  const value = entry?.value["value"];
  if (entry === undefined || typeof value !== "string" || ownVariable(value) !== undefined) return [];
  const field = `${envField}[${entry.place}].value`;
  const add = `Add the operator's CredentialsRequest, and if its Secret is in another namespace, set its annotation "fn.cloudcredential.dev/subscription"`;
  const none = "no CredentialsRequest in the package belongs to this Subscription";
  if (isPlaceholder.test(value)) {
    const message = `the variable ${quote(identityVariable)} is ${quote(value)}, a placeholder that was not filled in, and ${none}. ${add}: the render then fills in the ${identityNoun}. Otherwise, fill it in.`;
    return [finding("warning", "variable-without-request", message, { resource, field })];
  }
  const is = isName(value) ? `names ${quoteWhole(value)}` : "has a value";
  const message = `the variable ${quote(identityVariable)} ${is}, but ${none}, so the package neither creates nor checks the ${identityNoun}. If something else manages it, no action is needed. ${add}.`;
  return [finding("info", "variable-without-request", message, { resource, field })];
}

function approvalFor(
  resource: Resource,
  value: Value,
  { installPlanApproval, identityNoun }: SubscriptionSettings,
): { set: Record<string, string>; findings: Finding[] } {
  const before = valueAt(value, ["spec", "installPlanApproval"]);
  if (before === "Manual") return { set: {}, findings: [] };
  if (installPlanApproval === "Automatic") {
    const message = `"${approvalField}" is not "Manual", so the operator updates automatically, and a new version may need permissions that its ${identityNoun} lacks. Set it to "Manual", or set "${configField}" of the ClusterIdentity to "Manual" to have every render set it.`;
    return {
      set: {},
      findings: [finding("warning", "install-plan-automatic", message, { resource, field: approvalField })],
    };
  }
  const set = { installPlanApproval: "Manual" };
  if (before === undefined || before === null) return { set, findings: [] };
  const message = `"${approvalField}" was ${quote(before)} and is now "Manual". To keep the value of the Subscription, set "${configField}" of the ClusterIdentity to "Automatic".`;
  return { set, findings: [finding("info", "install-plan-manual", message, { resource, field: approvalField })] };
}
