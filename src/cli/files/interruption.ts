import { type Finding, type FindingCode, finding } from "../../core/finding.ts";
import { clearStage, type WriteTarget, wasInterrupted } from "./stage.ts";

/**
 * Clears away what an interrupted run left, or says, where nothing may be written, that there is something to finish.
 *
 * @param commandLine what finishes it.
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
  const message = `An earlier run was interrupted; each file is the old or the new one. ${then}`;
  return [finding("warning", code, message)];
}
