import type { Call, How, Seed, State, StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { Administrator } from "../../helpers/gcp-administrator.ts";
import { expectError, type FaultyCloud, isKilled } from "../faults.ts";

/** GCP for `expectTheSameEnd`. */
export function faultyGcp(gcloud: StubGcloud): FaultyCloud<Call, How, Seed, State> {
  return {
    stub: gcloud,
    directory: "gcp",
    run: (out, script, flags) => new Administrator(gcloud, out).run(script, flags),
    whole: () => gcloud.state(),
    before: ["refused", "unavailable", "killed-before"],
    after: ["killed-after", "lost"],
    repeated: "lost-and-retried",
    operationOf: ({ command }) => command,
    targetOf: ({ command, names }) => [command.split(" ").slice(0, -1).join(" "), ...names].join(" "),
    expectToSay(run, call, how, when) {
      if (isKilled(run, how, when)) return;
      // gcloud itself repeated a change that had succeeded. If that is not an error, nothing failed.
      if (how === "lost-and-retried" && run.status === 0) return;
      // If these credentials may not read the former bucket, it is nothing to report.
      const isBucket = call.command === "storage buckets describe";
      if (run.status === 0 && isBucket) return;
      const named = `error: gcloud ${call.command.split(" ").slice(0, 3).join(" ")}`;
      expectError(run, isBucket ? "error: " : named, when);
    },
  };
}
