import { defineConfig } from "vitest/config";

const clouds = ["aws", "gcp", "azure"].filter((cloud) => process.env[`CCF_LIVE_${cloud.toUpperCase()}`] === "1");
if (clouds.length === 0)
  throw new Error(
    "These tests change real accounts. Set CCF_LIVE_AWS=1, CCF_LIVE_GCP=1, or CCF_LIVE_AZURE=1, and log in to an account for such tests.",
  );

// `npm run test:live`. Separate from all other tests, because these tests change real accounts.
export default defineConfig({
  test: {
    include: clouds.map((cloud) => `test/live/${cloud}.live.ts`),
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    fileParallelism: false,
    sequence: { concurrent: false },
    bail: 1,
  },
});
