import { inspectors } from "../../clouds/inspectors.ts";
import { clusterFile } from "../../clouds/rendered.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { isMap, type Value } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { digestOfWanted } from "../../core/wanted-resource.ts";
import { isSystemError } from "../../krm/stdio.ts";
import type { ExportedFile } from "../export/export-files.ts";
import { readArgument } from "../files/read-bytes.ts";
import { UsageError } from "../terminal/errors.ts";

/** What `ccf status --result FILE` writes. */
export interface AppliedStatus {
  /** Digest of the wanted resources. */
  readonly digest: string;
  readonly time: Date;
  readonly verdict: "in sync" | "drift" | "unknown";
}

/** Reads the result of a status. */
export function readStatus(file: string): AppliedStatus | Finding {
  let value: Value;
  try {
    value = JSON.parse(readArgument(file).toString("utf8")) as Value;
  } catch (error) {
    if (error instanceof SyntaxError) return invalid(file);
    if (!isSystemError(error)) throw error;
    const { code = "error" } = error;
    throw new UsageError(`--status ${quote(file)} cannot be read (${code}); "ccf status --result FILE" writes it`);
  }
  if (!isMap(value)) return invalid(file);
  const { digest, time, verdict } = value;
  if (verdict !== "in sync" && verdict !== "drift" && verdict !== "unknown") return invalid(file);
  const isTime = typeof time === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time);
  if (typeof digest !== "string" || !isTime || Number.isNaN(Date.parse(time))) return invalid(file);
  return { digest, time: new Date(time), verdict };
}

function invalid(file: string): Finding {
  const message = `${quote(file)} is not the result of a status; "ccf status --result FILE" writes one.`;
  return finding("error", "status-invalid", message);
}

/**
 * The digest that a result for these files has; undefined if they do not tell which resources the cluster has, for example because
 * one was edited. Two packages without resources would have one digest, so they have none.
 */
export function wantedDigest(files: readonly Pick<ExportedFile, "path" | "text">[]): string | undefined {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const inspector = inspectors.find(({ name }) => texts.has(`${name}/${clusterFile}`));
  if (inspector === undefined) return undefined;
  try {
    const wanted = inspector.wanted(texts);
    return wanted.length === 0 ? undefined : digestOfWanted(wanted);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const hour = 60 * 60 * 1000;
const longestHours = 24;
/** The clocks of two machines may differ by this much. */
const maxAhead = 0.25 * hour;

/** Whether the cloud may have changed since a result, or its time is in the future. */
export function isOutdated({ time }: AppliedStatus, now: Date): boolean {
  const age = now.getTime() - time.getTime();
  return age > longestHours * hour || age < -maxAhead;
}

/** Why a result is not valid for a package, or undefined if it is. */
export function statusProblem(status: AppliedStatus, files: readonly ExportedFile[], now: Date): Finding | undefined {
  const { digest, time, verdict } = status;
  const again = 'apply the package, and then run "ccf status --result FILE"';
  if (wantedDigest(files) !== digest) {
    const message = `The cloud was compared with another package, or with an earlier state of this one; ${again}.`;
    return finding("error", "status-of-another-package", message);
  }
  if (verdict !== "in sync") {
    const found =
      verdict === "drift"
        ? "The cloud differs from the package"
        : "It is not known whether the cloud matches the package";
    return finding("error", "status-not-in-sync", `${found}; ${again}.`);
  }
  if (!isOutdated(status, now)) return undefined;
  const when = time > now ? "in the future" : `more than ${longestHours} hours ago`;
  const message = `The cloud was found in sync at ${time.toISOString().replace(".000", "")}, ${when}, and may have changed; ask for its status again.`;
  return finding("error", "status-outdated", message);
}
