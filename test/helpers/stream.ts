import { type Item, readItem } from "../../src/krm/item.ts";
import { documents, isProblem, parseSource } from "../../src/yaml/source.ts";

/** The objects of a YAML stream, as a function reads them. */
export function objectsOf(text: string): Item[] {
  const source = parseSource(text);
  if (isProblem(source)) throw new Error(source.reason);
  return documents(source).map((node) => readItem(source, node));
}
