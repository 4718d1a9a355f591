import { type Resource, type Value, valueAt } from "../../../core/resource.ts";
import { configTexts } from "../../../openshift/config-object.ts";
import { type ClusterHome, type Home, knownNames } from "../../home.ts";
import { partitionOfRegion } from "./regions.ts";

/**
 * Where a cluster on AWS is.
 *
 * @param spec the value of `spec.platform.aws`
 * @param items the package's items: without a region in the config, the region is that of Infrastructure/cluster.
 */
function read(spec: Value, items: readonly Resource[]): ClusterHome {
  const text = (key: string): string | undefined => {
    const value = valueAt(spec, [key]);
    return typeof value === "string" ? value : undefined;
  };
  const [live, other] = configTexts(items, "Infrastructure", ["status", "platformStatus", "aws", "region"]);
  const region = text("region") ?? (other === undefined ? live : undefined);
  const partition = text("partition") ?? (region === undefined ? undefined : partitionOfRegion(region)?.id);
  return { account: text("accountID"), region, names: knownNames({ partition }) };
}

/** Where a cluster is, and the cloud's own name for a part of it. */
export const awsHome: Home = { names: ["partition"], read };
