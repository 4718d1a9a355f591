import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { isSeq, isMap as isYamlMap, LineCounter, parseDocument } from "yaml";

/*
 * How other readers read a text. The tested code uses the events of js-yaml. These readers use the values of js-yaml,
 * and the `yaml` package, which shares no code with it.
 */

const schema = CORE_SCHEMA.withTags(mergeTag);

/** A value according to js-yaml. */
export function byJsYaml(text: string): unknown {
  return load(text, { schema, maxAliases: -1 });
}

/** A value according to the `yaml` package, with every digit of integers. */
export function byYaml(text: string, version: "1.1" | "1.2" = "1.2"): unknown {
  const document = parseDocument(text, {
    version,
    merge: true,
    intAsBigInt: true,
    uniqueKeys: false,
    logLevel: "error",
  });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  return document.toJS({ maxAliasCount: -1 });
}

/** The values of a text according to each reader. */
export function readings(text: string): unknown[] {
  return [byJsYaml(text), byYaml(text), byYaml(text, "1.1")];
}

/** The items of a list according to each reader. */
export function itemsOf(text: string): unknown[][] {
  return readings(text).map((list) => (list as { items?: unknown[] | null }).items ?? []);
}

/** The text of each item from where the `yaml` package says it starts, without empty lines and comments after it. */
export function itemTexts(text: string): string[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, keepSourceTokens: true, uniqueKeys: false, logLevel: "error" });
  const items = isYamlMap(document.contents) ? document.contents.get("items", true) : undefined;
  if (!isSeq(items)) return [];
  return items.items.map((item) => {
    const range = (item as { range?: [number, number, number] }).range;
    return range === undefined ? "" : text.slice(range[0], range[1]).replace(/(?:\s|(?<=\n)[ \t]*#[^\n]*)+$/, "");
  });
}

/** Whether the fake functions own an item, according to a reader. */
export function isOwn(item: unknown): boolean {
  const metadata = (item as { metadata?: { annotations?: Record<string, unknown> } } | null)?.metadata;
  return metadata?.annotations?.["fn.cloudcredential.dev/generated-by"] === "fake/x";
}
