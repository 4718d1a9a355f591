import { define } from "../definition.ts";
import { onlyOursFlag, packageArgument, quietFlag } from "../terminal/shared-flags.ts";

export const upgradeableToCommand = define({
  name: "upgradeable-to",
  summary: "let a cluster upgrade whose cloud is in sync with its package",
  description:
    'Write the annotation without which a cluster with manual credentials does not upgrade to another minor release, into the package: cloudcredential.openshift.io/upgradeable-to on CloudCredential "cluster". It is written only when the cloud was found in sync with the package as it is now, within the last 24 hours. "ccf export" leaves the object out: apply it from the package.',
  usage: ["VERSION [DIR] --status FILE [options]"],
  arguments: [
    { name: "VERSION", text: "major and minor, such as 4.20; of 4.20.3 the first two count" },
    packageArgument,
  ],
  flags: {
    status: {
      value: "FILE",
      path: "file",
      text: 'what "aws/status.sh --result FILE" wrote in an export of the package',
    },
    "credentials-requests": {
      value: "PATH",
      path: "file",
      text: "the release's requests: refuse if the rendered roles lack any of what they ask for",
    },
    "only-ours": onlyOursFlag,
    quiet: quietFlag,
  },
  exitCodes: { 0: "written, or there already", 2: "refused", 1: "could not tell" },
  examples: [
    "out/aws/status.sh --result status.json",
    "ccf upgradeable-to 4.20 --status status.json clusters/demo --credentials-requests credrequests-4.20/",
  ],
});
