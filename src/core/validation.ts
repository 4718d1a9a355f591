import { type Finding, type FindingCode, finding, type Location } from "./finding.ts";
import { type Value, valueAt } from "./resource.ts";
import { quote } from "./text.ts";
import { didYouMean } from "./words.ts";

/** One error of a compiled JSON Schema validator. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly propertyName?: string;
}

/** A JSON Schema that ajv has compiled. */
export interface SchemaValidator<T> {
  (value: unknown): value is T;
  errors?: SchemaError[] | null;
}

/** The codes of findings about the fields of a kind of object. */
export interface FieldCodes {
  readonly unknown: FindingCode;
  readonly missing: FindingCode;
  readonly invalid: FindingCode;
}

/** A schema's rules in words, by location in the schema (`#/definitions/aws`). */
export interface SchemaWords {
  /** What a value must be. */
  readonly musts: Readonly<Record<string, string>>;
  /** The fields that a mapping may have. */
  readonly knownFields: Readonly<Record<string, readonly string[]>>;
}

/**
 * Turns the errors of a validator into findings: one per field, with its value and the rule in words.
 *
 * @param at the path of the value, if it is only a part of an object: `["spec", "platform", "aws"]`
 */
export function schemaFindings(
  errors: readonly SchemaError[],
  value: Value,
  location: Location,
  codes: FieldCodes,
  words: SchemaWords,
  at: readonly string[] = [],
): Finding[] {
  const found = new Map<string, Finding>();
  for (const error of errors) {
    const [field, one] = toFinding(error, value, location, codes, words, at);
    // An invalid name is already reported by its rule; the summary that follows adds nothing.
    if (error.keyword !== "propertyNames" && !found.has(field)) found.set(field, one);
  }
  return [...found.values()];
}

function toFinding(
  error: SchemaError,
  root: Value,
  location: Location,
  codes: FieldCodes,
  words: SchemaWords,
  at: readonly string[],
): [string, Finding] {
  const steps = pointerSteps(error.instancePath);
  const path = [...at, ...steps];
  const { params } = error;
  if (error.keyword === "additionalProperties") {
    const name = String(params["additionalProperty"]);
    const field = fieldPath([...path, name]);
    // "notAction" is not a mistyped "action": following such a hint would reverse the meaning.
    const hint = /^not/i.test(name) ? "" : didYouMean(name, words.knownFields[parentOf(error.schemaPath)] ?? []);
    return [
      field,
      finding("error", codes.unknown, `unknown field ${quoteField(field)}${hint}.`, {
        ...location,
        field,
      }),
    ];
  }
  if (error.keyword === "required") {
    const field = fieldPath([...path, String(params["missingProperty"])]);
    return [field, finding("error", codes.missing, `${quoteField(field)} is required.`, { ...location, field })];
  }
  if (error.propertyName !== undefined) {
    const field = fieldPath([...path, error.propertyName]);
    return [
      field,
      finding("error", codes.invalid, `the name ${quote(error.propertyName)} ${must(error, words)}.`, {
        ...location,
        field,
      }),
    ];
  }
  const field = fieldPath(path);
  const value = valueAt(root, steps);
  return [
    field,
    finding("error", codes.invalid, `${quoteField(field)} is ${quote(value)}, but ${must(error, words, value)}.`, {
      ...location,
      field,
    }),
  ];
}

function must({ keyword, params, schemaPath }: SchemaError, words: SchemaWords, value?: Value): string {
  if (keyword === "enum") {
    const allowed = (params["allowedValues"] as string[]).map(String);
    const hint = typeof value === "string" ? didYouMean(value, allowed) : "";
    return `must be one of ${allowed.map((text) => `"${text}"`).join(", ")}${hint}`;
  }
  if (keyword === "const") return `must be ${quote(params["allowedValue"])}`;
  const rule = words.musts[parentOf(schemaPath)];
  if (rule !== undefined) return rule;
  if (keyword === "type") return `must be ${typeName(params["type"])}`;
  return "must follow the schema";
}

function parentOf(schemaPath: string): string {
  return schemaPath.slice(0, schemaPath.lastIndexOf("/"));
}

function typeName(type: unknown): string {
  const name = Array.isArray(type) ? String(type[0]) : String(type);
  return { array: "a list", object: "a mapping", integer: "an integer", boolean: "true or false" }[name] ?? `a ${name}`;
}

function pointerSteps(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A path as messages name it: `spec.issuer.audiences[0]`. */
export function fieldPath(steps: readonly string[]): string {
  return steps.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
}

function quoteField(field: string): string {
  return field === "" ? "the object" : quote(field);
}
