import { define } from "../definition.ts";
import { outputFlag } from "../terminal/shared-flags.ts";

export const checkIssuerCommand = define({
  name: "check-issuer",
  summary: "say whether AWS can read an issuer's documents, and whether they are the package's",
  description:
    "Fetch an issuer's discovery document and keys as AWS does: over https, without credentials, within five seconds. With a package, compare them with what it publishes. Redirects are not followed: whether AWS does is not documented. Keys are fetched from the issuer's host alone; where the document names another one, it is asked only with --allow-host.",
  usage: ["URL [options]", "--package DIR [options]"],
  arguments: [{ name: "URL", text: "the issuer, as a token names it", optional: true }],
  flags: {
    package: {
      value: "DIR",
      path: "directory",
      text: "a rendered package, or the directory of an export, whose issuer is checked",
    },
    "ca-file": {
      value: "FILE",
      path: "file",
      text: "certificates of authorities to trust beside the usual ones, in PEM form",
    },
    "connect-to": {
      value: "HOST:PORT",
      text: "the server to ask, whatever host the URL names: to look at an issuer before its DNS name exists. Certificate and Host header are still those of the URL",
    },
    "allow-host": {
      value: "HOST",
      many: true,
      text: "a host beside the issuer's that its keys may be fetched from; may be repeated",
    },
    timeout: {
      value: "SECONDS",
      // AWS gives up after five seconds (AWS re:Post, "InvalidIdentityToken").
      fallback: "5",
      text: "how long an answer may take",
    },
    output: outputFlag("text", "json"),
  },
  exitCodes: { 0: "AWS can read it", 2: "AWS cannot, or reads something else", 1: "could not tell, or failed" },
  examples: [
    "ccf check-issuer https://demo-oidc.s3.us-east-2.amazonaws.com",
    "ccf check-issuer --package clusters/demo",
    "ccf check-issuer https://oidc.example.com/demo --connect-to 192.0.2.10:443",
  ],
});
