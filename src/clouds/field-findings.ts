import { type Finding, type FindingCode, finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";

/** Records a finding about a field of the config. Returns undefined, so that a reader can return the call itself. */
export type Report = (
  severity: "error" | "warning" | "info",
  code: FindingCode,
  field: string,
  message: string,
) => undefined;

/** A report that collects findings about one config. */
export function reportTo(findings: Finding[], resource: Resource): Report {
  return (severity, code, field, message) => {
    findings.push(finding(severity, code, message, { resource, field }));
    return undefined;
  };
}
