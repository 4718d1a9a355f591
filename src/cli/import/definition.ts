import { platformQuestions } from "../../clouds/platform-questions.ts";
import { featureSets } from "../../generated/schema-facts.ts";
import { define, messageFlags, outputFlag } from "../definition.ts";
import { platformFlags } from "../new-package/flags.ts";

// A question of an import replaces the one with the same flag, so the help of the command explains it.
const imported = platformFlags(platformQuestions.flatMap(({ imported = [] }) => imported));
const ownFlags = Object.fromEntries(Object.entries(imported).map(([name, { topic: _, ...flag }]) => [name, flag]));

const dumpedKinds = [
  "authentications.config.openshift.io",
  "infrastructures",
  "featuregates",
  "clusterversions",
  "credentialsrequests",
];

/** What prints the objects that a package follows from. */
export const dumpCommand = `oc get ${dumpedKinds.join(",")} -A -o yaml`;

export const importCommand = define({
  name: "import",
  summary: "create a package from a live cluster",
  description:
    "Create a package for a live cluster with short-term credentials, from its objects or from the directory that ccoctl wrote. The command writes the whole package or nothing, then compares the first render with the cluster. It never reads a private key. On a terminal, it asks for each required value that is missing.",
  arguments: [{ name: "DIR", text: "the directory of the new package", path: "directory" }],
  flags: {
    from: {
      value: "FILE",
      many: true,
      path: "file",
      text: 'see "Input" below; "-" for standard input; may be repeated',
    },
    "from-ccoctl": { value: "OUT", path: "directory", text: "the output directory of ccoctl" },
    "credentials-requests": {
      value: "DIR",
      path: "directory",
      text: 'what "oc adm release extract --credentials-requests" wrote, instead of the requests in the input',
    },
    "public-key-file": {
      value: "FILE",
      many: true,
      path: "file",
      text: "public key of the service account signer, in PEM form; repeat it for each key in use",
    },
    "jwks-file": {
      value: "FILE",
      path: "file",
      text: "keys that the issuer publishes, instead of key files",
    },
    name: { value: "NAME", text: "cluster name (default: the prefix of its resources)" },
    "resource-prefix": {
      value: "PREFIX",
      text: "prefix of the names of the cluster's resources, the --name of ccoctl; read from the cluster if omitted",
    },
    platform: {
      value: "CLOUD",
      choices: platformQuestions.map(({ name }) => name),
      text: "cloud of the cluster, if the input does not contain the Infrastructure",
    },
    "feature-set": {
      value: "NAME",
      choices: featureSets,
      text: "feature set of the cluster, if the input does not contain the FeatureGate",
    },
    "feature-gate": {
      value: "NAME",
      many: true,
      text: "enabled feature gate that a request requires, if the input does not contain the FeatureGate; may be repeated",
    },
    ...platformFlags(platformQuestions.flatMap(({ questions }) => questions)),
    ...ownFlags,
    ...messageFlags,
    output: outputFlag("text", "json"),
  },
  sections: {
    Input: [
      [
        "oc get KINDS --all-namespaces --output yaml",
        `required, unless --from-ccoctl is set; KINDS are, without spaces, ${dumpedKinds.join(", ")}`,
      ],
      [
        "oc get secret NAME --namespace NAMESPACE --output yaml",
        'the Secret of each request: "docs/guides/import.md" contains the loop; only ARNs, emails, and client IDs are kept',
      ],
      [
        "oc get configmap bound-sa-token-signing-certs --namespace openshift-kube-apiserver --output yaml",
        "the public keys of the service account signer",
      ],
      [
        "aws iam get-account-authorization-details --filter Role, and aws iam list-roles",
        "on AWS, the permissions boundary, the tags, the trust, and the session duration of the roles",
      ],
    ],
  },
  exitCodes: {
    0: "created; its first render changes nothing in the cluster",
    2: "created, but its first render would change it, or could not be compared",
    1: "failure; nothing was written",
  },
  examples: [
    "ccf import clusters/demo --from dump.yaml --from secrets.yaml --public-key-file serviceaccount-signer.public",
    "ccf import clusters/demo --from-ccoctl ccoctl-output --credentials-requests releases/4.20.3",
  ],
});
