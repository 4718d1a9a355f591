import { type Value, valueAt } from "../../../core/resource.ts";
import { type ClusterHome, knownNames } from "../../home.ts";

/**
 * Where a cluster on Azure is. The account is the ID of its subscription.
 *
 * @param spec the value of `spec.platform.azure`
 */
export function azureHome(spec: Value): ClusterHome {
  const [subscription, region] = [valueAt(spec, ["subscriptionID"]), valueAt(spec, ["region"])];
  const account = typeof subscription === "string" ? subscription.toLowerCase() : undefined;
  return {
    account,
    region: typeof region === "string" ? region : undefined,
    names: knownNames({ subscription: account }),
  };
}
