import { cloudOfPath } from "../../clouds/index.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { isMap, type Value } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { digestOf, type ExportedFile, writeList } from "../export/export-files.ts";
import { readArgument } from "../files/read-bytes.ts";
import { UsageError } from "../terminal/errors.ts";

/** What `status.sh --result FILE` writes when the cloud is in sync. */
export interface AppliedStatus {
  /** Digest of the list of files that the scripts read. */
  readonly package: string;
  readonly time: Date;
}

/** Reads a result of status.sh. */
export function readStatus(file: string): AppliedStatus | Finding {
  let value: Value;
  try {
    value = JSON.parse(readArgument(file).toString("utf8")) as Value;
  } catch (error) {
    if (error instanceof SyntaxError) return invalid(file);
    if (!isSystemError(error)) throw error;
    const { code = "error" } = error;
    throw new UsageError(`--status ${quote(file)} cannot be read (${code}); "status.sh --result FILE" writes it`);
  }
  if (!isMap(value) || value["status"] !== "in sync") return invalid(file);
  const { package: digest, time } = value;
  const isTime = typeof time === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time);
  if (typeof digest !== "string" || !isTime || Number.isNaN(Date.parse(time))) return invalid(file);
  return { package: digest, time: new Date(time) };
}

function invalid(file: string): Finding {
  const message = `${quote(file)} is not a result of status.sh; "status.sh --result FILE" writes one when the cloud is in sync.`;
  return finding("error", "status-invalid", message);
}

/** The digest that status.sh writes for these files: that of the lines of SHA256SUMS for what the scripts read. */
export function appliedDigest(files: readonly Pick<ExportedFile, "path" | "text">[]): string {
  const read = files.filter(({ path }) => cloudOfPath(path) !== undefined);
  return digestOf(writeList(new Map(read.map(({ path, text }) => [path, [digestOf(text)]]))));
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
  const { package: digest, time } = status;
  const again = 'export the package, run "apply.sh", then "status.sh --result FILE"';
  if (digest !== appliedDigest(files)) {
    const message = `The cloud was in sync with another package, or with an earlier state of this one; ${again}.`;
    return finding("error", "status-of-another-package", message);
  }
  if (!isOutdated(status, now)) return undefined;
  const when = time > now ? "in the future" : `more than ${longestHours} hours ago`;
  const message = `The cloud was found in sync at ${time.toISOString().replace(".000", "")}, ${when}, and may have changed; run "status.sh --result FILE" again.`;
  return finding("error", "status-outdated", message);
}
