import { defineConfig } from "vitest/config";

// Apart from the other tests: what is here changes a real account. `npm run test:live`.
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
