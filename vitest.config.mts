import { defineConfig } from "vitest/config";

/**
 * The tiers of tests, fastest first: see "Tests" in CONTRIBUTING.md. Importing takes longer than most tests, so files without
 * isolation share the modules that they import and must not mock a module. Tests of real tools run in a process per file.
 */
const tiers = [
  { name: "unit", isolate: false },
  { name: "program", isolate: false },
  // One file, which adds rows to the tables of clouds.
  { name: "seam", isolate: true },
  { name: "scripts", isolate: true },
  { name: "external", isolate: true },
];

export default defineConfig({
  test: {
    projects: tiers.map(({ name, isolate }) => ({
      extends: true,
      test: { name, isolate, include: [`test/${name}/**/*.test.ts`] },
    })),
    // Most tests wait for programs.
    maxWorkers: "100%",
    setupFiles: ["test/helpers/setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ["default", "./test/helpers/closing-line.ts"],
  },
});
