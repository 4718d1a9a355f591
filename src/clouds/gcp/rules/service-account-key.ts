import { ruleCode } from "../../../core/finding.ts";
import { quote } from "../../../core/text.ts";
import type { Rule } from "../../../rules/rule.ts";
import { fieldOfText } from "../../../rules/secret.ts";

export const rule: Rule = {
  code: ruleCode("service-account-key"),
  severity: "error",
  reads: "package",
  summary:
    "A Secret contains a long-lived credential of Google Cloud: a service account key, or a user's refresh token.",
  why: "Anyone who has read a service account key can use it, from any machine, until it is deleted. The same is true for a user's refresh token. A key in a package is in Git and stays in the Git history. Short-term credentials replace it, so there is no key to leak.",
  cure: "Treat the key as compromised: delete it in Google Cloud, not only in Git. Let `generate-cloud-credentials` generate the Secret from the component's request.",
  check: ({ filedSecrets }) =>
    filedSecrets.flatMap((secret) => {
      const { resource, texts } = secret;
      const key = credentialIn(texts);
      if (key === undefined) return [];
      const field = fieldOfText(secret, key);
      const message = `${quote(field)} contains a service account key or a refresh token. Treat it as compromised: delete it in Google Cloud, and use short-term credentials.`;
      return [{ message, resource, field }];
    }),
};

/** The first key of a Secret whose text is a service account key, or a user's refresh token. */
export function credentialIn(texts: ReadonlyMap<string, string>): string | undefined {
  return [...texts.keys()].sort().find((name) => isCredential(texts.get(name) ?? ""));
}

// The files of google.aip.dev/auth/4112 (service_account) and 4113 (authorized_user), also inside another text. A private key
// alone, such as that of a certificate, is not a credential of Google Cloud.
function isCredential(text: string): boolean {
  return (
    /["']?private_key(?:_id)?\\?["']?\s*:/.test(text) ||
    /["']?type\\?["']?\s*:\s*\\?["']?(?:service_account|authorized_user)\b/.test(text)
  );
}
