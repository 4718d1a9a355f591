import type { Completion, OptionWords, Values } from "./model.ts";

/** The script for zsh: save it as `_ccf` in `fpath`, or evaluate it after `compinit`. */
export function zshScript({ names, commands }: Completion): string[] {
  return [
    "#compdef ccf",
    "_ccf() {",
    "  local -a names",
    `  names=(${names.map(([word, meaning]) => quoted(`${word}:${meaning}`)).join(" ")})`,
    "  if (( CURRENT == 2 )); then",
    "    _describe command names",
    "    return",
    "  fi",
    "  shift words",
    "  (( CURRENT-- ))",
    "  case $words[1] in",
    ...commands.map(({ name, options, values }) => {
      const all = [...options.flatMap(optionLines), quoted(`*:argument${action(values)}`)];
      return `    ${name}) _arguments ${all.join(" ")} ;;`;
    }),
    "  esac",
    "}",
    "# If loaded from fpath, this file is the function. If evaluated, register the function.",
    'if [[ $funcstack[1] == _ccf ]]; then _ccf "$@"; else compdef _ccf ccf; fi',
  ];
}

function optionLines({ spellings, text, values }: OptionWords): string[] {
  const meaning = `[${text.replace(/[[\]\\]/g, "\\$&")}]`;
  return spellings.map((spelling) =>
    // The value of a long option is the next word, or follows "=".
    quoted(
      values === undefined
        ? `*${spelling}${meaning}`
        : `*${spelling}${spelling.startsWith("--") ? "=" : "+"}${meaning}:value${action(values)}`,
    ),
  );
}

function action(values: Values): string {
  if (values === "file") return ":_files";
  if (values === "directory") return ":_files -/";
  return values === undefined || values.length === 0 ? ": " : `:(${values.join(" ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
