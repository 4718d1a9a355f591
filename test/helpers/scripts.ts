import { awsScripts } from "../../src/generated/aws-scripts.ts";

/*
 * Every package carries the scripts, whose text is the same everywhere. In golden files a line stands for each, so that
 * a change of a script is not a change of all of them; what is compared is the whole.
 */

/** Puts the scripts' texts where a golden file names them. */
export function unfoldScripts(golden: string): string {
  return golden
    .replace(/^( *)\(src\/aws\/scripts\/([\w.-]+)\)$/gm, (_, indent: string, name: string) => block(name, indent))
    .replace(/"\(src\/aws\/scripts\/([\w.-]+)\)"/g, (_, name: string) => JSON.stringify(awsScripts[name]));
}

/** The reverse, for writing golden files. */
export function foldScripts(text: string): string {
  let folded = text;
  for (const name of Object.keys(awsScripts)) {
    for (const indent of ["    ", "      "])
      folded = folded.replace(block(name, indent), () => `${indent}${reference(name)}`);
    folded = folded.replace(JSON.stringify(awsScripts[name]), () => JSON.stringify(reference(name)));
  }
  return folded;
}

function reference(name: string): string {
  return `(src/clouds/aws/scripts/${name})`;
}

function block(name: string, indent: string): string {
  const text = awsScripts[name] ?? "";
  return text.replace(/\n$/, "").replace(/^(?=.)/gm, indent);
}
