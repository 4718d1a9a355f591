import { type Finding, type FindingCode, finding } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";

/** Notes a finding about a field of the config; returns nothing, so that a reader can end with it. */
export type Report = (severity: "error" | "warning", code: FindingCode, field: string, message: string) => undefined;

/** A report that collects findings about one config. */
export function reportTo(findings: Finding[], resource: Resource): Report {
  return (severity, code, field, message) => {
    findings.push(finding(severity, code, message, { resource, field }));
    return undefined;
  };
}
