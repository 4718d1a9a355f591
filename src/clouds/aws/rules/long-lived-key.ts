import { ruleCode } from "../../../core/finding.ts";
import { quote } from "../../../core/text.ts";
import type { Rule } from "../../../rules/rule.ts";
import { type CredentialsSecret, fieldOfText } from "../../../rules/secret.ts";

export const rule: Rule = {
  code: ruleCode("long-lived-key"),
  severity: "error",
  reads: "package",
  summary: "A Secret holds a long-lived AWS access key.",
  why: "An access key works until somebody deletes it, from anywhere, for whoever has read it. In a package it is in Git, and stays in its history. Short-term credentials take its place: then there is no key to lose.",
  cure: "Delete the key in AWS, not only in Git: it counts as known to others. Let `generate-cloud-credentials` make the Secret from the component's request.",
  check: ({ filedSecrets }) =>
    filedSecrets.flatMap((secret) => {
      const key = [...secret.texts.keys()].sort().find((text) => isKey(secret, text));
      if (key === undefined) return [];
      const field = fieldOfText(secret, key);
      const message = `${quote(field)} holds a long-lived AWS access key. Delete the key in AWS, because the package shows it to others, and use a role.`;
      return [{ message, resource: secret.resource, field }];
    }),
};

// The names of its two parts, however they are spelled: in a config file, for a shell, in JSON, as a key of a Secret.
const name = /awsaccesskeyid|awssecretaccesskey/;

// IAM User Guide, "IAM identifiers": access keys of users begin with AKIA.
const keyId = /\bAKIA[A-Z0-9]{16}\b/;

function isKey({ texts }: CredentialsSecret, key: string): boolean {
  const text = texts.get(key) ?? "";
  return [key, text].some((text) => name.test(text.toLowerCase().replace(/[-_]/g, ""))) || keyId.test(text);
}
