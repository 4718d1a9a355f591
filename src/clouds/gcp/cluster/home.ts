import { type Value, valueAt } from "../../../core/resource.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import { type ClusterHome, knownNames } from "../../home.ts";

/**
 * Where a cluster on Google Cloud is. The account is the ID of its project.
 *
 * @param spec the value of `spec.platform.gcp`
 */
export function gcpHome(spec: Value): ClusterHome {
  const [project, region] = [valueAt(spec, ["projectID"]), valueAt(spec, ["region"])];
  const account = typeof project === "string" ? project : undefined;
  return {
    account,
    region: typeof region === "string" ? region : defaults["spec.platform.gcp.region"],
    names: knownNames({ project: account }),
  };
}
