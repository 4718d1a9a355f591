import { define, messageFlags, outputFlag, policyDocumentsFlag, roleDefinitionsFlag } from "../definition.ts";
import { fleetFlags, packagesArgument } from "../fleet/flags.ts";

export const validateCommand = define({
  name: "validate",
  summary: "find problems in a package, its install-config, or its running cluster",
  description:
    "Find problems in a package: errors and warnings of the functions, and violations of the rules in docs/reference/validation-rules.md. Nothing is changed. A directory of requests without a ClusterIdentity is checked, too, and so is what the author of an operator ships: a ClusterServiceVersion with its requests.",
  arguments: [packagesArgument],
  flags: {
    "install-config": { value: "FILE", path: "file", text: "also check the installer's install-config.yaml" },
    live: {
      value: "FILE",
      path: "file",
      text: 'compare with a cluster: the output of "oc get ... -o yaml", or "-" for standard input',
    },
    "credentials-requests": {
      value: "DIR",
      path: "directory",
      many: true,
      text: "a release's requests: warnings about unchanged requests of the release are one line for each rule, apart from those of the package; may be repeated",
    },
    "policy-documents": policyDocumentsFlag,
    "role-definitions": roleDefinitionsFlag,
    "accept-release": {
      value: "REASON",
      text: "accept these warnings in the ClusterIdentity of each package; requires --credentials-requests",
    },
    policy: {
      value: "FILE",
      path: "file",
      text: "the ReviewPolicy of the company (default: review-policy.yaml in the directory of the package or in the nearest parent directory, up to the one with .git; with --against, that of BASE)",
    },
    "ignore-accept": { text: "acceptances in packages do not count, only those of the policy" },
    against: {
      value: "BASE",
      path: "directory",
      text: "only what is new: BASE is the directory of the same package on the base branch or, with --recursive, of the same tree. A new acceptance counts like the finding that it accepts",
    },
    strict: { text: "exit with 2 for warnings, too" },
    time: {
      value: "TIME",
      text: 'evaluate acceptance expiry as of this time, such as "2027-01-31T12:00:00Z" (default: now)',
    },
    ...messageFlags,
    output: outputFlag("text", "json", "sarif"),
    ...fleetFlags,
  },
  sections: {
    "To accept a rule's finding, use the ClusterIdentity": [
      'spec: {accept: [{rule: CODE, object: SECRET_NAMESPACE/SECRET_NAME, reason: TEXT, until: "2027-06-30"}]}',
    ],
    "or two annotations of the object": [
      "fn.cloudcredential.dev/accept: CODE[, CODE]",
      "fn.cloudcredential.dev/accept-reason: TEXT",
    ],
  },
  exitCodes: {
    0: "no errors; with --strict, no warnings either",
    2: "errors; with --strict, errors or warnings",
    1: "the answer is unknown, or the command failed",
  },
  examples: [
    "ccf validate clusters/demo",
    "ccf validate clusters/demo --install-config install-config.yaml --strict",
    "ccf validate --recursive clusters --credentials-requests releases/4.21 --accept-release 'Reviewed for 4.21'",
    "ccf validate clusters/demo -o sarif > validate.sarif",
    "ccf validate --recursive clusters --against ../base/clusters --strict",
    "ccf validate clusters/demo --policy review-policy.yaml --ignore-accept",
    "oc get secrets,namespaces --all-namespaces -o yaml | ccf validate clusters/demo --live -",
  ],
});
