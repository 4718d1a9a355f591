import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Runs the nearest tests first, and tables before random cases: the first failure ends the run of a mutant. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      /\/(?:documents|fuzz|hostile)\.test\.ts$|\/test\/apply\//.test(moduleId)
        ? 2
        : /\/test\/unit\/(?:krm|core|apply|permissions|requests)\//.test(moduleId)
          ? 0
          : 1;
    return [...files].sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    // Much of src/apply is about requests and answers: the file of each cloud, and of what all have in common.
    include: ["test/unit/**/*.test.ts", "test/apply/+([a-z]).test.ts"],
    // These change the directory or the user of the process, which is impossible in a thread of Stryker.
    exclude: ["test/unit/cli/fleet-{find-packages,touched}.test.ts"],
    globalSetup: ["test/helpers/resident/build.ts"],
    setupFiles: ["test/helpers/setup.ts"],
    testTimeout: 120_000,
    isolate: false,
    sequence: { sequencer: NearestFirst },
    env: { CCF_PROPERTY_RUNS: "40", CCF_FUZZ_CASES: "200" },
  },
});
