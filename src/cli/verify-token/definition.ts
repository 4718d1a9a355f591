import { platformQuestions } from "../../clouds/platform-questions.ts";
import type { ExchangeHelp } from "../../clouds/questions.ts";
import { define, outputFlag } from "../definition.ts";

const live = {
  value: "FILE",
  path: "file",
  group: "Data of the live cluster or cloud, used instead of the package's",
} as const;

const exchanges = platformQuestions
  .map(({ title, exchangeHelp: { exchange } }) => `On ${title}, this is ${exchange}`)
  .join(". ");

function words(of: (help: ExchangeHelp) => string | undefined): string {
  return platformQuestions.flatMap(({ exchangeHelp }) => of(exchangeHelp) ?? []).join("; ");
}

export const verifyTokenCommand = define({
  name: "verify-token",
  summary: "predict the cloud's answer to a token, and explain it",
  description: `Predict the cloud's answer if a token were exchanged for a component identity, and explain it. ${exchanges}. The command works offline and sends nothing. It reads the token from a file or standard input, never from an argument, and never prints the signature.`,
  usage: ["--token FILE|- --package DIR [options]", "--token FILE|- --identity-file FILE [options]"],
  arguments: [],
  flags: {
    token: { value: "FILE", path: "file", text: 'the file with the token, or "-" for standard input' },
    package: {
      value: "DIR",
      path: "directory",
      text: "a rendered package or an export, with the provider, the documents and the identities",
    },
    identity: {
      value: "ID",
      text: `the component identity: ${words(({ identity }) => identity)} (default: all)`,
    },
    time: {
      value: "TIME",
      text: 'the time of the exchange, such as "2026-01-31T12:00:00Z" or seconds since the epoch (default: now)',
    },
    output: outputFlag("text", "json"),
    discovery: { ...live, text: "the issuer's .well-known/openid-configuration" },
    jwks: { ...live, text: "the keys at its jwks_uri" },
    "identity-file": {
      ...live,
      many: true,
      text: `the output of ${words(({ identityFile }) => identityFile)}. May be repeated`,
    },
    "provider-file": {
      ...live,
      text: `the output of ${words(({ providerFile }) => providerFile)}; other clouds have no providers`,
    },
  },
  exitCodes: {
    0: "an identity accepts the token; the answer also says whether the package differs in what the cloud ignores",
    2: "every identity refuses it",
    1: "the answer is unknown, or the command failed",
  },
  examples: [
    "oc create token ingress-operator -n openshift-ingress-operator --audience openshift > token",
    "ccf verify-token --token token --package clusters/demo",
    "ccf verify-token --token token --package out --identity demo-openshift-ingress-operator-cloud-credentials -o json",
    "aws iam get-role --role-name demo-openshift-ingress-operator-cloud-credentials > role.json",
    "ccf verify-token --token - --package clusters/demo --identity-file role.json < token",
  ],
});
