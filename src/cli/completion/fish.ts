import type { Completion, OptionWords, Values } from "./model.ts";

/** The script for fish. */
export function fishScript({ names, commands }: Completion): string[] {
  const first = "-n 'test (count (commandline -opc)) -eq 1'";
  return [
    "# fish completion for ccf",
    "complete -c ccf -f",
    ...names.map(([word, meaning]) => `complete -c ccf ${first} -a ${word} -d ${quoted(meaning)}`),
    ...commands.flatMap(({ name, options, values }) => {
      const line = `complete -c ccf -n 'contains -- ${name} (commandline -opc)[2]'`;
      return [
        ...options.map((optionWords) => `${line} ${option(optionWords)}`),
        ...(values?.length === 0 ? [] : [`${line} ${action(values)}`]),
      ];
    }),
  ];
}

function option({ long, short, text, values }: OptionWords): string {
  const value =
    values === undefined ? [] : values.length === 0 ? ["-x"] : [values === "file" ? "-r" : "-x", action(values)];
  return [`-l ${long}`, ...(short === undefined ? [] : [`-s ${short}`]), ...value, `-d ${quoted(text)}`].join(" ");
}

function action(values: Values): string {
  if (values === "file") return "-F";
  if (values === "directory") return "-a '(__fish_complete_directories)'";
  return `-a ${quoted(values?.join(" ") ?? "")}`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
