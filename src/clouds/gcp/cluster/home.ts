import { type Value, valueAt } from "../../../core/resource.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import { type ClusterHome, type Home, knownNames } from "../../home.ts";

/**
 * Where a cluster on Google Cloud is. The account is the ID of its project.
 *
 * @param spec the value of `spec.platform.gcp`
 */
function read(spec: Value): ClusterHome {
  const [project, region] = [valueAt(spec, ["projectID"]), valueAt(spec, ["region"])];
  const account = typeof project === "string" ? project : undefined;
  return {
    account,
    region: typeof region === "string" ? region : defaults["spec.platform.gcp.region"],
    names: knownNames({ project: account }),
  };
}

/** Where a cluster is, and the cloud's own name for a part of it. */
export const gcpHome: Home = { names: ["project"], read };
