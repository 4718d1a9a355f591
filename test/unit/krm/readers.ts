import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { isSeq, isMap as isYamlMap, LineCounter, parseDocument } from "yaml";

/*
 * What other readers see in a text. The code that is tested reads with js-yaml's events; these read with js-yaml's
 * values and with the `yaml` package, which shares no code with it.
 */

const schema = CORE_SCHEMA.withTags(mergeTag);

/** A value as js-yaml sees it. */
export function byJsYaml(text: string): unknown {
  return load(text, { schema, maxAliases: -1 });
}

/** A value as the `yaml` package sees it, integers with every digit. */
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

/** What all readers see: the values of a text, reader by reader. */
export function readings(text: string): unknown[] {
  return [byJsYaml(text), byYaml(text), byYaml(text, "1.1")];
}

/** The items of a list, reader by reader. */
export function itemsOf(text: string): unknown[][] {
  return readings(text).map((list) => (list as { items?: unknown[] | null }).items ?? []);
}

/** The text of each item, as the `yaml` package says where it starts; empty lines and comments after it left out. */
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

/** Says whether an item, as a reader sees it, is one that the fake functions own. */
export function isOwn(item: unknown): boolean {
  const metadata = (item as { metadata?: { annotations?: Record<string, unknown> } } | null)?.metadata;
  return metadata?.annotations?.["fn.cloudcredential.dev/generated-by"] === "fake/x";
}
