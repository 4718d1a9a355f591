import { describe, expect, it } from "vitest";
import { authenticationFor, authenticationPath, issuerOf } from "../../../src/openshift/authentication.ts";
import type { Any } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

const issuer = "https://new.example.com";
const old = "https://old.example.com";
const ours = { "fn.cloudcredential.dev/generated-by": "generate-oidc-issuer/demo" };

const neverPruned = {
  "argocd.argoproj.io/sync-options": "Prune=false,Delete=false",
  "client.lifecycle.config.k8s.io/deletion": "detach",
  "kustomize.toolkit.fluxcd.io/prune": "disabled",
};

function authentication(spec: Any, metadata: Any = {}, more: Any = {}): Any {
  const head = { apiVersion: "config.openshift.io/v1", kind: "Authentication" };
  return { ...head, metadata: { name: "cluster", ...metadata }, ...(spec === undefined ? {} : { spec }), ...more };
}

const fresh = {
  path: authenticationPath,
  object: authentication({ serviceAccountIssuer: issuer }),
  annotations: neverPruned,
};
const replaced = {
  severity: "warning",
  code: "issuer-replaced",
  message: `named the issuer "${old}"; it is replaced by "${issuer}". In a cluster that runs, tokens of the old issuer count for 24 hours more.`,
  resource: { apiVersion: "config.openshift.io/v1", kind: "Authentication", name: "cluster" },
  field: "spec.serviceAccountIssuer",
  file: { path: authenticationPath, index: 0 },
};

const inPlace = (object: Any) => resourceOf(object, { path: authenticationPath });

it("is a new object where none is there", () => {
  expect(authenticationFor(issuer, [])).toEqual({ objects: [fresh], changes: [], preserved: [], findings: [] });
});

it.each([
  ["another group", { ...authentication({}), apiVersion: "operator.openshift.io/v1" }],
  ["another kind", { ...authentication({}), kind: "Infrastructure" }],
  ["another name", authentication({}, { name: "other" })],
])("is a new object beside one of %s", (_, other) => {
  expect(authenticationFor(issuer, [inPlace(other)])).toEqual({
    objects: [fresh],
    changes: [],
    preserved: [],
    findings: [],
  });
});

describe("made by hand", () => {
  it.each<[string, Any, boolean]>([
    ["no spec", undefined, false],
    ["an empty spec", {}, false],
    ["an empty issuer", { serviceAccountIssuer: "" }, false],
    ["no text as issuer", { serviceAccountIssuer: 5 }, false],
    ["another issuer", { serviceAccountIssuer: old }, true],
    ["another issuer and more", { type: "IntegratedOAuth", serviceAccountIssuer: old }, true],
  ])("with %s, is kept with its issuer set", (_, spec, warned) => {
    const resource = inPlace(authentication(spec));
    expect(authenticationFor(issuer, [resource])).toEqual({
      objects: [],
      changes: [{ resource, path: ["spec", "serviceAccountIssuer"], value: issuer }],
      preserved: [resource],
      findings: warned ? [replaced] : [],
    });
  });

  it("with the right issuer, is kept as it is", () => {
    const resource = inPlace(authentication({ serviceAccountIssuer: issuer, type: "x" }));
    expect(authenticationFor(issuer, [resource])).toEqual({
      objects: [],
      changes: [],
      preserved: [resource],
      findings: [],
    });
  });

  it.each([
    [`${issuer}/`, true],
    [issuer.toUpperCase(), true],
  ])("with nearly the right one, %s, is changed and warned about", (near) => {
    const { changes, findings } = authenticationFor(issuer, [inPlace(authentication({ serviceAccountIssuer: near }))]);
    expect(changes).toHaveLength(1);
    expect(findings.map(({ code }) => code)).toEqual(["issuer-replaced"]);
  });
});

describe("made by this function", () => {
  it("and not touched, is made anew: no change, nothing kept", () => {
    const resource = inPlace(authentication({ serviceAccountIssuer: old }, { annotations: ours }));
    expect(authenticationFor(issuer, [resource])).toEqual({
      objects: [fresh],
      changes: [],
      preserved: [],
      findings: [replaced],
    });
  });

  it("and protected from pruning as it is made, is made anew", () => {
    const annotations = { ...ours, ...neverPruned };
    const resource = inPlace(authentication({ serviceAccountIssuer: issuer }, { annotations }));
    expect(authenticationFor(issuer, [resource])).toEqual({
      objects: [fresh],
      changes: [],
      preserved: [],
      findings: [],
    });
  });

  it.each<[string, Any]>([
    [
      "a choice of what is pruned",
      authentication(
        { serviceAccountIssuer: old },
        { annotations: { ...ours, ...neverPruned, "argocd.argoproj.io/sync-options": "Prune=confirm" } },
      ),
    ],
    ["a field of spec", authentication({ serviceAccountIssuer: old, type: "x" }, { annotations: ours })],
    ["a label", authentication({ serviceAccountIssuer: old }, { annotations: ours, labels: { a: "b" } })],
    ["a status", authentication({ serviceAccountIssuer: old }, { annotations: ours }, { status: {} })],
  ])("and with %s of somebody else's, is kept with its issuer set", (_, object) => {
    const resource = inPlace(object);
    expect(authenticationFor(issuer, [resource])).toEqual({
      objects: [],
      changes: [{ resource, path: ["spec", "serviceAccountIssuer"], value: issuer }],
      preserved: [resource],
      findings: [replaced],
    });
  });

  it("moves back to its file without a note, where it is made anew", () => {
    const resource = resourceOf(authentication({ serviceAccountIssuer: issuer }, { annotations: ours }), {
      path: "elsewhere.yaml",
    });
    expect(authenticationFor(issuer, [resource])).toEqual({
      objects: [fresh],
      changes: [],
      preserved: [],
      findings: [],
    });
  });
});

describe("its place", () => {
  it.each([
    ["day2/authentication.yaml", true],
    ["cluster-authentication-02-config.yaml", true],
    [authenticationPath, false],
  ])("%s", (path, noted) => {
    const resource = resourceOf(authentication({ serviceAccountIssuer: issuer }), { path });
    expect(authenticationFor(issuer, [resource]).findings).toEqual(
      noted
        ? [
            {
              severity: "info",
              code: "authentication-misplaced",
              message: `stands in another file than "${authenticationPath}"; the installer reads that name and no other. Move it there for a new cluster.`,
              resource: { apiVersion: "config.openshift.io/v1", kind: "Authentication", name: "cluster" },
              file: { path, index: 0 },
            },
          ]
        : [],
    );
  });

  it("is no matter where nobody said what it is", () => {
    expect(authenticationFor(issuer, [resourceOf(authentication({}))]).findings).toEqual([]);
  });
});

it.each([2, 3])("is refused where it stands %d times, and none is touched", (count) => {
  const resources = Array.from({ length: count }, (_, index) =>
    resourceOf(authentication({ serviceAccountIssuer: old }), { path: `${index}.yaml` }),
  );
  expect(authenticationFor(issuer, resources)).toEqual({
    objects: [],
    changes: [],
    preserved: [],
    findings: [
      {
        severity: "error",
        code: "authentication-repeated",
        message: `appears ${count} times in the package (${['"0.yaml"', '"1.yaml"', '"2.yaml"'].slice(0, count).join(", ")}); a cluster has exactly one. Remove all but one.`,
        resource: { apiVersion: "config.openshift.io/v1", kind: "Authentication", name: "cluster" },
        file: { path: "1.yaml", index: 0 },
      },
    ],
  });
});

it.each<[Any, unknown]>([
  [authentication({ serviceAccountIssuer: old }), old],
  [authentication({}), undefined],
  [authentication("text"), undefined],
  [null, undefined],
])("issuerOf %j is %j", (object, expected) => {
  expect(issuerOf(resourceOf(object))).toBe(expected);
});
