import { checkFlag, define, messageFlags, outputFlag, previousReleaseFlag } from "../definition.ts";
import { fleetFlags, packagesArgument } from "../fleet/flags.ts";
import { releaseFlags } from "../release/flags.ts";

export const updateRequestsCommand = define({
  name: "update-requests",
  summary: "bring a release's requests into packages, before and after an upgrade",
  description:
    "Replace the requests of the previous release in credentials-requests/ with those of a new release. A request that asks for something that the new release does not allow is kept in a separate file, with an annotation. During the upgrade, the identities then have the permissions of both releases. When the upgrade is finished, --final removes these files. Other requests, such as those of OLM operators, are not changed.",
  usage: [
    "--from DIR [--check] [DIR...]",
    "--release VERSION [--check] [DIR...]",
    "--final [--from DIR] [--check] [DIR...]",
  ],
  arguments: [packagesArgument],
  flags: {
    from: {
      value: "DIR",
      path: "directory",
      text: "the release's requests; subdirectories are searched, too, and the package determines which requests are for it",
    },
    ...releaseFlags,
    "previous-release": previousReleaseFlag,
    final: {
      text: "the upgrade is finished: remove what only the previous release needs; with --from, first check that the package has that release's requests",
    },
    check: checkFlag,
    output: outputFlag("text", "json"),
    ...messageFlags,
    ...fleetFlags,
  },
  exitCodes: {
    0: "written, or up to date",
    2: "--check: a file would change",
    1: "a package failed and is unchanged, for example because no request of the release is for it",
  },
  examples: [
    "ccf extract-release 4.21.5 --output-dir releases/4.21.5",
    "ccf update-requests --from releases/4.21.5 --recursive clusters",
    "ccf update-requests --release 4.21.5 clusters/a",
    "ccf update-requests --final clusters/a clusters/b",
  ],
});
