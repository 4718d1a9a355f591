import { define, outputFlag } from "../definition.ts";

export const explainFindingCommand = define({
  name: "explain-finding",
  summary: "explain a finding: its cause and its fix",
  description:
    "Print the cause and the fix of a finding, by the code at the end of its line, such as [client-id-unknown]. The command explains the findings of all commands and functions, and the rules of ccf validate. It reads no files and needs no network.",
  arguments: [
    {
      name: "CODE",
      text: "the code of a finding, with or without brackets",
      completed: async () => (await import("../all-findings.ts")).codes,
    },
  ],
  flags: { output: outputFlag("text", "json") },
  examples: ["ccf explain-finding client-id-unknown", "ccf explain-finding privilege-escalation -o json"],
});
