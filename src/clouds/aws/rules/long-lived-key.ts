import { ruleCode } from "../../../core/finding.ts";
import { quote } from "../../../core/text.ts";
import type { Rule } from "../../../rules/rule.ts";
import { fieldOfText } from "../../../rules/secret.ts";

export const rule: Rule = {
  code: ruleCode("long-lived-key"),
  severity: "error",
  reads: "package",
  summary: "A Secret contains a long-lived AWS access key.",
  why: "Anyone who has read an access key can use it, from any machine, until it is deleted. A key in a package is in Git and stays in the Git history. Short-term credentials replace it, so there is no key to leak.",
  cure: "Treat the key as compromised: delete it in AWS, not only in Git. Let `generate-cloud-credentials` generate the Secret from the component's request.",
  check: ({ filedSecrets }) =>
    filedSecrets.flatMap((secret) => {
      const key = accessKeyIn(secret.texts);
      if (key === undefined) return [];
      const field = fieldOfText(secret, key);
      const message = `${quote(field)} contains a long-lived AWS access key. Treat the key as compromised: delete it in AWS, and use a role.`;
      return [{ message, resource: secret.resource, field }];
    }),
};

// The names of its two parts in any spelling: in a config file, for a shell, in JSON, as a key of a Secret.
const name = /awsaccesskeyid|awssecretaccesskey/;

// IAM User Guide, "IAM identifiers": access keys of users begin with AKIA.
const keyId = /\bAKIA[A-Z0-9]{16}\b/;

/** The first key of a Secret that is a part of an access key, or whose text contains one. */
export function accessKeyIn(texts: ReadonlyMap<string, string>): string | undefined {
  return [...texts.keys()].sort().find((key) => isKey(texts, key));
}

function isKey(texts: ReadonlyMap<string, string>, key: string): boolean {
  const text = texts.get(key) ?? "";
  return [key, text].some((text) => name.test(text.toLowerCase().replace(/[-_]/g, ""))) || keyId.test(text);
}
