import { define } from "../definition.ts";

/** The shells that have a completion script. */
export const shells = ["bash", "zsh", "fish"] as const;

export const completionCommand = define({
  name: "completion",
  summary: "print a shell completion script",
  description:
    "Print a script that completes the commands, options, choices and paths of ccf in a shell. The script is self-contained: it does not start ccf while you type.",
  arguments: [{ name: "SHELL", text: "the shell", choices: shells }],
  flags: {},
  examples: [
    'eval "$(ccf completion bash)"                                  in ~/.bashrc',
    "ccf completion bash > ~/.local/share/bash-completion/completions/ccf",
    'ccf completion zsh > "${fpath[1]}/_ccf"',
    "ccf completion fish > ~/.config/fish/completions/ccf.fish",
  ],
});
