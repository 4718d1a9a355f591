import type { Value } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { didYouMean } from "../../core/words.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeJson } from "../terminal/output.ts";
import { schemas } from "./schemas.ts";

/** `ccf schema [NAME]`: prints a published JSON schema, or lists all. Exit code 0, or 1 if the schema does not exist. */
export function schema(_: object, name?: string): number {
  if (name === undefined) {
    const width = Math.max(...[...schemas.keys()].map(({ length }) => length));
    write(
      1,
      [...schemas].map(([one, { description }]) => `${one.padEnd(width)}  ${firstSentence(description)}`),
    );
    return 0;
  }
  const found = schemas.get(name);
  if (found === undefined)
    throw new UsageError(
      `unknown schema ${quote(name)}${didYouMean(name, [...schemas.keys()])}; "ccf schema" lists all`,
    );
  writeJson(found as unknown as Value);
  return 0;
}

function firstSentence(text: string): string {
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/[.:]$/, "") ?? text;
}
