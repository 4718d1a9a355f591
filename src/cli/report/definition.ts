import {
  define,
  messageFlags,
  outputFlag,
  policyDocumentsFlag,
  previousReleaseFlag,
  roleDefinitionsFlag,
} from "../definition.ts";
import { comparedSection, fleetFlags, packagesArgument } from "../fleet/flags.ts";

export const reportCommand = define({
  name: "report",
  summary: "show the clusters of a fleet in a table, or who can do something in any of them",
  description:
    "Show a row for each rendered package or export: its cluster, its issuer, its identities and its findings. With a release's requests, show whether the rendered identities suffice for it. With results of ccf status, show whether the cloud of each cluster was in sync with the package. Or list the identities of all packages that can do something. The command reads the files as they are. It renders and changes nothing, and queries no cloud.",
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
      text: 'files that "ccf status --results" wrote: also show whether the cloud of each cluster was in sync',
    },
    "who-may": {
      value: "ACTION",
      text: 'list the identities that can do this, or that can reach it in one step: an action, in which "*" and "?" are wildcards, an operation of an API, a service, or a part of a name; any action that matches counts',
    },
    on: {
      value: "RESOURCE",
      text: "with --who-may: only on this resource, an ARN, a full name or a resource ID; may contain wildcards",
    },
    reach: { text: "list the identities whose permissions reach beyond their own cluster" },
    "policy-documents": policyDocumentsFlag,
    time: {
      value: "TIME",
      text: 'the time at which acceptances and results of ccf status are evaluated, such as "2027-01-31T12:00:00Z" (default: now)',
    },
    "label-columns": {
      short: "L",
      value: "KEYS",
      many: true,
      text: 'also show labels of the packages, such as "owner,wave", each in a column; may be repeated',
    },
    ...messageFlags,
    output: outputFlag("text", "markdown", "json", "csv"),
    ...fleetFlags,
  },
  sections: {
    ...comparedSection,
    "With --who-may and --reach": [
      "--who-may answers in one sentence first, except in JSON and CSV;",
      "-o json prints one JSON object for each identity, and none for a package without one;",
      "if none can, the answer says what was asked, of how many packages and identities, and their",
      'digest; in JSON, it is one object with "answers": 0;',
      'the answer is "allowed" if an identity has what was asked for, and "step" if it can reach it in one step, such as',
      "passing a role to a service or changing a policy;",
      'an identity is "undecided" if its files do not say it, for example because of a permissions boundary whose',
      "document --policy-documents does not contain",
    ],
  },
  exitCodes: {
    0: "shown",
    2: "a cluster lacks something for the release, or it is unknown whether the release has a request",
    1: "a package could not be read, or two describe the same cluster",
  },
  examples: [
    "ccf report --recursive clusters",
    "ccf report --recursive clusters --credentials-requests releases/4.21 -o markdown",
    "ccf report --recursive clusters --status results",
    "ccf report --recursive clusters -l 'env in (dev,stage)' -L owner,wave",
    "ccf report --recursive clusters -o csv > clusters.csv",
    "ccf report --recursive clusters --who-may 's3:Delete*' --on 'arn:aws:s3:::backups/*'",
    "ccf report --recursive clusters --who-may HeadObject",
    "ccf report --recursive clusters --reach -o json | jq -r '.id'",
  ],
});
