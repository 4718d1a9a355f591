/** Mutation testing of `src/yaml`, `src/krm` and `src/core`: see docs/development/mutation-testing.md. */
export default {
  mutate: ["src/yaml/**/*.ts", "src/krm/**/*.ts", "src/core/**/*.ts", "!src/krm/stdio.ts", "!src/**/findings.ts"],
  plugins: ["@stryker-mutator/vitest-runner"],
  testRunner: "vitest",
  vitest: { configFile: "vitest.mutation.config.mts", related: false },
  coverageAnalysis: "perTest",
  concurrency: 1,
  incremental: true,
  incrementalFile: "reports/mutation/incremental.json",
  // Stryker must not rewrite the TypeScript configuration, because nothing is compiled.
  tsconfigFile: "none",
  clearTextReporter: { logTests: false, reportTests: false },
  reporters: ["clear-text", "progress-append-only", "html", "json"],
};
