import { isMap, type Value } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { all, any, not, type Truth } from "../../../core/truth.ts";
import { type Operator, operatorNamed, policyVariable, readOperator } from "../permissions/condition-operators.ts";

/**
 * Looks up a condition key in a request: the values of the key (none if the request does not contain it), or "unknown". The
 * key is passed in lowercase, because IAM ignores the case of keys.
 */
export type RequestContext = (key: string) => readonly string[] | "unknown";

/** One clause of a condition, and whether a request meets it. */
export interface ClauseAnswer {
  readonly answer: Truth;
  readonly operator: string;
  readonly key: string;
  readonly wanted: readonly string[];
  /** The values in the request; "unknown" if they are not known. */
  readonly actual: readonly string[] | "unknown";
  /** Why the answer is unknown. */
  readonly why?: string;
}

/**
 * Decides whether a request meets a policy's `Condition`: all operators, for all of their keys, and one of each key's values
 * (IAM User Guide, "IAM JSON policy elements: Condition", "Conditions with multiple context keys or values"). What AWS does
 * not document, or this program does not know, is "unknown", never true.
 */
export function meetsCondition(
  block: Value | undefined,
  context: RequestContext,
): { answer: Truth; clauses: readonly ClauseAnswer[] } {
  if (block === undefined) return { answer: true, clauses: [] };
  if (!isMap(block)) return { answer: "unknown", clauses: [] };
  const clauses = Object.entries(block).flatMap(([operator, keys]) =>
    isMap(keys)
      ? Object.entries(keys).map(([key, values]) => clauseAnswer(operator, key, values, context))
      : [{ ...unread(operator, ""), why: `the value of ${quote(operator)} is not a mapping` }],
  );
  return { answer: all(clauses.map(({ answer }) => answer)), clauses };
}

function unread(operator: string, key: string): ClauseAnswer {
  return { answer: "unknown", operator, key, wanted: [], actual: "unknown" };
}

function clauseAnswer(operator: string, key: string, values: Value, context: RequestContext): ClauseAnswer {
  const wanted = textsOf(values);
  if (wanted === undefined) return { ...unread(operator, key), why: "its values have an unknown form" };
  const actual = context(key.toLowerCase());
  const base = { operator, key, wanted, actual };
  if (operator === "Null") return { ...base, ...isNull(wanted, actual) };
  const { set, name, ifExists } = readOperator(operator);
  const known = operatorNamed(name);
  if (known === undefined) return { ...base, answer: "unknown", why: `unknown operator ${quote(operator)}` };
  if (actual === "unknown")
    return { ...base, answer: "unknown", why: `the value that AWS uses for the key ${quote(key)} is unknown` };
  if (actual.length === 0) return { ...base, ...missing(known, set, ifExists) };
  // Some operators treat an empty value as no value (IAM User Guide, "Set operators for multivalued keys").
  if (actual.includes("")) return { ...base, answer: "unknown", why: "the token's value is empty" };
  if (set === undefined && actual.length > 1) {
    const why = `the token has more than one value for ${quote(key)}; AWS does not document which one applies without ForAnyValue or ForAllValues`;
    return { ...base, answer: "unknown", why };
  }
  const answers = actual.map((value) => fits(known, value, wanted));
  const answer = set === "ForAnyValue" ? any(answers) : all(answers);
  return answer === "unknown" ? { ...base, answer, why: "its values cannot be compared here" } : { ...base, answer };
}

// Values in a policy are strings; IAM converts numbers and booleans to strings.
function textsOf(values: Value): string[] | undefined {
  const list = Array.isArray(values) ? (values as readonly Value[]) : [values];
  const isPlain = list.every(
    (value) => typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value),
  );
  return list.length > 0 && isPlain ? list.map(String) : undefined;
}

// IAM User Guide, "Condition operator to check existence of condition keys".
function isNull(wanted: readonly string[], actual: readonly string[] | "unknown"): { answer: Truth; why?: string } {
  const [only] = wanted;
  if (actual === "unknown" || wanted.length > 1 || (only !== "true" && only !== "false") || actual.includes(""))
    return { answer: "unknown", why: "it is unknown whether the request contains the key" };
  return { answer: (actual.length === 0) === (only === "true") };
}

// Without the key, a plain operator is false, a negated operator is true, and an operator with IfExists is true.
function missing({ negated }: Operator, set: string | undefined, ifExists: boolean): { answer: Truth; why?: string } {
  if (set === "ForAllValues") return { answer: true };
  if (set === undefined) return { answer: negated || ifExists };
  return ifExists
    ? { answer: "unknown", why: "AWS does not document ForAnyValue with IfExists for a request without the key" }
    : { answer: false };
}

function fits({ compare, negated }: Operator, value: string, wanted: readonly string[]): Truth {
  const answer = any(wanted.map((text) => (text.includes(policyVariable) ? "unknown" : compare(value, text))));
  return negated ? not(answer) : answer;
}
