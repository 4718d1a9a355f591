import { featureSets } from "../../generated/schema-facts.ts";
import { define, messageFlags, outputFlag, previousReleaseFlag, roleDefinitionsFlag } from "../definition.ts";

const cluster = {
  group: "Which cluster (default: a side's own ClusterIdentity, or the other side's):",
} as const;

export const diffCommand = define({
  name: "diff",
  summary: "show how permissions change, for example with a new release",
  description:
    "As a command: show, before an upgrade or in a review, how the permissions of each component change, and who can use its identity. A side is a directory or a file of CredentialsRequests for any cloud, a rendered package, or an export. Permissions are compared as sets: order, wildcards and the layout of statements make no difference. An undecided change counts as broadened, with the reason.",
  arguments: [
    { name: "OLD", text: "what is allowed now", path: "file" },
    { name: "NEW", text: "what would be allowed", path: "file" },
  ],
  flags: {
    recursive: {
      text: "compare all packages in the directories OLD and NEW, such as two checkouts; packages are paired by path",
    },
    ...messageFlags,
    output: outputFlag("text", "markdown", "json"),
    "role-definitions": roleDefinitionsFlag,
    identity: { value: "FILE", path: "file", text: "the ClusterIdentity", ...cluster },
    "feature-set": {
      value: "NAME",
      choices: featureSets,
      text: "the cluster's feature set",
      ...cluster,
    },
    "feature-gates": {
      value: "LIST",
      text: 'feature gates, separated by commas, with "-" before the name of a disabled one',
      ...cluster,
    },
    "feature-gate-manifests": {
      value: "PATH",
      path: "file",
      text: "the new release's FeatureGate manifests: a file or a directory",
      ...cluster,
    },
    "previous-release": { ...previousReleaseFlag, ...cluster },
    capabilities: { value: "LIST", text: "enabled capabilities, separated by commas (default: all)", ...cluster },
    profile: { value: "NAME", text: "cluster profile", ...cluster },
  },
  sections: {
    "With --recursive": [
      "a change that several clusters have is printed once, with their packages; {account}, {name}, and similar words",
      "in it are what each of them has there; packages that only one side has are named;",
      "-o json prints one JSON object for each package, on one line; the exit code is the worst of all packages",
    ],
  },
  exitCodes: {
    0: "nothing broadened",
    2: "something broadened, or nothing states whether a release has a request",
    1: "a side could not be compared, or the command failed",
  },
  examples: [
    "ccf diff releases/4.19.7 releases/4.20.3",
    "ccf diff clusters/demo releases/4.20.3",
    "git worktree add ../main main && ccf diff ../main/clusters/demo clusters/demo -o markdown",
    "git worktree add ../main main && ccf diff ../main/clusters clusters --recursive -o markdown",
  ],
});
