import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { planCommands } from "../../../src/apply/show.ts";
import { GcpCloud } from "../../apply/gcp-cloud.ts";
import {
  apply,
  destroy,
  destroyPlan,
  differences,
  exportedFiles,
  open,
  plan,
  problems,
} from "../../apply/gcp-engine.ts";
import { RealGcloud } from "../../helpers/real-gcloud.ts";
import { temporary } from "../../helpers/temporary.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

type Files = ReadonlyMap<string, string>;

let cloud: GcpCloud;
let gcloud: RealGcloud;

beforeAll(async () => {
  cloud = await GcpCloud.start();
  gcloud = await RealGcloud.start(cloud.world.address);
});
afterAll(async () => {
  await gcloud.stop();
  await cloud.stop();
});

/** Runs lines as they were printed, in a directory with the files of the export. */
async function execute(files: Files, lines: readonly string[]): Promise<void> {
  const directory = temporary();
  for (const [path, text] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  for (const line of lines) {
    const { status, stderr } = await gcloud.run("sh", ["-c", line.replaceAll("gcloud ", "gcloud --quiet ")], {
      cwd: directory,
    });
    expect([line, status, status === 0 ? "" : stderr]).toEqual([line, 0, ""]);
  }
}

describe.each(["PoolJWKFile", "Bucket"])(
  "the real gcloud creates everything, with the keys in %s, from",
  (keyStorage) => {
    it.each([
      ["commands.txt", (files: Files) => Promise.resolve((files.get("gcp/commands.txt") ?? "").split("\n"))],
      [
        "-o commands",
        async (files: Files) => {
          const target = open(cloud, files);
          return planCommands(target, await plan(target));
        },
      ],
    ])("%s, and the engine says in sync", async (_, linesOf) => {
      cloud.reset({}, { pending: 0 });
      const files = exportedFiles({ keyStorage });
      const lines = (await linesOf(files)).filter((line) => line.startsWith("gcloud "));
      expect(lines).toHaveLength(keyStorage === "Bucket" ? 15 : 11);
      await execute(files, lines);
      expect(await differences(cloud, files)).toEqual([]);
    });
  },
);

it("the real gcloud repairs and removes what the engine created", async () => {
  cloud.reset({}, { pending: 0 });
  const files = exportedFiles({ keyStorage: "Bucket" });
  expect(problems(await apply(cloud, files))).toBe("");
  for (const one of Object.values(cloud.state.accounts)) Object.assign(one, { disabled: true, displayName: "x" });
  for (const one of Object.values(cloud.state.roles)) one.title = "x";
  for (const one of Object.values(cloud.state.pools)) one.displayName = "x";
  cloud.state.policy.bindings.splice(0, 1);
  const target = open(cloud, files);
  await execute(files, planCommands(target, await plan(target)));
  expect(await differences(cloud, files)).toEqual([]);
  const last = open(cloud, files);
  await execute(files, planCommands(last, await destroyPlan(last)));
  expect([cloud.state.accounts, cloud.state.buckets, cloud.state.policy.bindings]).toEqual([{}, {}, []]);
  expect(problems(await destroy(cloud, files, true))).toBe("");
});
