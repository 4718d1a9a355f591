import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./programs.ts";
import { temporary } from "./temporary.ts";

/** An object as kubectl prints it. */
export interface Shown {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What kubectl reads of each text, with its reader of files and without a cluster. One process reads all texts. */
export function shownByKubectl(texts: readonly (string | Uint8Array)[]): Shown[][] {
  const directory = temporary();
  for (const [index, text] of texts.entries()) {
    const name = String(index).padStart(6, "0");
    writeFileSync(join(directory, `${name}.yaml`), text);
    // kubectl reads files in the order of their names, and goes on after one that it cannot read.
    writeFileSync(
      join(directory, `${name}_end.yaml`),
      JSON.stringify({ apiVersion: "v1", kind: endKind, metadata: { name } }),
    );
  }
  const { stdout } = run("kubectl", ["patch", "--local", "--type", "merge", "-p", "{}", "-o", "json", "-f", directory]);
  const shown: Shown[][] = [[]];
  for (const object of stdout.split(/(?<=^\})\n/m).filter((one) => one.trim() !== "")) {
    const value = JSON.parse(object) as Shown;
    if (value.kind === endKind) shown.push([]);
    else shown.at(-1)?.push(value);
  }
  if (shown.length !== texts.length + 1) throw new Error(`kubectl read ${shown.length - 1} of ${texts.length} texts`);
  return shown.slice(0, -1);
}

const endKind = "EndOfFile";
