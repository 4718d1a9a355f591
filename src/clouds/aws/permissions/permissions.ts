import { isMap, type Value, type ValueMap } from "../../../core/resource.ts";
import { type Clause, condition } from "../../../permissions/condition.ts";
import type { Grant, Permissions } from "../../../permissions/permissions.ts";

/**
 * What an IAM policy document says, as sets (IAM User Guide, "Grammar of the IAM JSON policy language"). The order and
 * the form of its lists, and the case of actions, make no difference.
 *
 * What is no set that is known here (`NotAction`, `NotResource`, `NotPrincipal`, a form of its own) is undecided, and says
 * why: whoever compares it must think the worst.
 */
export function policyPermissions(document: Value): Permissions {
  if (!isMap(document)) return [undecided("it is no policy document", {})];
  return listOf(document["Statement"]).flatMap((value) =>
    isMap(value) ? withoutVariables(grant(value)) : undecided("a statement is no mapping", {}),
  );
}

// A policy variable stands for what only AWS knows of the request (IAM User Guide, "IAM policy elements: Variables and
// tags"). What is said of such a resource is compared word by word, action by action.
function withoutVariables(whole: Grant): Grant[] {
  const [open, plain] = [true, false].map((is) =>
    whole.resources.filter((resource) => resource.includes("${") === is),
  ) as [string[], string[]];
  if (whole.undecided !== undefined || open.length === 0) return [whole];
  const single = open.flatMap((resource) =>
    whole.actions.map((action) => ({
      ...whole,
      actions: [action],
      resources: [resource],
      undecided: "it holds a policy variable",
    })),
  );
  return plain.length === 0 ? single : [{ ...whole, resources: plain }, ...single];
}

/** Managed policies, by their ARNs: what they hold, their owner says, and may change. */
export function managedPolicies(arns: readonly string[]): Permissions {
  return arns.map((arn) => ({
    effect: "Allow",
    principals: [""],
    actions: [`managed policy ${arn}`],
    resources: ["*"],
    condition: [],
  }));
}

const known = new Set(["Sid", "Effect", "Principal", "Action", "Resource", "Condition"]);

function grant(statement: ValueMap): Grant {
  const strange = Object.keys(statement).filter((name) => !known.has(name));
  if (strange.length > 0) return undecided(`${strange.sort().join(", ")} cannot be compared`, statement);
  const actions = texts(statement["Action"]);
  // A trust policy is about the role that holds it.
  const isTrust = statement["Resource"] === undefined && statement["Principal"] !== undefined;
  const resources = isTrust ? ["*"] : texts(statement["Resource"]);
  const principals = statement["Principal"] === undefined ? [""] : principalsOf(statement["Principal"]);
  const clauses = clausesOf(statement["Condition"]);
  const effect = statement["Effect"];
  if (effect !== "Allow" && effect !== "Deny") return undecided("its effect is neither Allow nor Deny", statement);
  if (!actions?.length || !resources?.length || !principals?.length || clauses === undefined)
    return undecided("a statement has a form that is not known", statement);
  return { effect, principals, actions, resources, condition: condition(clauses) };
}

// The whole statement stands for itself, so that the same words on both sides are the same.
function undecided(why: string, statement: ValueMap): Grant {
  const effect = statement["Effect"] === "Deny" ? "Deny" : "Allow";
  const words = JSON.stringify(statement, (_, value) => (typeof value === "bigint" ? String(value) : value));
  return { effect, principals: [""], actions: ["*"], resources: ["*"], condition: [], undecided: `${why}: ${words}` };
}

function principalsOf(value: Value | undefined): string[] | undefined {
  if (value === "*") return ["*"];
  if (!isMap(value)) return undefined;
  const all: string[] = [];
  for (const [kind, names] of Object.entries(value)) {
    const list = texts(names);
    if (list === undefined) return undefined;
    all.push(...list.map((name) => (kind === "AWS" && name === "*" ? "*" : `${kind}:${name}`)));
  }
  return all;
}

function clausesOf(value: Value | undefined): Clause[] | undefined {
  if (value === undefined) return [];
  if (!isMap(value)) return undefined;
  const clauses: Clause[] = [];
  for (const [operator, keys] of Object.entries(value)) {
    if (!isMap(keys)) return undefined;
    for (const [key, one] of Object.entries(keys)) {
      const values = listOf(one);
      if (values.some((each) => isMap(each) || Array.isArray(each) || each === null)) return undefined;
      clauses.push({ operator, key, values: values.map(String) });
    }
  }
  return clauses;
}

function texts(value: Value | undefined): string[] | undefined {
  const list = listOf(value);
  return list.every((value) => typeof value === "string") ? (list as string[]) : undefined;
}

function listOf(value: Value | undefined): readonly Value[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Value[]) : [value];
}
