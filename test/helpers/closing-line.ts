import type { Reporter, TestModule } from "vitest/node";

/**
 * Ends the output with `N passed, N failed, N skipped`, after the list of omitted tests in CCF_NOT_RUN; in CI fails where a test
 * was skipped that should have run.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
    }
    const { passed, failed, skipped, pending } = counts;
    if (process.env["CI"] === "true" && skipped + pending > 0) {
      process.exitCode = 1;
      process.stdout.write("Tests were skipped, and in CI nothing may be: install what they need.\n");
    }
    const notRun = process.env["CCF_NOT_RUN"];
    if (notRun !== undefined) process.stdout.write(`Not run: ${notRun}\n`);
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped + pending} skipped\n`);
  }
}
