import { expect, it } from "vitest";
import { CloudError } from "../../src/apply/requests.ts";
import * as aws from "./aws-engine.ts";
import * as azure from "./azure-engine.ts";
import { type Ended, isSuccess } from "./carried-out.ts";
import * as gcp from "./gcp-engine.ts";
import { runningClouds } from "./running-clouds.ts";

const running = runningClouds();

/** How often two runs race: `CCF_RACES=20 npx vitest run test/apply/two-runs` races more often. */
const races = Number(process.env["CCF_RACES"] ?? 3);

const files = {
  aws: () => aws.exportedFiles(),
  gcp: () => gcp.exportedFiles({ keyStorage: "Bucket" }),
  azure: () => azure.exportedFiles(),
};

interface Cloud {
  reset(): void;
  apply(): Promise<Ended>;
  differences(): Promise<string[]>;
}

const clouds: Readonly<Record<string, () => Cloud>> = {
  AWS: () => {
    const of = files.aws();
    return {
      reset: () => running.aws.reset(),
      apply: () => aws.apply(running.aws, of),
      differences: () => aws.differences(running.aws, of),
    };
  },
  "Google Cloud": () => {
    const of = files.gcp();
    return {
      reset: () => running.gcp.reset(),
      apply: () => gcp.apply(running.gcp, of),
      differences: () => gcp.differences(running.gcp, of),
    };
  },
  Azure: () => {
    const of = files.azure();
    return {
      reset: () => running.azure.reset(),
      apply: () => azure.apply(running.azure, of),
      differences: () => azure.differences(running.azure, of),
    };
  },
};

it.each(Object.keys(clouds))(
  "two runs at once on %s: a success is one, and one more run completes the rest",
  async (name) => {
    const cloud = clouds[name]?.() as Cloud;
    for (let race = 0; race < races; race++) {
      cloud.reset();
      // The second one starts at different moments of the first one.
      const later = new Promise((resolve) => setTimeout(resolve, race * 7));
      const ends = await Promise.allSettled([cloud.apply(), later.then(() => cloud.apply())]);
      for (const end of ends) if (end.status === "rejected") expect(end.reason).toBeInstanceOf(CloudError);
      const ended = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
      const problems = ended.flatMap(({ failed }) => failed.map(({ problem }) => problem));
      // A loser is told what happened, and that the next run sees it.
      for (const problem of problems) expect(problem).toMatch(/Run the same command again|is still changing|needs/);
      if (ended.length === 2 && ended.every(isSuccess)) expect(await cloud.differences()).toEqual([]);
      const last = await cloud.apply();
      expect(isSuccess(last), JSON.stringify(last.failed.map(({ problem }) => problem))).toBe(true);
      expect(await cloud.differences()).toEqual([]);
    }
  },
);
