import { defineConfig } from "vitest/config";

// `npm run test:live`. Separate from all other tests, because these tests change a real account.
export default defineConfig({
  test: {
    include: ["test/live/**/*.live.ts"],
    testTimeout: 900_000,
    hookTimeout: 900_000,
    fileParallelism: false,
    sequence: { concurrent: false },
    bail: 1,
  },
});
