import { afterAll, beforeAll, expect, it } from "vitest";
import { CloudError, pace } from "../../src/apply/requests.ts";
import { AwsCloud } from "./aws-cloud.ts";
import * as aws from "./aws-engine.ts";
import { AzureCloud } from "./azure-cloud.ts";
import * as azure from "./azure-engine.ts";
import { type Ended, isSuccess } from "./carried-out.ts";
import { GcpCloud } from "./gcp-cloud.ts";
import * as gcp from "./gcp-engine.ts";

let gcpCloud: GcpCloud;
let azureCloud: AzureCloud;
const awsCloud = new AwsCloud();

beforeAll(async () => {
  pace.second = 0;
  [gcpCloud, azureCloud] = await Promise.all([GcpCloud.start(), AzureCloud.start()]);
});
afterAll(() => Promise.all([gcpCloud.stop(), azureCloud.stop()]));

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
      reset: () => awsCloud.reset(),
      apply: () => aws.apply(awsCloud, of),
      differences: () => aws.differences(awsCloud, of),
    };
  },
  "Google Cloud": () => {
    const of = files.gcp();
    return {
      reset: () => gcpCloud.reset(),
      apply: () => gcp.apply(gcpCloud, of),
      differences: () => gcp.differences(gcpCloud, of),
    };
  },
  Azure: () => {
    const of = files.azure();
    return {
      reset: () => azureCloud.reset(),
      apply: () => azure.apply(azureCloud, of),
      differences: () => azure.differences(azureCloud, of),
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
