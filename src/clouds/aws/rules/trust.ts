import { ruleCode } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import type { Clause } from "../../../permissions/condition.ts";
import type { RenderedIdentity } from "../../../permissions/identity.ts";
import type { Grant, Permissions } from "../../../permissions/permissions.ts";
import { findInGranted, quotedList } from "../../../rules/granted.ts";
import type { Rule, Violation } from "../../../rules/rule.ts";
import { isStringOperator, policyVariable } from "../permissions/condition-operators.ts";

export const conditionKeyScheme: Rule = {
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
  return `${where}has a condition on a key with a scheme, ${quotedList(keys)}. No request contains such a key; remove "https://" from it.`;
}

export const trustSubjectWildcard: Rule = {
  code: ruleCode("trust-subject-wildcard"),
  severity: "error",
  reads: "package",
  summary: "A role's trust policy has a wildcard in a subject.",
  why: "With `StringLike`, a wildcard also admits service accounts that are not named: anyone who can create a matching service account can assume the role. With `StringEquals`, the wildcard is an ordinary character, so no service account can assume the role.",
  cure: "Name the service accounts, in the request or in `spec.overrides`, and render again.",
  check: ({ rendered }) =>
    trustFilesOf(rendered).flatMap(({ resource, trusts }) => {
      for (const { field, allowed } of trusts) {
        const clauses = allowed.flatMap(({ condition }) => condition.filter(({ key }) => key.endsWith(":sub")));
        const wide = clauses.flatMap(({ values }) => values.filter((value) => /[*?]/.test(value)));
        if (wide.length === 0) continue;
        return [
          {
            message: `"${field}" has a wildcard in a subject, ${quotedList(wide)}; name the service accounts.`,
            resource,
            field,
          },
        ];
      }
      return [];
    }),
};

export const trustWithoutSubject: Rule = {
  code: ruleCode("trust-without-subject"),
  severity: "error",
  reads: "package",
  summary: "A role's trust policy does not say which service accounts can assume the role.",
  why: "Without a condition on the token's subject (`<issuer>:sub`), every service account of the cluster can assume the role: anyone who can run a pod has the component's permissions. The caller determines the value of a policy variable, so a policy variable as the subject restricts nothing reliably. A statement that cannot be read is treated as one without a subject, and so is a file with a duplicate key in a mapping.",
  cure: "Render again, and do not edit trust policies by hand. To set other service accounts, use `spec.overrides`.",
  check: ({ rendered }) =>
    trustFilesOf(rendered).flatMap(({ resource, trusts }) => {
      const found = trusts.find(({ allowed }) => allowed.some(isOpen));
      if (found === undefined) return [];
      const variables = found.allowed.flatMap(variablesOf);
      const instead = variables.length === 0 ? "" : `the policy variable ${quotedList(variables)} does not limit it; `;
      const message = `"${found.field}" has a statement that does not limit the role to named service accounts with an equality condition on ":sub"; ${instead}render again.`;
      return [{ message, resource, field: found.field }];
    }),
};

// A statement that cannot be read has no known conditions. A clause does not count if any of its values is a variable.
function isOpen({ condition }: Grant): boolean {
  return !condition.some((clause) => isOfSubject(clause) && !clause.values.some(isVariable));
}

function isOfSubject({ key, operator }: Clause): boolean {
  return key.endsWith(":sub") && isStringOperator(operator, "any");
}

function isVariable(value: string): boolean {
  return value.includes(policyVariable);
}

function variablesOf(grant: Grant): string[] {
  return isOpen(grant) ? grant.condition.filter(isOfSubject).flatMap(({ values }) => values.filter(isVariable)) : [];
}

/** The bundle ConfigMap of a role, and what each of its files with a copy of the trust policy allows. */
interface TrustFiles {
  readonly resource: Resource;
  readonly trusts: readonly { readonly field: string; readonly allowed: readonly Grant[] }[];
}

/** The trust policies in the files of rendered roles. */
function trustFilesOf(rendered: readonly RenderedIdentity[]): TrustFiles[] {
  return rendered.flatMap(({ resource, trustFiles }) => {
    const trusts = trustFiles.map(({ field, permissions }) => {
      return { field, allowed: permissions.filter(({ effect }) => effect === "Allow") };
    });
    return resource === undefined ? [] : [{ resource, trusts }];
  });
}
