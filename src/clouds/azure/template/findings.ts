import { limits } from "./limits.ts";

/** Findings about the ARM template of an export. */
export const explanations = {
  "template-incomplete": {
    severity: "info",
    cause:
      "An ARM template cannot contain everything that `apply.sh` does. It cannot upload the documents of the issuer. It does not contain the resource group of the cluster, because a deployment replaces the tags of a resource group, and the installer sets tags there.",
    cure: "Create the resource group if it does not exist. After the deployment, upload the documents with `apply.sh` or `az storage blob upload`.",
  },
  "template-too-large": {
    severity: "error",
    cause: `The ARM template would exceed a limit of Azure Resource Manager: ${limits.templateBytes / 1e6} MB, ${limits.resourceBytes / 1e6} MB for each nested deployment, or ${limits.resources} resources for each of them. Nothing was written.`,
    cure: "Export without `--arm-template`, and apply the package with `apply.sh`, which has no such limits.",
  },
} as const;
