import { entryOf, isMap, type Value, type ValueMap } from "../../../core/resource.ts";
import { type Clause, condition } from "../../../permissions/condition.ts";
import type { Grant, Permissions } from "../../../permissions/permissions.ts";
import { clauseOf, policyVariable } from "./condition-operators.ts";

/**
 * The contents of an IAM policy document, as sets (IAM User Guide, "Grammar of the IAM JSON policy language"). The order
 * and the form of its lists, and the case of actions, are ignored.
 *
 * A statement that cannot be expressed as known sets (`NotAction`, `NotResource`, `NotPrincipal`, an unknown form) is
 * undecided, with the reason. A comparison must assume the worst for it.
 */
export function policyPermissions(document: Value): Permissions {
  if (!isMap(document)) return [undecided("it is not a policy document", {})];
  return listOf(document["Statement"]).flatMap((value) =>
    isMap(value) ? withoutVariables(grant(value)) : undecided("a statement is not a mapping", {}),
  );
}

/** What the statements of a request allow and deny. One of an unknown form is undecided. */
export function requestedPermissions(statements: readonly Value[]): Permissions {
  return policyPermissions({ Statement: statements.map(asPolicy) });
}

const elements: Readonly<Record<string, string>> = {
  effect: "Effect",
  action: "Action",
  resource: "Resource",
  policyCondition: "Condition",
};

function asPolicy(entry: Value): Value {
  if (!isMap(entry)) return entry;
  const given = Object.entries(entry).filter(([name, one]) => name !== "policyCondition" || one !== null);
  return Object.fromEntries(
    given.map(([name, one]) => [entryOf(elements, name) ?? unknownName(name), one]),
  ) as ValueMap;
}

// An element name of IAM, such as "Effect", is not a field of a request and must not overwrite the value of the real field.
function unknownName(name: string): string {
  return Object.values(elements).includes(name) ? `"${name}"` : name;
}

// A resource with a policy variable is compared verbatim, one action at a time.
function withoutVariables(whole: Grant): Grant[] {
  const [open, plain] = [true, false].map((is) =>
    whole.resources.filter((resource) => resource.includes(policyVariable) === is),
  ) as [string[], string[]];
  if (whole.undecided !== undefined || open.length === 0) return [whole];
  const single = open.flatMap((resource) =>
    whole.actions.map((action) => ({
      ...whole,
      actions: [action],
      resources: [resource],
      undecided: "it contains a policy variable",
    })),
  );
  return plain.length === 0 ? single : [{ ...whole, resources: plain }, ...single];
}

/** Managed policies, by their ARNs. Their owner defines their contents and may change them. */
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
  const unknown = Object.keys(statement).filter((name) => !known.has(name));
  if (unknown.length > 0) return undecided(`${unknown.sort().join(", ")} cannot be compared`, statement);
  const actions = texts(statement["Action"]);
  // A trust policy has no resource: it applies to its own role.
  const isTrust = statement["Resource"] === undefined && statement["Principal"] !== undefined;
  const resources = isTrust ? ["*"] : texts(statement["Resource"]);
  const principals = statement["Principal"] === undefined ? [""] : principalsOf(statement["Principal"]);
  const clauses = clausesOf(statement["Condition"]);
  const effect = statement["Effect"];
  if (effect !== "Allow" && effect !== "Deny") return undecided("its effect is neither Allow nor Deny", statement);
  if (!actions?.length || !resources?.length || !principals?.length || clauses === undefined)
    return undecided("a statement has an unknown form", statement);
  return { effect, principals, actions, resources, condition: condition(clauses) };
}

// The grant contains the whole statement, so that two identical statements are equal.
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
      clauses.push(clauseOf(operator, key, values.map(String)));
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
