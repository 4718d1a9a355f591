import { define } from "../definition.ts";

/** The shells that can be told how to complete a command line of ccf. */
export const shells = ["bash", "zsh", "fish"] as const;

export const completionCommand = define({
  name: "completion",
  summary: "print a script that completes commands, options, choices and paths in a shell",
  description:
    "Print a script with which a shell completes command lines of ccf: commands, options, their choices, and paths. It is complete in itself: no ccf starts while you type.",
  arguments: [{ name: "SHELL", text: "the shell", choices: shells }],
  flags: {},
  examples: [
    'eval "$(ccf completion bash)"                                  in ~/.bashrc',
    "ccf completion bash > ~/.local/share/bash-completion/completions/ccf",
    'ccf completion zsh > "${fpath[1]}/_ccf"',
    "ccf completion fish > ~/.config/fish/completions/ccf.fish",
  ],
});
