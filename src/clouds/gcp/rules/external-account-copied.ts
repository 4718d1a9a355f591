import { ruleCode } from "../../../core/finding.ts";
import type { Rule } from "../../../rules/rule.ts";
import { fieldOfText } from "../../../rules/secret.ts";
import { secretFile } from "../rendered/credentials-file.ts";

export const rule: Rule = {
  code: ruleCode("external-account-copied"),
  severity: "error",
  reads: "package",
  summary: "A Secret's credential configuration was copied without filling it in, or cannot be read.",
  why: "The file `service_account.json` is a JSON object that names the provider, the service account, and the token. Pages and dry runs of other tools show it with placeholders such as `<POPULATE_SERVICE_ACCOUNT_EMAIL>` or `PROJECT_NUMBER`. Libraries cannot exchange a token with such a file, or with one that is not valid JSON, so the component has no credentials.",
  cure: "Let `generate-cloud-credentials` generate the Secret from the component's request, or write whole values.",
  check: ({ filedSecrets }) =>
    filedSecrets
      .filter(({ credentials }) => secretFile.form.isCopied(credentials))
      .map((secret) => {
        const field = fieldOfText(secret, secretFile.key);
        const message = `"${field}" is not a usable credential configuration: it contains placeholders, is not JSON, or has a duplicate key. Write the whole values.`;
        return { message, resource: secret.resource, field };
      }),
};
