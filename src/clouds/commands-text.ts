import type { WantedResource } from "../core/wanted-resource.ts";

/** What is said about the commands of a cloud. */
export interface CommandsText {
  /** The cloud's own command-line tool: `the Azure CLI`. */
  readonly tool: string;
  /** Where the resources are: `the subscription 2222…`. */
  readonly place: string;
  /** Other facts that a reader needs, one sentence each. */
  readonly notes: readonly string[];
  /** The resources in the order of their creation. */
  readonly wanted: readonly WantedResource[];
  /** The command that creates a resource. It names the files of the export that it reads. */
  command(wanted: WantedResource): string;
}

/** The file of an export that shows its first creation as commands of the cloud's own tool. It is to be read. */
export const commandsFile = "commands.txt";

/** The text of that file: one command for each resource, below a comment that names the resource. */
export function commandsText({ tool, place, notes, wanted, command }: CommandsText): string {
  const intro = [
    `What "ccf apply" creates in ${place}, as commands of ${tool}, to read.`,
    'To create it, use "ccf apply": it also compares what exists, and never changes what others own.',
    "Paths begin in the directory of the export. What the cloud assigns is in angle brackets.",
    ...notes,
  ];
  const resources = wanted.map((one) => [titleOf(one), command(one)].join("\n"));
  return [intro.map((line) => `# ${line}`).join("\n"), ...resources, ""].join("\n\n").replace(/\n\n$/, "\n");
}

function titleOf({ kind, name, shared }: WantedResource): string {
  return `# ${kind} ${name}${shared ? ", unless it exists" : ""}`;
}
