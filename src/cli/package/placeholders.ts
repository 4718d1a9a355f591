import { inspectors } from "../../clouds/inspectors.ts";
import { isMap, type Resource, type Value, valueAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { alternatives, didYouMean } from "../../core/words.ts";

/** The names that every package has. */
const common = ["name", "prefix", "account", "region"] as const;

/** Every placeholder: those of every package, and those of single clouds. */
const known: readonly string[] = [...common, ...inspectors.flatMap(({ home }) => home.names)];

// A brace, or a placeholder. The last form is neither.
const token = /\{\{|\{(?<name>[^{}]*)\}|\{/g;

/** A value that begins with a placeholder would be a mapping without a value in YAML. */
export const beginsWithPlaceholder = /^\s*\{(?:\{|[A-Za-z]+\})/;

/** Whether a text in a value contains a brace, which begins a placeholder or is written twice. */
export function holdsPlaceholder(value: Value): boolean {
  return textsIn(value).some((text) => text.includes("{"));
}

/** What is wrong with the placeholders in a value: the end of a sentence that begins with the field; undefined if nothing is. */
export function placeholderProblem(value: Value): string | undefined {
  for (const text of textsIn(value)) {
    for (const { 0: found, groups } of text.matchAll(token)) {
      if (found === "{{") continue;
      const name = groups?.["name"];
      if (name !== undefined && known.includes(name)) continue;
      const names = `the placeholders are ${alternatives(known.map((one) => `{${one}}`))}, and "{{" is a brace`;
      if (name === undefined) return `contains a brace that does not end; ${names}`;
      return `contains the unknown placeholder ${quote(found)}${didYouMean(name, known)}; ${names}`;
    }
  }
  return undefined;
}

function textsIn(value: Value): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What the placeholders stand for in one package, as far as it says it. */
export type PlaceholderNames = ReadonlyMap<string, string>;

/**
 * What the placeholders stand for in a package.
 *
 * @param value of its ClusterIdentity, valid or not.
 * @param items the objects of the package.
 */
export function placeholderNames(value: Value, items: readonly Resource[]): PlaceholderNames {
  const platform = valueAt(value, ["spec", "platform"]);
  const [cloud, spec] = (isMap(platform) ? Object.entries(platform)[0] : undefined) ?? [];
  const home = inspectors.find(({ name }) => name === cloud)?.home.read(spec ?? null, items);
  const name = valueAt(value, ["metadata", "name"]);
  const all: readonly (readonly [string, Value | undefined])[] = [
    ["name", name],
    ["prefix", valueAt(value, ["spec", "resourcePrefix"]) ?? name],
    ["account", home?.account],
    ["region", home?.region],
    ...Object.entries(home?.names ?? {}),
  ];
  return new Map(all.flatMap(([key, text]) => (typeof text === "string" ? [[key, text] as const] : [])));
}

/**
 * Fills in the placeholders of a value.
 *
 * @param missing is called with each name that the package does not have.
 */
export function filled(value: Value, names: PlaceholderNames, missing: (name: string) => void): Value {
  if (typeof value === "string") {
    return value.replace(token, (found, name: string | undefined) => {
      if (found === "{{") return "{";
      const text = names.get(name ?? "");
      if (text === undefined) missing(name ?? "");
      return text ?? found;
    });
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, names, missing));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, names, missing)]));
}
