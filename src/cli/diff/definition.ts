import { featureSets } from "../../generated/schema-facts.ts";
import { define, messageFlags, outputFlag, previousReleaseFlag, roleDefinitionsFlag } from "../definition.ts";

const cluster = {
  group: "Which cluster (default: a side's own ClusterIdentity, or the other side's)",
} as const;

export const diffCommand = define({
  name: "diff",
  summary: "show what changes: who can do what, and what weakens the review",
  description:
    "Show, in a review or before an upgrade, what changes between two packages: permissions, who can use an identity, the issuer and its keys, the objects for the cluster, and what weakens the review itself. A side is a rendered package, an export, or a directory or a file of CredentialsRequests, of which only permissions can be compared. Permissions are compared as sets: order, wildcards, and the layout of statements make no difference. What cannot be decided counts as broadened.",
  arguments: [
    { name: "OLD", text: "what is there now", path: "file" },
    { name: "NEW", text: "what would be there", path: "file" },
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
      "A change that several clusters have is printed once, with their packages; {account}, {name}, and similar words in it are what each of them has there. Packages that only one side has are named.",
      "-o json prints one JSON object for each package, on one line. The exit code is the worst of all packages.",
    ],
  },
  exitCodes: {
    0: "nothing changes, or something becomes narrower only",
    2: "something is broadened, or unknown",
    1: "a side could not be compared, is not what its sources render, or the command failed",
  },
  examples: [
    "ccf diff releases/4.19.7 releases/4.20.3",
    "ccf diff clusters/demo releases/4.20.3",
    "git worktree add ../main main && ccf diff ../main/clusters/demo clusters/demo -o markdown",
    "git worktree add ../main main && ccf diff ../main/clusters clusters --recursive -o markdown",
  ],
});
