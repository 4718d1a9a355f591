/** Mutation testing: see docs/development/mutation-testing.md. */
export default {
  mutate: ["src/{yaml,krm,core,apply,permissions,requests}/**/*.ts", "!src/krm/stdio.ts", "!src/**/findings.ts"],
  plugins: ["@stryker-mutator/vitest-runner"],
  testRunner: "vitest",
  vitest: { configFile: "vitest.mutation.config.mts", related: false },
  // Some tests take what they need from the program, which must not be older than the sources.
  buildCommand: "node tools/build.mjs",
  coverageAnalysis: "perTest",
  // One process runs all tests first.
  dryRunTimeoutMinutes: 60,
  concurrency: 1,
  incremental: true,
  incrementalFile: "reports/mutation/incremental.json",
  // Stryker must not rewrite the TypeScript configuration, because nothing is compiled.
  tsconfigFile: "none",
  clearTextReporter: { logTests: false, reportTests: false },
  reporters: ["clear-text", "progress-append-only", "html", "json"],
};
