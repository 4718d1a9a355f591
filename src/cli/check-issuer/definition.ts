import { platformQuestions } from "../../clouds/platform-questions.ts";
import { alternatives } from "../../core/words.ts";
import { define, outputFlag } from "../definition.ts";

export const checkIssuerCommand = define({
  name: "check-issuer",
  summary: "check whether the cloud can read an issuer's documents, and whether they match the package",
  description:
    "Fetch an issuer's discovery document and keys as the cloud does: over HTTPS, without credentials, within five seconds. With a package, compare them with the documents in the package. If the keys are in the cloud's provider, the cloud fetches nothing, so the command only checks the keys in the package. Redirects are not followed, because no cloud documents whether it follows them. Keys are fetched only from the issuer's host. If the document names another host, allow it with --allow-host.",
  usage: ["URL [options]", "--package DIR [options]"],
  arguments: [{ name: "URL", text: "the issuer, exactly as in a token", optional: true }],
  flags: {
    package: {
      value: "DIR",
      path: "directory",
      text: "a rendered package or an export; check its issuer",
    },
    platform: {
      value: "CLOUD",
      text: `the cloud that reads the issuer, if no package is given: ${alternatives(platformQuestions.map(({ name }) => name))}`,
    },
    "ca-file": {
      value: "FILE",
      path: "file",
      text: "PEM certificates of additional authorities to trust",
    },
    "connect-to": {
      value: "HOST:PORT",
      text: "connect to this server instead of the URL's host, for example before the DNS name exists. The certificate and the Host header are still for the URL's host",
    },
    "allow-host": {
      value: "HOST",
      many: true,
      text: "an additional host to fetch the keys from; may be repeated",
    },
    timeout: {
      value: "SECONDS",
      // The shortest time that a cloud documents.
      fallback: "5",
      text: "how long to wait for a response",
    },
    output: outputFlag("text", "json"),
  },
  exitCodes: {
    0: "the cloud can read the issuer, or holds its keys",
    2: "the cloud cannot read it, or reads something else",
    1: "the answer is unknown, or the command failed",
  },
  examples: [
    "ccf check-issuer https://demo-oidc.s3.us-east-2.amazonaws.com --platform aws",
    "ccf check-issuer --package clusters/demo",
    "ccf check-issuer https://demoissuer.blob.core.windows.net/demo --platform azure",
    "ccf check-issuer https://oidc.example.com/demo --platform aws --connect-to 192.0.2.10:443",
  ],
});
