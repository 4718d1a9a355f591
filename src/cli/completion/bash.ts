import { type Completion, type Values, withoutDescription } from "./model.ts";

/** The script for bash 3.2 (the version of macOS) and later. */
export function bashScript({ names, commands }: Completion): string[] {
  return [
    "# bash completion for ccf",
    "_ccf() {",
    '  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words="" files="" word',
    '  # bash splits "--output=json" into three words.',
    "  if [[ $cur == = ]]; then cur=",
    "  elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi",
    "  if (( COMP_CWORD == 1 )); then",
    `    words="${withoutDescription(names)}"`,
    "  else",
    '    case "${COMP_WORDS[1]} $prev" in',
    ...commands.flatMap(({ name, options }) =>
      options
        .filter(({ values }) => values !== undefined)
        .map(({ spellings, values }) => {
          const patterns = spellings.map((spelling) => `"${name} ${spelling}"`).join("|");
          return `      ${patterns}) ${found(values)} ;;`;
        }),
    ),
    '      *) case "${COMP_WORDS[1]}" in',
    ...commands.map(({ name, options, values }) => {
      const all = withoutDescription(
        options.flatMap(({ spellings, text }) => spellings.map((spelling) => [spelling, text])),
      );
      return `        ${name}) if [[ $cur == -* ]]; then words="${all}"; else ${found(values)}; fi ;;`;
    }),
    "      esac ;;",
    "    esac",
    "  fi",
    "  COMPREPLY=()",
    "  [[ -n $files ]] && compopt -o filenames 2> /dev/null",
    '  while IFS= read -r word; do COMPREPLY+=("$word"); done \\',
    '    < <(if [[ -n $files ]]; then compgen "$files" -- "$cur"; else compgen -W "$words" -- "$cur"; fi)',
    "}",
    "complete -F _ccf ccf",
  ];
}

function found(values: Values): string {
  if (values === "file") return "files=-f";
  if (values === "directory") return "files=-d";
  return `words="${values?.join(" ") ?? ""}"`;
}
