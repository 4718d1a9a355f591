import { checkFlag, define, messageFlags, outputFlag } from "../definition.ts";
import { fleetFlags } from "../fleet/flags.ts";

export const setCommand = define({
  name: "set",
  summary: "set fields of the configuration, in one package or many",
  description:
    "Set or remove fields of the ClusterIdentity in each package. Nothing else in its file changes, not even a comment. The command checks the result in every package before it writes, and one package with a problem leaves all of them unchanged.",
  usage: ["FIELD=VALUE... [DIR...] [options]", "--unset FIELD [DIR...] [options]", "--values FILE [DIR...] [options]"],
  arguments: [
    {
      name: "WORD",
      text: "fields with their values, then the package directories (default: the current directory)",
      optional: true,
      many: true,
      path: "directory",
    },
  ],
  flags: {
    unset: { value: "FIELD", many: true, text: "remove a field; may be repeated" },
    values: {
      value: "FILE",
      path: "file",
      text: "also set the fields in a YAML file that contains part of a ClusterIdentity; fields of other clouds are skipped",
    },
    replace: {
      value: "FIELD",
      many: true,
      text: "replace spec.accept, instead of adding the given entries to those of the package",
    },
    "only-missing": { text: "set only fields that a package does not have yet" },
    check: checkFlag,
    output: outputFlag("text", "json"),
    ...messageFlags,
    ...fleetFlags,
  },
  sections: {
    "Fields and values": [
      ["spec.platform.aws.tags.team", 'keys separated by "."; a key with a dot in quotes: tags."a.b"'],
      ["metadata.annotations.KEY, metadata.labels.KEY", "the only fields outside spec"],
      ["7200, true, text", "a YAML scalar, in the type of the field; '\"\"' is the empty string"],
      ["'[\"a\", \"b\"]', '{team: platform}'", "a list or a mapping, which replaces the whole value"],
      [
        "{account}",
        "a placeholder, filled in for each package: {name}, {prefix}, {account}, {region}, and those of single clouds; {{ is a brace",
      ],
      ["./a=b", 'a directory with "=" in its name'],
    ],
  },
  exitCodes: {
    0: "all packages have the values",
    1: "failed; nothing was written, or the message names what was",
    2: "with --check: a file would change",
  },
  examples: [
    "ccf set spec.platform.aws.roles.maxSessionDuration=7200 spec.platform.aws.tags.team=platform --recursive clusters",
    "ccf set 'spec.platform.aws.tags.cluster={name}' -l platform=aws --recursive clusters",
    "ccf set --unset spec.platform.aws.tags.team clusters/demo",
    "ccf set --values fleet.yaml --only-missing clusters/demo",
    "ccf set --values fleet.yaml --check --recursive clusters",
  ],
});
