import { define } from "../definition.ts";

export const argoCdGenerateCommand = define({
  name: "argo-cd-generate",
  summary: "print what goes to the cluster, as Argo CD's plugin",
  description:
    "Print what goes to the cluster, as the generate command of Argo CD's config management plugin. It renders the package in the current directory, writes nothing, and fails rather than print a part.",
  arguments: [],
  flags: {},
  sections: {
    "Parameters, in ARGOCD_APP_PARAMETERS, as Argo CD passes them": [
      "overlay  a directory below the current one that holds the package",
      "cluster  the name that its ClusterIdentity must have; another is an error",
    ],
  },
  examples: [
    "ccf argo-cd-generate",
    'ARGOCD_APP_PARAMETERS=\'[{"name":"overlay","string":"clusters/demo"}]\' ccf argo-cd-generate',
  ],
});
