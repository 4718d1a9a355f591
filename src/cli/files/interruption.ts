import { type Finding, finding } from "../../core/finding.ts";
import { clearStage, type WriteTarget, wasInterrupted } from "./stage.ts";

const codes = {
  render: "render-interrupted",
  export: "export-interrupted",
  "create-key-pair": "key-pair-interrupted",
} as const;

/**
 * Clears away what an interrupted run left, or says, where nothing may be written, that there is something to finish.
 *
 * @param commandLine what finishes it.
 */
export function afterInterruption(target: WriteTarget, writes: boolean, commandLine: string): Finding[] {
  if (!wasInterrupted(target)) return [];
  if (writes) clearStage(target);
  const then = writes ? "This run finishes it." : `Run "${commandLine}" to finish it.`;
  const message = `An earlier run was interrupted; each file is the old or the new one. ${then}`;
  return [finding("warning", codes[target.command], message)];
}
