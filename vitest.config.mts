import { defineConfig } from "vitest/config";

/** The tiers of tests, from the fastest: CONTRIBUTING.md says what is in each. */
const tiers = ["unit", "program", "scripts", "external"];

export default defineConfig({
  test: {
    projects: tiers.map((name) => ({ extends: true, test: { name, include: [`test/${name}/**/*.test.ts`] } })),
    // Most tests wait for programs that they start.
    maxWorkers: "100%",
    setupFiles: ["test/helpers/seed.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ["default", "./test/helpers/closing-line.ts"],
  },
});
