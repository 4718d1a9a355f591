import { checkFlag, define, outputFlag, quietFlag, verboseFlag } from "../definition.ts";
import { fleetFlags, fleetSection, packagesArgument } from "../fleet/flags.ts";

export const updateRequestsCommand = define({
  name: "update-requests",
  summary: "bring a release's requests into packages, before and after an upgrade",
  description:
    "Replace the requests of the previous release in credentials-requests/ by those of a release. What the previous release needs and the new one does not allow stays, in a file of its own with an annotation, so that identities have what both need while the cluster upgrades. When the upgrade is finished, --final removes it. Other requests, such as those of OLM operators, are not touched.",
  usage: ["--from DIR [--check] [DIR...]", "--final [--from DIR] [--check] [DIR...]"],
  arguments: [packagesArgument],
  flags: {
    from: {
      value: "DIR",
      path: "directory",
      text: "the release's requests; directories below it count too, and the package decides which requests are for it",
    },
    final: {
      text: "the upgrade is finished: remove what only the previous release needs; with --from, first check that the package has that release's requests",
    },
    check: checkFlag,
    output: outputFlag("text", "json"),
    quiet: quietFlag,
    verbose: verboseFlag,
    ...fleetFlags,
  },
  sections: fleetSection,
  exitCodes: {
    0: "written, or up to date",
    2: "--check: a file would change",
    1: "a package failed and is unchanged, for example because no request of the release is for it",
  },
  examples: [
    "oc adm release extract --credentials-requests --cloud=aws --to=releases/4.21/aws RELEASE_IMAGE",
    "ccf update-requests --from releases/4.21 --recursive clusters",
    "ccf update-requests --final clusters/a clusters/b",
  ],
});
