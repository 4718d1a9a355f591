/*
 * Which capabilities a baseline set enables (OpenShift API, config/v1, ClusterVersionCapabilitySets), as of OpenShift
 * 4.18, read in November 2026. A set "will remain the same no matter which version of OpenShift is installed", except
 * for capabilities that were split from the platform later: these were added to older sets too, which had always
 * included them.
 */

const v411 = ["baremetal", "MachineAPI", "marketplace", "openshift-samples"];
const v412 = [...v411, "Console", "CSISnapshot", "Insights", "Storage"];
const v413 = [...v412, "NodeTuning"];
const v414 = [...v413, "Build", "DeploymentConfig", "ImageRegistry"];
const v415 = [...v414, "CloudCredential", "OperatorLifecycleManager"];
const v416 = [...v415, "CloudControllerManager", "Ingress"];
const v418 = [...v416, "OperatorLifecycleManagerV1"];

const baselines: ReadonlyMap<string, readonly string[]> = new Map([
  ["None", []],
  ["v4.11", v411],
  ["v4.12", v412],
  ["v4.13", v413],
  ["v4.14", v414],
  ["v4.15", v415],
  ["v4.16", v416],
  ["v4.17", v416],
  ["v4.18", v418],
]);

/**
 * The capabilities that a baseline set enables: "all" for the current set of a release, and undefined for an unknown
 * set.
 *
 * @param name the value of `baselineCapabilitySet`; "" if the field is omitted, which means "vCurrent".
 */
export function baselineCapabilities(name: string): readonly string[] | "all" | undefined {
  return name === "" || name === "vCurrent" ? "all" : baselines.get(name);
}
