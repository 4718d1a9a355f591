import { describe, expect, it } from "vitest";
import type { ValueMap } from "../../../src/core/resource.ts";
import { defaultRelease, type ReleaseFilter } from "../../../src/requests/release-filter.ts";
import { releaseNames, releaseObject } from "../../../src/requests/release-object.ts";
import { unknownReleaseNames } from "../../../src/requests/unknown-names.ts";
import { identity } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

const names = { namespaces: ["openshift-b", "openshift-a"], capabilities: ["New", "Ingress"] };

describe("the names that a package knows of its release", () => {
  it("are those of its object, sorted", () => {
    const object = resourceOf(releaseObject(names));
    expect(releaseNames([object])).toEqual({
      namespaces: ["openshift-a", "openshift-b"],
      capabilities: ["Ingress", "New"],
    });
    expect(releaseNames([resourceOf(releaseObject({ namespaces: [], capabilities: [] }))])).toEqual({
      namespaces: [],
      capabilities: [],
    });
    expect(releaseNames([])).toBeUndefined();
  });

  it("are not those of another object, and no text that cannot be a name", () => {
    const object = releaseObject(names);
    for (const other of [{ metadata: { name: "release" } }, { kind: "Secret" }, { apiVersion: "example.com/v1" }])
      expect(releaseNames([resourceOf({ ...object, ...other })])).toBeUndefined();
    expect(
      releaseNames([
        resourceOf({ ...object, data: { namespaces: "Not a name\n\nfine", capabilities: 5 } } as ValueMap),
      ]),
    ).toEqual({
      namespaces: ["fine"],
      capabilities: [],
    });
  });

  it("are known in the configuration", () => {
    const config = resourceOf(identity());
    const doubtful = (items: Parameters<typeof unknownReleaseNames>[1], filter: Partial<ReleaseFilter> = {}) =>
      unknownReleaseNames({ ...defaultRelease, capabilities: ["New"], ...filter }, items, config).map(
        ({ code }) => code,
      );
    expect(doubtful([])).toEqual(["release-name-unknown"]);
    expect(doubtful([resourceOf(releaseObject(names))])).toEqual([]);
    expect(doubtful([], { capabilities: [], profile: "hypershift" })).toEqual([]);
    const gates = { apiVersion: "config.openshift.io/v1", kind: "FeatureGate", metadata: { name: "cluster" } };
    const status = { featureGates: [{ enabled: [{ name: "Newest" }], disabled: [] }] };
    const filter = { capabilities: [], featureGates: ["Newest"] };
    expect(doubtful([], filter)).toEqual(["release-name-unknown"]);
    expect(doubtful([resourceOf({ ...gates, status })], filter)).toEqual([]);
  });
});
