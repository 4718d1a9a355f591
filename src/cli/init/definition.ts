import { platformQuestions } from "../../clouds/platform-questions.ts";
import { requiredQuestions } from "../../clouds/questions.ts";
import { define, messageFlags } from "../definition.ts";
import { platformFlags } from "../new-package/flags.ts";
import { releaseFlags } from "../release/flags.ts";

export const initCommand = define({
  name: "init",
  summary: "create the package of a cluster: configuration, pipeline and requests",
  description:
    "Create a package for one cluster. The command writes the whole package or nothing. On a terminal, it asks for each required value that no option sets, and asks again if an answer is invalid.",
  arguments: [{ name: "DIR", text: "the directory of the new package", path: "directory" }],
  flags: {
    like: {
      value: "OTHER",
      path: "directory",
      text: "copy settings, pipeline, and requests from another package (not its names, keys, or issuer); other options override them",
    },
    facts: {
      value: "FILE",
      path: "file",
      text: "create the package of a team, which renders the identities of its workloads only, from the facts that ccf export --format facts wrote; --name is the name of the package (default: that of DIR)",
    },
    only: {
      value: "PART",
      choices: ["issuer", "identities"],
      text: "create the package of one part of the cluster: its issuer and provider, or the identities that trust an issuer of another package; on AWS",
    },
    "issuer-url": {
      value: "URL",
      text: "with --like or --only identities: the URL of an issuer that is hosted elsewhere",
    },
    platform: { value: "CLOUD", choices: platformQuestions.map(({ name }) => name), text: "the cluster's cloud" },
    name: { value: "NAME", text: "cluster name, also the prefix of every cloud resource" },
    ...platformFlags(platformQuestions.flatMap(({ questions }) => questions)),
    "public-key-file": {
      value: "FILE",
      path: "file",
      text: 'public key of the service account signer, in PEM form; created by "ccf create-key-pair"',
    },
    "credentials-requests": {
      value: "DIR",
      path: "directory",
      text: 'the requests of the release: the directory of "ccf extract-release", or of "oc adm release extract --credentials-requests"',
    },
    ...releaseFlags,
    container: { text: "run the functions of the pipeline as container images, not as programs" },
    "image-prefix": { value: "PREFIX", text: "registry and path of the images; requires --container" },
    ...messageFlags,
  },
  examples: [
    "ccf extract-release 4.20.3 --output-dir releases/4.20.3",
    ...platformQuestions.map((platform) =>
      [
        `ccf init clusters/demo --platform ${platform.name} --name demo`,
        ...requiredQuestions(platform).map(({ flag, example }) => `--${flag} ${example}`),
        "--public-key-file serviceaccount-signer.public --credentials-requests releases/4.20.3",
      ].join(" "),
    ),
    "ccf init shop-workloads --facts facts/demo/facts.yaml",
    "ccf init clusters/second --like clusters/demo --name second --public-key-file second-signer.public",
  ],
});
