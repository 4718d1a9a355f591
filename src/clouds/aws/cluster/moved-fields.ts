import { type Finding, finding } from "../../../core/finding.ts";
import { isMap, type Resource, valueAt } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";

const previousSecretField = "spec.platform.aws.secret";
const encoding = "spec.secret.encoding";
const includeRegion = "spec.platform.aws.includeRegionInSecret";

/** Previous paths of fields, and their current paths. */
const moved: readonly (readonly [former: RegExp, now: readonly string[]])[] = [
  [/^spec\.platform\.aws\.operators$/, ["spec.operators"]],
  [/^spec\.platform\.aws\.(overrides[.[].*\.(?:skip|serviceAccountNames))$/s, ["spec.$1"]],
  [/^spec\.platform\.aws\.secret$/, [encoding, includeRegion]],
  [/^spec\.platform\.aws\.secret\.encoding$/, [encoding]],
  [/^spec\.platform\.aws\.secret\.includeRegion$/, [includeRegion]],
];

/** Replaces the findings about unknown fields that have moved with their new paths; all other findings stay. */
export function withMovedFields(findings: readonly Finding[], resource: Resource): Finding[] {
  return findings.flatMap((finding) =>
    finding.code !== "config-unknown-field" || finding.field === undefined
      ? [finding]
      : previousFields(finding.field, resource).map((field) => movedFrom(field, resource) ?? finding),
  );
}

// The two fields of the old mapping have moved to different paths.
function previousFields(field: string, resource: Resource): string[] {
  const secret = field === previousSecretField ? valueAt(resource.value(), field.split(".")) : undefined;
  const names = isMap(secret) ? Object.keys(secret) : [];
  const areKnown = names.length > 0 && names.every((name) => name === "encoding" || name === "includeRegion");
  return areKnown ? names.map((name) => `${field}.${name}`) : [field];
}

function movedFrom(field: string, resource: Resource): Finding | undefined {
  const [former, now] = moved.find(([path]) => path.test(field)) ?? [];
  if (former === undefined || now === undefined) return undefined;
  const paths = now.map((path) => quoteWhole(field.replace(former, path)));
  const message = `${quoteWhole(field)} has moved; write it as ${paths.join(" and ")}.`;
  return finding("error", "config-moved-field", message, { resource, field });
}
