import { define } from "../definition.ts";

export const argoCdGenerateCommand = define({
  name: "argo-cd-generate",
  summary: "print the manifests for the cluster, as an Argo CD plugin",
  description:
    "Print the manifests for the cluster, as the generate command of an Argo CD config management plugin. The command renders the package in the current directory without writing files. If it fails, it prints no manifests.",
  arguments: [],
  flags: {},
  sections: {
    "Parameters, which Argo CD passes in ARGOCD_APP_PARAMETERS": [
      ["overlay", "the subdirectory of the current directory that contains the package"],
      ["cluster", "the required name of its ClusterIdentity; any other name is an error"],
    ],
  },
  examples: [
    "ccf argo-cd-generate",
    'ARGOCD_APP_PARAMETERS=\'[{"name":"overlay","string":"clusters/demo"}]\' ccf argo-cd-generate',
  ],
});
