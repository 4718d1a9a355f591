import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Most tests wait for programs that they start.
    maxWorkers: "100%",
    setupFiles: ["test/helpers/seed.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ["default", "./test/helpers/closing-line.ts"],
  },
});
