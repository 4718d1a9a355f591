import { ruleCode } from "../../../core/finding.ts";
import type { Permissions } from "../../../permissions/permissions.ts";
import { findInGranted, listed } from "../../../rules/granted.ts";
import type { Rule, Violation } from "../../../rules/rule.ts";
import { trustFilesOf } from "../permissions/trust-files.ts";

export const rule: Rule = {
  code: ruleCode("condition-key-scheme"),
  severity: "error",
  reads: "package",
  summary: "A policy's condition key begins with `https://`.",
  why: 'The condition keys of an OpenID Connect provider are the issuer without its scheme, followed by `:sub` or `:aud` (IAM User Guide, "Available keys for AWS OIDC federation"). No request contains a key with `https://`, so a condition that compares it for equality is never true. In a trust policy, no service account can then assume the role.',
  cure: "Remove `https://` from the key.",
  check: ({ rendered, granted }) => [
    ...trustFilesOf(rendered).flatMap(({ resource, trusts }): Violation[] => {
      const [found] = trusts.flatMap(({ field, allowed }) => {
        const keys = keysWithScheme(allowed);
        return keys.length === 0 ? [] : [{ field, keys }];
      });
      return found === undefined
        ? []
        : [{ message: said(`"${found.field}" `, found.keys), resource, field: found.field }];
    }),
    ...findInGranted(granted, ({ permissions }) => {
      const keys = keysWithScheme(permissions);
      return keys.length === 0 ? undefined : { message: said("", keys), part: undefined, isFact: true };
    }),
  ],
};

function keysWithScheme(permissions: Permissions): string[] {
  return permissions.flatMap(({ condition }) =>
    condition.map(({ key }) => key).filter((key) => /^https?:\/\//.test(key)),
  );
}

function said(where: string, keys: readonly string[]): string {
  return `${where}has a condition on a key with a scheme, ${listed(keys)}. No request contains such a key; remove "https://" from it.`;
}
