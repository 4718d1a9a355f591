import { define } from "../definition.ts";
import { quietFlag } from "../terminal/shared-flags.ts";

export const setDistributionDomainCommand = define({
  name: "set-distribution-domain",
  summary: "write the domain that CloudFront gave into the configuration",
  description:
    "Write the domain that CloudFront gave a distribution into a package's ClusterIdentity. Nothing else of the file changes. The first apply.sh of a package with the hosting type S3CloudFront prints the domain; the next render needs it.",
  arguments: [
    { name: "DIR", text: "the package", path: "directory" },
    { name: "DOMAIN", text: "the distribution's domain" },
  ],
  flags: { quiet: quietFlag },
  examples: ["ccf set-distribution-domain clusters/demo d111111abcdef8.cloudfront.net"],
});
