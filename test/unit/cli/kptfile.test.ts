import { describe, expect, it } from "vitest";
import { foreignFindings, readPipeline } from "../../../src/cli/package/kptfile.ts";
import type { Value } from "../../../src/core/resource.ts";
import { resourceOf } from "../../helpers/resources.ts";

const read = (pipeline: Value) =>
  readPipeline(resourceOf({ apiVersion: "kpt.dev/v1", kind: "Kptfile", metadata: { name: "demo" }, pipeline }));

describe("the pipeline of a Kptfile", () => {
  it.each<[Record<string, string>, string]>([
    [{ image: "ghcr.io/any/generate-oidc-issuer:v1" }, "generate-oidc-issuer"],
    [{ image: "localhost:5000/generate-oidc-issuer" }, "generate-oidc-issuer"],
    [{ image: "any/validate-credentials:v1@sha256:00" }, "validate-credentials"],
    [{ exec: "ccf generate-cloud-credentials" }, "generate-cloud-credentials"],
    [{ exec: "  ./bin/ccf  configure-operators " }, "configure-operators"],
    [{ exec: "./bin/generate-oidc-issuer" }, "generate-oidc-issuer"],
  ])("runs a function of this project as %j", (entry, name) => {
    const { steps, foreign, findings } = read({ mutators: [entry] });
    expect({ names: steps.map(({ fn }) => fn.name), foreign, findings }).toEqual({
      names: [name],
      foreign: [],
      findings: [],
    });
  });

  it.each<[Record<string, string>, string]>([
    [
      { image: "ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.1" },
      "ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.1",
    ],
    [{ exec: "ccf generate-oidc-issuer; rm -rf /" }, "ccf generate-oidc-issuer; rm -rf /"],
    [{ exec: "sed generate-oidc-issuer" }, "sed generate-oidc-issuer"],
    [{ exec: "ccf" }, "ccf"],
    [{}, "pipeline.mutators[0]"],
  ])("runs a function of others as %j", (entry, name) => {
    const { steps, foreign } = read({ mutators: [entry] });
    expect({ steps, foreign }).toEqual({ steps: [], foreign: [name] });
  });

  it("has mutators, then validators, each with the file of its configuration", () => {
    const { steps } = read({
      validators: [{ exec: "ccf validate-credentials", configPath: "./cluster-identity.yaml" }],
      mutators: [
        { exec: "ccf generate-oidc-issuer", configPath: "a/../b.yaml" },
        "text",
        { exec: "ccf configure-operators" },
      ],
    });
    expect(steps.map(({ fn, configPath }) => [fn.name, configPath])).toEqual([
      ["generate-oidc-issuer", "b.yaml"],
      ["configure-operators", undefined],
      ["validate-credentials", "cluster-identity.yaml"],
    ]);
  });

  it.each(["selectors", "exclude"])("cannot have %s for a function of this project", (field) => {
    const { findings } = read({ mutators: [{ exec: "ccf generate-oidc-issuer", [field]: [] }] });
    expect(findings).toMatchObject([
      {
        severity: "error",
        code: "kptfile-invalid",
        message: `"pipeline.mutators[0]" has "${field}", with which kpt hides objects from the function: what it generated before is then added once more at every run. Remove them; a function reads only what it needs.`,
        field: "pipeline.mutators[0]",
        resource: { kind: "Kptfile", name: "demo" },
      },
    ]);
  });

  it("cannot have a condition for a function of this project, which kpt evaluates", () => {
    const { findings, steps } = read({ validators: [{ image: "any/validate-credentials:v1", condition: "false" }] });
    expect(steps).toHaveLength(1);
    expect(findings).toMatchObject([
      {
        severity: "error",
        code: "kptfile-invalid",
        message: `"pipeline.validators[0]" has a condition, which "ccf render" does not support. Remove it, or use "kpt fn render".`,
      },
    ]);
    const foreign = read({ mutators: [{ image: "any/set-labels", condition: "false" }] });
    expect(foreign.findings).toEqual([]);
  });

  it.each<Value>([null, "text", [], { mutators: "text" }, { mutators: null }])(
    "is empty where it is %j",
    (pipeline) => {
      expect(read(pipeline)).toEqual({ steps: [], foreign: [], findings: [] });
    },
  );
});

describe("what ccf render does not render", () => {
  it("is empty for a package without foreign parts", () => {
    expect(foreignFindings([], [])).toEqual([]);
  });

  it("is reported, functions and packages separately", () => {
    expect(foreignFindings(["a", "b\n"], ["sub"])).toMatchObject([
      {
        severity: "error",
        code: "kptfile-other-functions",
        message: expect.stringContaining('functions of other projects: "a", "b\\u000a". Use'),
      },
      {
        severity: "error",
        code: "kptfile-other-functions",
        message: expect.stringContaining('contains other packages: "sub". Use'),
      },
    ]);
  });
});
