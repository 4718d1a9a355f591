import { define } from "../definition.ts";
import { outputFlag, quietFlag } from "../terminal/shared-flags.ts";

const cluster = {
  group: "Which cluster (left out, a side's own ClusterIdentity says it, or the other side's):",
} as const;

export const diffPermissionsCommand = define({
  name: "diff-permissions",
  summary: "say what another release changes in anyone's permissions",
  description:
    "As a command: say what changes in what each component may do, and in who may become it: before an upgrade, or in a review. A side is a directory or a file of CredentialsRequests of any cloud, a rendered package, or an export. Order, wildcards, and the way statements are cut make no difference; what cannot be decided counts as broadened, and says why.",
  arguments: [
    { name: "OLD", text: "what is allowed now", path: "file" },
    { name: "NEW", text: "what would be allowed", path: "file" },
  ],
  flags: {
    quiet: quietFlag,
    output: outputFlag("text", "markdown", "json"),
    identity: { value: "FILE", path: "file", text: "the ClusterIdentity", ...cluster },
    "feature-set": {
      value: "NAME",
      choices: ["Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade", "OKD"],
      text: "the cluster's feature set",
      ...cluster,
    },
    "feature-gates": {
      value: "LIST",
      text: 'gates that are on, or off with "-" before the name, separated by commas',
      ...cluster,
    },
    "feature-gate-manifests": {
      value: "PATH",
      path: "file",
      text: "the new release's FeatureGate manifests: a file, or a directory that holds them",
      ...cluster,
    },
    capabilities: { value: "LIST", text: "enabled capabilities, separated by commas; left out: all", ...cluster },
    profile: { value: "NAME", text: "cluster profile", ...cluster },
  },
  exitCodes: { 0: "nothing broadened", 2: "broadened", 1: "could not compare" },
  examples: [
    "ccf diff-permissions credrequests-4.19/ credrequests-4.20/",
    "ccf diff-permissions clusters/demo credrequests-4.20/",
    "git worktree add ../main main && ccf diff-permissions ../main/clusters/demo clusters/demo -o markdown",
  ],
});
