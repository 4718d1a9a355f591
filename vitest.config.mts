import { defineConfig } from "vitest/config";

/**
 * The tiers of tests, from the fastest: CONTRIBUTING.md says what is in each. Files share what they import, and so must not
 * mock a module: importing takes longer than most tests. Real tools get a process to each file.
 */
const tiers = [
  { name: "unit", isolate: false },
  { name: "program", isolate: false },
  // One file, which adds a row to the tables of clouds.
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
    // Most tests wait for programs that they start.
    maxWorkers: "100%",
    setupFiles: ["test/helpers/setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ["default", "./test/helpers/closing-line.ts"],
  },
});
