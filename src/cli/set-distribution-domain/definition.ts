import { define } from "../definition.ts";
import { quietFlag } from "../terminal/shared-flags.ts";

export const setDistributionDomainCommand = define({
  name: "set-distribution-domain",
  summary: "set the domain of the CloudFront distribution in the configuration",
  description:
    "In the ClusterIdentity of a package, set the domain that CloudFront assigned to the distribution. Nothing else in the file changes. If the hosting type is S3CloudFront, the first run of apply.sh prints the domain, and the next render needs it.",
  arguments: [
    { name: "DIR", text: "the package directory", path: "directory" },
    { name: "DOMAIN", text: "the domain of the distribution" },
  ],
  flags: { quiet: quietFlag },
  examples: ["ccf set-distribution-domain clusters/demo d111111abcdef8.cloudfront.net"],
});
