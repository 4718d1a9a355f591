import { afterAll, beforeAll } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import { AwsCloud } from "./aws-cloud.ts";
import { AzureCloud } from "./azure-cloud.ts";
import { GcpCloud } from "./gcp-cloud.ts";

/** A stand-in for each cloud. */
interface RunningClouds {
  readonly aws: AwsCloud;
  gcp: GcpCloud;
  azure: AzureCloud;
}

/** Stand-ins for all clouds that run during the tests of a file. Nothing waits between requests. */
export function runningClouds(): RunningClouds {
  const running = { aws: new AwsCloud() } as RunningClouds;
  beforeAll(async () => {
    pace.second = 0;
    [running.gcp, running.azure] = await Promise.all([GcpCloud.start(), AzureCloud.start()]);
  });
  afterAll(() => Promise.all([running.gcp.stop(), running.azure.stop()]));
  return running;
}
