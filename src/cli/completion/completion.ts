import { functions } from "../../../functions/registry.ts";
import type { Definition } from "../definition.ts";
import { write } from "../terminal/output.ts";
import { bashScript } from "./bash.ts";
import type { shells } from "./definition.ts";
import { fishScript } from "./fish.ts";
import { completionOf } from "./model.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `ccf completion SHELL`: prints the completion script of a shell. */
export function completion(shell: (typeof shells)[number], definitions: readonly Definition[]): number {
  write(1, scripts[shell](completionOf(definitions, functions)));
  return 0;
}
