import { isMap, type Value } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { all, any, not, type Truth } from "../../../core/truth.ts";
import { type Operator, operatorNamed } from "./iam-operators.ts";

/**
 * What a request says to the keys of conditions: the values of a key (none where the request has no such key), or
 * "unknown". It is asked in lower case: IAM tells keys apart without regard to case.
 */
export type RequestContext = (key: string) => readonly string[] | "unknown";

/** One line of a condition, and whether a request meets it. */
export interface ClauseAnswer {
  readonly answer: Truth;
  readonly operator: string;
  readonly key: string;
  readonly wanted: readonly string[];
  /** What the request has; "unknown" where that cannot be told. */
  readonly actual: readonly string[] | "unknown";
  /** Why it cannot be told. */
  readonly why?: string;
}

/**
 * Says whether a request meets a policy's `Condition`: all operators, for all of their keys, and one of each key's values
 * (IAM User Guide, "IAM JSON policy elements: Condition", "Conditions with multiple context keys or values"). What is not
 * documented, or not known here, is "unknown", and never true.
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
      : [{ ...unread(operator, ""), why: `what stands below ${quote(operator)} is no mapping` }],
  );
  return { answer: all(clauses.map(({ answer }) => answer)), clauses };
}

function unread(operator: string, key: string): ClauseAnswer {
  return { answer: "unknown", operator, key, wanted: [], actual: "unknown" };
}

const form = /^(?:(ForAnyValue|ForAllValues):)?(\w+?)(IfExists)?$/;

function clauseAnswer(operator: string, key: string, values: Value, context: RequestContext): ClauseAnswer {
  const wanted = textsOf(values);
  if (wanted === undefined) return { ...unread(operator, key), why: "its values have a form that is not known" };
  const actual = context(key.toLowerCase());
  const base = { operator, key, wanted, actual };
  if (operator === "Null") return { ...base, ...isNull(wanted, actual) };
  const [, set, name = "", ifExists] = form.exec(operator) ?? [];
  const known = operatorNamed(name);
  if (known === undefined)
    return { ...base, answer: "unknown", why: `the operator ${quote(operator)} is not known here` };
  if (actual === "unknown")
    return { ...base, answer: "unknown", why: `what AWS has for the key ${quote(key)} is not known here` };
  if (actual.length === 0) return { ...base, ...missing(known, set, ifExists !== undefined) };
  // An empty value counts as no value to some operators (IAM User Guide, "Set operators for multivalued keys").
  if (actual.includes("")) return { ...base, answer: "unknown", why: "the token's value is empty" };
  if (set === undefined && actual.length > 1) {
    const why = `the token has several values for ${quote(key)}, and without ForAnyValue or ForAllValues it is not documented which counts`;
    return { ...base, answer: "unknown", why };
  }
  const answers = actual.map((value) => fits(known, value, wanted));
  const answer = set === "ForAnyValue" ? any(answers) : all(answers);
  return answer === "unknown" ? { ...base, answer, why: "its values cannot be compared here" } : { ...base, answer };
}

// Values of a policy are texts; IAM takes numbers and booleans for theirs.
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
    return { answer: "unknown", why: "it cannot be told whether the key is in the request" };
  return { answer: (actual.length === 0) === (only === "true") };
}

// Without the key a plain operator is false, a negated one true, and IfExists true.
function missing({ negated }: Operator, set: string | undefined, ifExists: boolean): { answer: Truth; why?: string } {
  if (set === "ForAllValues") return { answer: true };
  if (set === undefined) return { answer: negated || ifExists };
  return ifExists
    ? { answer: "unknown", why: "for ForAnyValue with IfExists it is not documented what counts without the key" }
    : { answer: false };
}

function fits({ compare, negated }: Operator, value: string, wanted: readonly string[]): Truth {
  // Policy variables stand for what only AWS knows of the request.
  const answer = any(wanted.map((text) => (text.includes("${") ? "unknown" : compare(value, text))));
  return negated ? not(answer) : answer;
}
