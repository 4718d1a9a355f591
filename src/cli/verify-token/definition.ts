import { define } from "../definition.ts";
import { outputFlag } from "../terminal/shared-flags.ts";

const live = { value: "FILE", path: "file", group: "What is live, in place of what the package says:" } as const;

export const verifyTokenCommand = define({
  name: "verify-token",
  summary: "say what AWS would answer to a token, and why",
  description:
    "Say what AWS would answer if a token were exchanged for a role (sts:AssumeRoleWithWebIdentity), and why. Nothing is sent anywhere. The token is read from a file or standard input, never given as an argument; its signature is never printed.",
  usage: ["--token FILE|- --package DIR [options]", "--token FILE|- --role-file FILE [options]"],
  arguments: [],
  flags: {
    token: { value: "FILE", path: "file", text: "the token; - is standard input" },
    package: {
      value: "DIR",
      path: "directory",
      text: "a rendered package, or the directory of an export: provider, documents, roles",
    },
    role: { value: "ROLE", text: "the role, by name or ARN; every role where it is left out" },
    time: {
      value: "TIME",
      text: "the time of the exchange, as 2026-01-31T12:00:00Z or seconds since the epoch; now where it is left out",
    },
    output: outputFlag("text", "json"),
    discovery: { ...live, text: "the issuer's .well-known/openid-configuration" },
    jwks: { ...live, text: "the keys at its jwks_uri" },
    "role-file": { ...live, many: true, text: 'what "aws iam get-role" prints; may be repeated' },
    "provider-file": { ...live, text: 'what "aws iam get-open-id-connect-provider" prints' },
  },
  exitCodes: { 0: "a role accepts the token", 2: "every role refuses it", 1: "could not tell, or failed" },
  examples: [
    "oc create token ingress-operator -n openshift-ingress-operator --audience openshift > token",
    "ccf verify-token --token token --package clusters/demo",
    "ccf verify-token --token token --package out --role demo-openshift-ingress-operator-cloud-credentials -o json",
    "aws iam get-role --role-name demo-openshift-ingress-operator-cloud-credentials > role.json",
    "ccf verify-token --token - --package clusters/demo --role-file role.json < token",
  ],
});
