import type { FlagsOf } from "../definition.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeDocument, writeJson } from "../terminal/output.ts";
import type { explainCommand as definition } from "./definition.ts";
import { explainJson, explainMarkdown, explainText } from "./explain-output.ts";
import { readExplained } from "./read-explained.ts";
import { writePage } from "./write-page.ts";

type Values = FlagsOf<typeof definition>;

/** `ccf explain [DIR]`: exits 0 if the identities are shown, 1 if there are none that can be. */
export function explain(values: Values, directory = "."): number {
  const { output } = values;
  if (output === "html" || output === "svg" || output === "mermaid") {
    writeDocument(writePage([directory], { ...values, output }));
    return 0;
  }
  refusePageFlags(values);
  const { explained } = readExplained(directory);
  if (output === "json") writeJson(explainJson(explained));
  else write(1, output === "text" ? explainText(explained) : explainMarkdown(explained));
  return 0;
}

function refusePageFlags({ output, ...values }: Values): void {
  for (const flag of ["against", "commit", "time"] as const) {
    if (values[flag] !== undefined)
      throw new UsageError(`--${flag} has no effect with "-o ${output}"; use "-o html", or omit it`);
  }
}
