/*
 * Arguments and flags that commands share, each with one meaning.
 */

/** The package that a command reads or changes. */
export const packageArgument = {
  name: "DIR",
  text: "the package directory (default: the current directory)",
  optional: true,
  path: "directory",
} as const;

/** `-o FORMAT`; the first format is the default, for people. */
export function outputFlag<const Forms extends readonly [string, ...string[]]>(...choices: Forms) {
  const [fallback] = choices;
  return { short: "o", value: "FORMAT", choices, fallback, text: "output format" } as const;
}

/** Prints no notes or progress, only requested output and problems. */
export const quietFlag = { short: "q", text: "print only problems and requested output" } as const;

/** `--check`: prints what a run would do. */
export const checkFlag = { text: "write nothing; exit with 2 if a file would change" } as const;

/** For a package with parts that this project does not own. */
export const onlyOursFlag = { text: "skip functions of other projects and packages inside the package" } as const;

/** For commands that compare the permissions of roles. */
export const roleDefinitionsFlag = {
  value: "DIR",
  path: "directory",
  text: 'files with the output of "gcloud iam roles describe ROLE --format=json" or "az role definition list --name ROLE --output json"; they replace the definitions of roles that ccf contains',
} as const;
