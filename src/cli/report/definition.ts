import {
  define,
  messageFlags,
  outputFlag,
  policyDocumentsFlag,
  previousReleaseFlag,
  roleDefinitionsFlag,
} from "../definition.ts";
import { fleetFlags, packagesArgument } from "../fleet/flags.ts";

export const reportCommand = define({
  name: "report",
  summary: "show the clusters of a fleet in a table, or who can do something in any of them",
  description:
    "Show a row for each rendered package or export: its cluster, issuer, identities, and findings; whether the identities suffice for a release (--credentials-requests); and whether the cloud was in sync (--status). Or list the identities of all packages that can do something. The command reads the files as they are. It renders and changes nothing, and queries no cloud.",
  arguments: [{ ...packagesArgument, text: "rendered packages or exports (default: the current directory)" }],
  flags: {
    "credentials-requests": {
      value: "PATH",
      path: "file",
      text: "a release's requests: also show whether each cluster is ready for it, or what it lacks",
    },
    "previous-release": previousReleaseFlag,
    "role-definitions": roleDefinitionsFlag,
    status: {
      value: "DIR",
      path: "directory",
      text: 'what "ccf status --results DIR" wrote: also show whether the cloud of each cluster was in sync',
    },
    "who-may": {
      value: "ACTION",
      text: 'list the identities that can do this, or that can reach it in one step: an action, in which "*" and "?" are wildcards, an operation of an API, a service, or a part of a name; any action that matches counts',
    },
    on: {
      value: "RESOURCE",
      text: "with --who-may: only on this resource, an ARN, a full name or a resource ID; may contain wildcards",
    },
    reach: { text: "list identities that can reach beyond their cluster" },
    "policy-documents": policyDocumentsFlag,
    time: {
      value: "TIME",
      text: 'evaluate acceptances and results as of this time, such as "2027-01-31T12:00:00Z" (default: now)',
    },
    "label-columns": {
      short: "L",
      value: "KEYS",
      many: true,
      text: 'also show labels of the packages, such as "owner,wave", each in a column; may be repeated',
    },
    ...messageFlags,
    output: outputFlag("text", "wide", "markdown", "json", "csv"),
    ...fleetFlags,
  },
  sections: {
    "With --who-may and --reach": [
      '--who-may answers in one sentence first, except in JSON and CSV. -o json prints one object for each identity, and none for a package without one. If none can, it says what was asked, of how many packages and identities, and their digest; in JSON, as an object with "answers": 0.',
      ["allowed", "an identity has what was asked for"],
      ["step", "it can reach it in one step, such as passing a role to a service or changing a policy"],
      [
        "undecided",
        "its files do not say it, for example because of a permissions boundary whose document --policy-documents does not contain",
      ],
    ],
  },
  exitCodes: {
    0: "shown",
    2: "a cluster lacks something for the release, or it is unknown whether the release has a request",
    1: "a package could not be read, or two describe the same cluster",
  },
  examples: [
    "ccf report --recursive clusters -o wide",
    "ccf report --recursive clusters --credentials-requests releases/4.21",
    "ccf report --recursive clusters -l 'env in (dev,stage)' -L owner,wave",
    "ccf report --recursive clusters --who-may HeadObject --on 'arn:aws:s3:::b/*'",
    "ccf report --recursive clusters --reach -o json | jq -r '.id'",
  ],
});
