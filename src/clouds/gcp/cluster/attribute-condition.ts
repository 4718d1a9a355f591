import { quote, quoteWhole } from "../../../core/text.ts";
import { CelError, type CelExpression, parseCel } from "./cel.ts";
import { type CelValue, evaluate, type Fields, unknown } from "./evaluate-cel.ts";

/*
 * The attribute condition of a provider. The package maps one attribute: google.subject is the subject of the token.
 */

/** Says what is wrong with a condition, as a predicate; undefined if Google can evaluate it. */
export function conditionProblem(condition: string): string | undefined {
  const parsed = parsedCondition(condition);
  if (parsed instanceof CelError) return `is not an expression in CEL: ${parsed.message} (character ${parsed.at + 1})`;
  const [strange] = strangeNames(parsed, new Set());
  return strange === undefined
    ? undefined
    : `names ${quote(strange)}, but a condition knows only "assertion", with the claims of the token, and "google.subject": the provider maps no other attribute`;
}

/** Whether a token of a service account may meet a condition; false if it certainly does not. The condition has no problem. */
export function mayMeet(condition: string, subject: string, issuer: string): boolean {
  const parsed = parsedCondition(condition);
  if (parsed instanceof CelError) return false;
  const value = evaluate(parsed, variablesOf(subject, issuer));
  return value === true || value === unknown;
}

function parsedCondition(condition: string): CelExpression | CelError {
  try {
    return parseCel(condition);
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
}

/** The claims of the token of a service account (Kubernetes documentation, "Managing Service Accounts", bound tokens). */
function variablesOf(subject: string, issuer: string): ReadonlyMap<string, CelValue> {
  const [, , namespace = "", name = ""] = subject.split(":");
  const kubernetes = open({ namespace, serviceaccount: open({ name }) });
  const others: Readonly<Record<string, CelValue>> = {
    aud: unknown,
    exp: unknown,
    iat: unknown,
    jti: unknown,
    nbf: unknown,
  };
  return new Map<string, CelValue>([
    ["assertion", closed({ ...others, iss: issuer, sub: subject, "kubernetes.io": kubernetes })],
    ["google", closed({ subject })],
  ]);
}

function closed(fields: Readonly<Record<string, CelValue>>): Fields {
  return { fields: new Map(Object.entries(fields)), isOpen: false };
}

function open(fields: Readonly<Record<string, CelValue>>): Fields {
  return { ...closed(fields), isOpen: true };
}

/** Functions whose first argument names a variable for the second ("Macros"). */
const macros = new Set(["all", "exists", "exists_one", "map", "filter"]);

// What is called as a function, or has a function, may be one that this code does not know.
function strangeNames(one: CelExpression, bound: ReadonlySet<string>): string[] {
  if (one.is === "value") return [];
  if (one.is === "name") return isKnown(one.name, bound) ? [] : [one.name];
  if (one.is === "field" || one.is === "index") {
    const attribute = strangeAttribute(one, bound);
    if (attribute !== undefined) return [attribute];
  }
  return partsOf(one).flatMap((part) => strangeNames(part, boundIn(one, bound)));
}

function isKnown(name: string, bound: ReadonlySet<string>): boolean {
  return name === "assertion" || name === "google" || bound.has(name) || types.has(name);
}

// A field of "attribute", or another one of "google", which the provider does not map.
function strangeAttribute(one: CelExpression & { readonly is: "field" | "index" }, bound: ReadonlySet<string>) {
  if (one.of.is !== "name" || bound.has(one.of.name)) return undefined;
  const key = one.is === "field" ? one.name : one.key.is === "value" ? String(one.key.value) : undefined;
  const isMapped = one.of.name === "google" && (key === "subject" || key === undefined);
  return isMapped || (one.of.name !== "attribute" && one.of.name !== "google")
    ? undefined
    : `${one.of.name}.${key ?? "*"}`;
}

function partsOf(one: CelExpression): readonly CelExpression[] {
  switch (one.is) {
    case "field":
      return [one.of];
    case "index":
      return [one.of, one.key];
    case "list":
      return one.items;
    case "other":
      return one.parts;
    case "call":
      return one.on === undefined || isNamespace(one.on, one.name) ? one.args : [one.on, ...one.args];
    default:
      return [];
  }
}

// "math" in "math.greatest(1, 2)".
function isNamespace(on: CelExpression, method: string): boolean {
  return on.is === "name" && !methods.has(method) && !macros.has(method);
}

const methods = new Set(["contains", "endsWith", "extract", "join", "matches", "size", "split", "startsWith"]);

function boundIn(one: CelExpression, bound: ReadonlySet<string>): ReadonlySet<string> {
  const [variable] = one.is === "call" && macros.has(one.name) ? one.args : [];
  return variable?.is === "name" ? new Set([...bound, variable.name]) : bound;
}

const types = new Set(["bool", "bytes", "double", "dyn", "int", "list", "map", "null_type", "string", "type", "uint"]);

/** The message about an identity whose tokens do not meet the condition. */
export function excludedMessage(condition: string, subjects: readonly string[]): string {
  return `no token of ${subjects.map(quoteWhole).join(", ")} meets the attribute condition ${quoteWhole(condition)}`;
}
