import { platformQuestions } from "../../clouds/platform-questions.ts";
import { define } from "../definition.ts";
import { quietFlag } from "../terminal/shared-flags.ts";

const platformFlags: Readonly<Record<string, { readonly value: string; readonly text: string }>> = Object.fromEntries(
  platformQuestions.flatMap(({ questions }) => questions.map(({ flag, value, text }) => [flag, { value, text }])),
);

export const initCommand = define({
  name: "init",
  summary: "make a package: configuration, pipeline, requests",
  description:
    "Make a package for one cluster. It is written whole or not at all. What no option says is asked for on a terminal; each answer is checked, and asked for again if it cannot be right.",
  arguments: [{ name: "DIR", text: "the new package", path: "directory" }],
  flags: {
    platform: { value: "CLOUD", choices: platformQuestions.map(({ name }) => name), text: "the cloud" },
    name: { value: "NAME", text: "name of the cluster; it prefixes every cloud resource" },
    ...platformFlags,
    "public-key-file": {
      value: "FILE",
      path: "file",
      text: 'public key of the service account signer, in PEM form; "ccf create-key-pair" makes one',
    },
    "credentials-requests": {
      value: "DIR",
      path: "directory",
      text: 'what "oc adm release extract --credentials-requests" wrote, or whole payload files',
    },
    container: { text: "the pipeline names images, not programs" },
    "image-prefix": { value: "PREFIX", text: "where the images are (with --container)" },
    quiet: quietFlag,
  },
  examples: [
    "oc adm release extract --credentials-requests --cloud=aws --to=credrequests RELEASE_IMAGE",
    "ccf init clusters/demo --platform aws --name demo --account-id 123456789012 --region us-east-2 \\",
    "  --public-key-file serviceaccount-signer.public --credentials-requests credrequests/",
  ],
});
