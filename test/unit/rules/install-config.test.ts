import { describe, expect, it } from "vitest";
import { validate } from "../../../functions/validate-credentials/function.ts";
import { type Any, identity, request } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

/** What is found in an install-config beside a package, without what is found in every one of these. */
function found(installConfig: Any, objects: readonly Any[] = [identity()]): [severity: string, message: string][] {
  const config = resourceOf({ apiVersion: "v1", kind: "InstallConfig", credentialsMode: "Manual", ...installConfig });
  const items = objects.map((value) => resourceOf(value));
  return validate({ items, functionConfig: undefined }, { installConfig: config })
    .filter(({ code }) => code.startsWith("install-config-"))
    .map(({ severity, message }) => [severity, message]);
}

const named = (name: string): Any => ({ metadata: { name } });
const release = (fields: Any): Any => identity({ spec: { release: fields } });
const asking = (annotations: Any): Any =>
  request("one", { annotations, spec: { secretRef: { namespace: "openshift-one", name: "credentials" } } });

describe("an install-config of another cluster", () => {
  it.each<[string, Any, Any, readonly string[]]>([
    ["the identity's name", named("demo"), identity(), []],
    ["its resource prefix", named("pre"), identity({ spec: { resourcePrefix: "pre" } }), []],
    ["no name", {}, identity(), []],
    [
      "another name",
      named("prod"),
      identity({ spec: { resourcePrefix: "pre" } }),
      [
        '"metadata.name" is "prod", but the package is for the ClusterIdentity "demo" with the resource prefix "pre"; use the install-config of this cluster.',
      ],
    ],
  ])("with %s", (_name, config, own, messages) => {
    expect(found(config, [own])).toEqual(messages.map((message) => ["warning", message]));
  });

  it.each<[string, Any, readonly string[]]>([
    ["the region", { aws: { region: "us-east-2" } }, []],
    ["no region", { aws: {} }, []],
    ["no platform", null, []],
    [
      "another region",
      { aws: { region: "eu-west-1" } },
      [
        '"platform.aws.region" is "eu-west-1", but the region in the package is "us-east-2"; use the install-config of this cluster, or correct the region in the package.',
      ],
    ],
    [
      "another platform",
      { gcp: { region: "us-east-2" } },
      ['"platform" is "gcp", but the ClusterIdentity is for "aws"; use the install-config of this cluster.'],
    ],
  ])("with %s", (_name, platform, messages) => {
    expect(found({ platform })).toEqual(messages.map((message) => ["error", message]));
  });

  it("is compared with the region that the package leaves to Infrastructure/cluster", () => {
    const infrastructure = {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
      status: { platformStatus: { type: "AWS", aws: { region: "eu-west-1" } } },
    };
    const config = identity();
    delete config.spec.platform.aws.region;
    expect(found({ platform: { aws: { region: "eu-west-1" } } }, [config, infrastructure])).toEqual([]);
    expect(found({ platform: { aws: { region: "us-east-1" } } }, [config, infrastructure])).toHaveLength(1);
  });

  it("says nothing where there is no ClusterIdentity", () => {
    expect(found({ ...named("prod"), platform: { gcp: {} }, featureSet: "TechPreviewNoUpgrade" }, [])).toEqual([]);
  });
});

describe("an install-config's feature set and gates", () => {
  it.each<[string, Any, Any, readonly string[]]>([
    ["omitted are the default", {}, {}, []],
    ["empty are the default", { featureSet: "" }, {}, []],
    ["are the same", { featureSet: "TechPreviewNoUpgrade" }, { featureSet: "TechPreviewNoUpgrade" }, []],
    [
      "differ",
      { featureSet: "TechPreviewNoUpgrade" },
      {},
      ['"spec.release.featureSet" is "Default", and the install-config\'s feature set is "TechPreviewNoUpgrade".'],
    ],
    [
      "have a gate more, which a request needs",
      { featureSet: "CustomNoUpgrade", featureGates: ["Asked=true", "Other=True"] },
      { featureSet: "CustomNoUpgrade" },
      ['"spec.release.featureGates" lacks what is enabled in the install-config: "Asked". Add it.'],
    ],
    [
      "have a gate off",
      { featureSet: "CustomNoUpgrade", featureGates: ["Mine=false", "what is it"] },
      { featureSet: "CustomNoUpgrade", featureGates: ["Mine", "Unlisted"] },
      ['"spec.release.featureGates" contains what is disabled in the install-config: "Mine". Remove it.'],
    ],
  ])("%s", (_name, config, rules, messages) => {
    const objects = [release(rules), asking({ "release.openshift.io/feature-gate": "Asked" })];
    expect(found(config, objects)).toEqual(messages.map((message) => ["warning", message]));
  });
});

describe("an install-config's capabilities", () => {
  const set = (baselineCapabilitySet: string, ...additionalEnabledCapabilities: string[]): Any => ({
    capabilities: { baselineCapabilitySet, additionalEnabledCapabilities },
  });
  const lacks = (name: string) =>
    `"spec.release.capabilities" lacks what is enabled by the install-config: "${name}". Add it.`;
  const has = (name: string) =>
    `"spec.release.capabilities" contains what is not enabled by the install-config: "${name}". Remove it.`;

  it.each<[string, Any, readonly string[] | undefined, readonly string[]]>([
    ["omitted are all", {}, undefined, []],
    ["omitted are all, and a request needs one that the identity lacks", {}, [], [lacks("Ingress")]],
    ["are those of the release", set("vCurrent"), ["Ingress", "Newer"], []],
    ["are none, and all count", set("None"), undefined, ["off"]],
    ["are none but the one", set("None", "Ingress"), undefined, []],
    ["are none but the one, and the identity says so", set("None", "Ingress"), ["Ingress"], []],
    ["are one more", set("None", "Ingress", "Console"), ["Ingress"], [lacks("Console")]],
    ["are one less", set("None", "Ingress"), ["Ingress", "Console"], [has("Console")]],
    ["are of a set without it", set("v4.15"), ["Ingress"], [has("Ingress")]],
    ["are of a set with it", set("v4.16"), ["Ingress", "Console"], []],
    ["are of a set with it, which the identity lacks", set("v4.18"), ["Console"], [lacks("Ingress")]],
    ["are of a set that is not known", set("v4.99"), ["Ingress", "Console"], []],
    ["are of a set that is not known, and more", set("v4.99", "Console"), [], [lacks("Console")]],
  ])("%s", (_name, config, capabilities, messages) => {
    const objects = [
      release(capabilities === undefined ? {} : { capabilities }),
      asking({ "capability.openshift.io/name": "Ingress" }),
    ];
    const off =
      '"spec.release.capabilities" is not set, which means all capabilities, but requests need what is not enabled by the install-config: "Ingress". Set the field.';
    expect(found(config, objects)).toEqual(messages.map((message) => ["warning", message === "off" ? off : message]));
  });
});
