import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Runs the nearest tests first, and tables before random cases: the first failure ends the run of a mutant. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      /\/(?:documents|fuzz|hostile)\.test\.ts$/.test(moduleId)
        ? 2
        : /\/test\/unit\/(?:krm|core)\//.test(moduleId)
          ? 0
          : 1;
    return [...files].sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    include: ["test/unit/{krm,core,aws,requests,oidc,openshift,identity,rules,cli}/**/*.test.ts"],
    setupFiles: ["test/helpers/setup.ts"],
    testTimeout: 120_000,
    isolate: false,
    sequence: { sequencer: NearestFirst },
    env: { CCF_PROPERTY_RUNS: "40", CCF_FUZZ_CASES: "200" },
  },
});
