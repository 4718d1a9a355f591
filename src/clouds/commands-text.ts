import type { WantedResource } from "../core/wanted-resource.ts";

/** What is said about the commands of a cloud. */
export interface CommandsText {
  /** What the lines are: `commands of the Azure CLI`. */
  readonly form: string;
  /** Where the resources are: `the subscription 2222…`. */
  readonly place: string;
  /** Other facts that a reader needs, one sentence each. */
  readonly notes: readonly string[];
  /** The resources in the order of their creation. */
  readonly wanted: readonly WantedResource[];
  /** What creates a resource, one line each. Commands name the files of the export that they read. */
  command(wanted: WantedResource): readonly string[];
}

/** The file of an export that shows its first creation as commands of the cloud's own tool, or as requests. It is to be read. */
export const commandsFile = "commands.txt";

/** The text of that file: the commands for each resource, below a comment that names the resource. */
export function commandsText({ form, place, notes, wanted, command }: CommandsText): string {
  const intro = [
    `What "ccf apply" creates in ${place}, as ${form}, to read.`,
    'To create it, use "ccf apply": it also compares what exists, and never changes what others own.',
    "Paths begin in the directory of the export. What the cloud assigns is in angle brackets.",
    ...notes,
  ];
  const resources = wanted.map((one) => [titleOf(one), ...command(one)].join("\n"));
  return [intro.map((line) => `# ${line}`).join("\n"), ...resources, ""].join("\n\n").replace(/\n\n$/, "\n");
}

function titleOf({ kind, name, shared }: WantedResource): string {
  return `# ${kind} ${name}${shared ? ", unless it exists" : ""}`;
}
