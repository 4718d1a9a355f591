import { ruleCode } from "../../../core/finding.ts";
import type { Rule } from "../../../rules/rule.ts";
import { fieldOfText } from "../../../rules/secret.ts";
import { secretFile } from "../rendered/credentials-file.ts";

export const rule: Rule = {
  code: ruleCode("secret-copied"),
  severity: "error",
  reads: "package",
  summary: "A Secret's credentials were copied from a page and not filled in, or are written as no AWS SDK reads them.",
  why: "The text of a credentials Secret is an AWS config file: `name = value`. Pages show it with `role_name:`, with colons, or with angle brackets where a value belongs. An SDK takes such a file for one without a role, and the component has no credentials.",
  cure: "Write `role_arn = <the whole ARN>` and `web_identity_token_file = <path>` with equal signs and whole values; or let `generate-cloud-credentials` make the Secret from the component's request.",
  check: ({ filedSecrets }) =>
    filedSecrets
      .filter(({ credentials }) => secretFile.form.isCopied(credentials))
      .map((secret) => {
        const field = fieldOfText(secret, secretFile.key);
        const message = `"${field}" is no AWS config file that was filled in: it has "role_name", a colon for an equal sign, or angle brackets; write "role_arn = ..." with the whole ARN.`;
        return { message, resource: secret.resource, field };
      }),
};
