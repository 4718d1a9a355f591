import { singleRemoval } from "../../core/allowances.ts";
import { define, messageFlags, packageArgument } from "../definition.ts";

export const setIdentitiesCommand = define({
  name: "set-identities",
  summary: "store the client IDs that Azure assigned to managed identities",
  description:
    "Store the client IDs of a cluster's managed identities in its package. Azure assigns them, and the Secrets of the next render contain them. ccf apply stores them itself, unless you apply an export. The command checks every ID, and writes all of them or nothing. The rest of the package does not change.",
  arguments: [packageArgument],
  flags: {
    from: {
      value: "FILE",
      path: "file",
      text: 'the ConfigMap that "ccf apply" printed for an export, or a JSON or YAML map with the same keys; "-" for standard input',
    },
    allow: {
      value: "LIST",
      choices: ["removal", "replacement"],
      also: singleRemoval,
      many: true,
      text: 'with "replacement", allow the replacement of IDs that the package already contains; with "removal", their removal; with "removal:<namespace>/<secret>", the removal of one; separated by commas',
    },
    ...messageFlags,
  },
  sections: {
    "Keys of a map": [
      ["<namespace>_<name>", "the Secret of the request, for example openshift-ingress-operator_cloud-credentials"],
    ],
  },
  examples: [
    "ccf apply --yes --quiet out > identities.yaml",
    "ccf set-identities clusters/demo --from identities.yaml",
    "terraform output -json client_ids | ccf set-identities clusters/demo --from -",
  ],
});
