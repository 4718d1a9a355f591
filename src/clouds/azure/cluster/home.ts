import { type Value, valueAt } from "../../../core/resource.ts";
import { type ClusterHome, type Home, knownNames } from "../../home.ts";

/**
 * Where a cluster on Azure is. The account is the ID of its subscription.
 *
 * @param spec the value of `spec.platform.azure`
 */
function read(spec: Value): ClusterHome {
  const [subscription, region] = [valueAt(spec, ["subscriptionID"]), valueAt(spec, ["region"])];
  const account = typeof subscription === "string" ? subscription.toLowerCase() : undefined;
  return {
    account,
    region: typeof region === "string" ? region : undefined,
    names: knownNames({ subscription: account }),
  };
}

/** Where a cluster is, and the cloud's own name for a part of it. */
export const azureHome: Home = { names: ["subscription"], read };
