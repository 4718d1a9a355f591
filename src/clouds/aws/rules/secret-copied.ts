import { ruleCode } from "../../../core/finding.ts";
import type { Rule } from "../../../rules/rule.ts";
import { fieldOfText } from "../../../rules/secret.ts";
import { secretFile } from "../rendered/credentials-file.ts";

export const rule: Rule = {
  code: ruleCode("secret-copied"),
  severity: "error",
  reads: "package",
  summary:
    "A Secret's credentials were copied from a page without filling them in, or have a form that no AWS SDK can read.",
  why: "A credentials Secret contains an AWS config file with lines of the form `name = value`. Some pages show it with `role_name:`, with colons, or with angle brackets in place of values. An SDK finds no usable role in such a file, so the component has no credentials.",
  cure: "Write `role_arn = <the whole ARN>` and `web_identity_token_file = <path>` with equal signs and whole values; or let `generate-cloud-credentials` generate the Secret from the component's request.",
  check: ({ filedSecrets }) =>
    filedSecrets
      .filter(({ credentials }) => secretFile.form.isCopied(credentials))
      .map((secret) => {
        const field = fieldOfText(secret, secretFile.key);
        const message = `"${field}" is not a valid AWS config file: it contains "role_name", a colon instead of an equal sign, or angle brackets. Write "role_arn = ..." with the whole ARN.`;
        return { message, resource: secret.resource, field };
      }),
};
