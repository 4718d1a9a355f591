/*
 * Arguments and flags that several commands have, with one meaning.
 */

/** The package that a command works on. */
export const packageArgument = {
  name: "DIR",
  text: "the package; the current directory where it is left out",
  optional: true,
  path: "directory",
} as const;

/** `-o FORMAT`; the first form is what people read. */
export function outputFlag<const Forms extends readonly [string, ...string[]]>(...choices: Forms) {
  const [fallback] = choices;
  return { short: "o", value: "FORMAT", choices, fallback, text: "form of the output" } as const;
}

/** Of what a command says unasked, only what is wrong. */
export const quietFlag = { short: "q", text: "print only what is wrong and what was asked for" } as const;

/** `--check`: says what a run would do. */
export const checkFlag = { text: "write nothing; exit 2 when something would change" } as const;

/** A package with parts that are not this project's. */
export const onlyOursFlag = { text: "pass over functions of others and packages inside the package" } as const;
