import { type Finding, type FindingCode, finding } from "../../core/finding.ts";
import { clearStage, type WriteTarget, wasInterrupted } from "./stage.ts";

/**
 * Clears the stage of an interrupted run. If nothing may be written, reports the interrupted run instead.
 *
 * @param commandLine the command line that finishes the interrupted run.
 */
export function afterInterruption(
  code: FindingCode,
  target: WriteTarget,
  writes: boolean,
  commandLine: string,
): Finding[] {
  if (!wasInterrupted(target)) return [];
  if (writes) clearStage(target);
  const then = writes ? "This run finishes it." : `Run "${commandLine}" to finish it.`;
  const message = `An earlier run was interrupted; each file has either its old or its new content. ${then}`;
  return [finding("warning", code, message)];
}
