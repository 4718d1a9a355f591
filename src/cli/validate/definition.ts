import { define } from "../definition.ts";
import { outputFlag, packageArgument, quietFlag } from "../terminal/shared-flags.ts";

export const validateCommand = define({
  name: "validate",
  summary: "say what is wrong with a package, its install-config, or the cluster that it is for",
  description:
    "Say what is wrong with a package: what the functions refuse or warn of, and what the rules of docs/reference/validation-rules.md find. Nothing is changed. A directory of requests without a ClusterIdentity is checked too, and so is what an operator's author ships: a ClusterServiceVersion with its requests.",
  arguments: [packageArgument],
  flags: {
    "install-config": { value: "FILE", path: "file", text: "look at the installer's install-config.yaml too" },
    live: {
      value: "FILE",
      path: "file",
      text: 'compare with a cluster: what "oc get ... -o yaml" printed; "-" is standard input',
    },
    strict: { text: "exit 2 for warnings too" },
    time: {
      value: "TIME",
      text: 'the time at which acceptances expire, such as "2027-01-31T12:00:00Z"; now where it is left out',
    },
    quiet: quietFlag,
    output: outputFlag("text", "json", "sarif"),
  },
  sections: {
    "A rule's finding is accepted in the ClusterIdentity, where no release loses it": [
      'spec: {accept: [{rule: CODE, object: SECRET_NAMESPACE/SECRET_NAME, reason: TEXT, until: "2027-06-30"}]}',
    ],
    "or by two annotations of the object": [
      "fn.cloudcredential.dev/accept: CODE[, CODE]",
      "fn.cloudcredential.dev/accept-reason: TEXT",
    ],
  },
  exitCodes: { 0: "nothing is wrong", 2: "something is wrong", 1: "could not tell" },
  examples: [
    "ccf validate clusters/demo",
    "ccf validate clusters/demo --install-config install-config.yaml --strict",
    "ccf validate clusters/demo -o sarif > validate.sarif",
    "ccf validate bundle --strict",
    "oc get secrets,namespaces --all-namespaces -o yaml | ccf validate clusters/demo --live -",
  ],
});
