import { ruleCode } from "../../../core/finding.ts";
import { quote } from "../../../core/text.ts";
import type { Rule } from "../../../rules/rule.ts";
import { fieldOfText } from "../../../rules/secret.ts";

export const rule: Rule = {
  code: ruleCode("client-secret"),
  severity: "error",
  reads: "package",
  summary: "A Secret contains a long-lived credential of Azure: a client secret, or a client certificate.",
  why: "Anyone who has read a client secret can use it, from any machine, until it expires or is deleted. A client secret in a package is in Git and stays in the Git history. Short-term credentials replace it, so there is no secret to leak.",
  cure: "Treat the client secret as compromised: delete it in Microsoft Entra ID, not only in Git. Let `generate-cloud-credentials` generate the Secret from the component's request.",
  check: ({ filedSecrets }) =>
    filedSecrets.flatMap((secret) => {
      const key = clientSecretIn(secret.texts);
      if (key === undefined) return [];
      const field = fieldOfText(secret, key);
      const message = `${quote(field)} contains a client secret or certificate. Treat it as compromised: delete it in Microsoft Entra ID, and use short-term credentials.`;
      return [{ message, resource: secret.resource, field }];
    }),
};

// The names in any spelling: as a key of a Secret, as an environment variable, in JSON, in a cloud provider's configuration.
const name = /(?:azure|aad|arm)?client(?:secret|certificate)(?:path|password|data)?(?![a-z])/;

/** The first key of a Secret that is, or whose text contains, a client secret or certificate. */
export function clientSecretIn(texts: ReadonlyMap<string, string>): string | undefined {
  return [...texts.keys()].sort().find((name) => isCredential(texts, name));
}

function isCredential(texts: ReadonlyMap<string, string>, key: string): boolean {
  const text = texts.get(key) ?? "";
  if (text === "") return false;
  const isNamed = (one: string) => name.test(one.toLowerCase().replace(/[-_]/g, ""));
  return isNamed(key) || /["']?(?:azure|aad|arm)?[-_]?client[-_]?secret["']?\s*[:=]\s*["']?[^\s"',]/i.test(text);
}
