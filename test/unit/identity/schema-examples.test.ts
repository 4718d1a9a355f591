import { readFileSync } from "node:fs";
import Ajv from "ajv";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { type Any, makeCredentials, makeIssuer, request } from "../../helpers/cluster.ts";

// The examples of the schema are those of docs/reference/cluster-identity.md.
const schema: Any = JSON.parse(readFileSync("schemas/cluster-identity.schema.json", "utf8"));
const page = readFileSync("docs/reference/cluster-identity.md", "utf8");
const ajv = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true, keywords: ["x-must"] });
ajv.addSchema(schema);

/** Every part of the schema that describes a field, with a pointer to it. */
function fieldsBelow(part: Any, pointer: string): [pointer: string, field: Any][] {
  return Object.entries<Any>(part.properties ?? {}).flatMap(([name, field]) => [
    [`${pointer}/properties/${name}`, field] as [string, Any],
    ...fieldsBelow(field, `${pointer}/properties/${name}`),
  ]);
}

const fields = [
  ...fieldsBelow(schema, "#"),
  ...Object.entries<Any>(schema.definitions).flatMap(([name, one]) => fieldsBelow(one, `#/definitions/${name}`)),
];
// A part with fields of its own is described by them.
const leaves = fields.filter(([, { $ref, properties, const: only }]) => {
  const target = $ref === undefined ? {} : schema.definitions[$ref.slice("#/definitions/".length)];
  return properties === undefined && target.properties === undefined && only === undefined;
});

describe("each field has an example that is valid", () => {
  it("finds the fields", () => expect(leaves.length).toBeGreaterThan(40));

  it.each(leaves)("%s", (pointer, { description, examples }) => {
    expect(description).toMatch(/^.*[.]$/);
    expect(examples).toHaveLength(1);
    const validate = ajv.compile({ $ref: `${schema.$id}${pointer}` });
    for (const example of examples) {
      expect({ fits: validate(example), errors: validate.errors }).toEqual({ fits: true, errors: null });
    }
  });
});

describe("the complete example", () => {
  const example = schema.examples[0];

  it("is on the page", () => {
    expect(load(/```yaml\n(apiVersion[\s\S]*?)```/.exec(page)?.[1] ?? "")).toEqual(example);
  });

  it("fits the schema", () => {
    expect(ajv.validate(schema.$id, example)).toBe(true);
  });

  it("is accepted by the functions", () => {
    const machineAPI = request("machine-api", {
      spec: { secretRef: { namespace: "openshift-machine-api", name: "aws-cloud-credentials" } },
    });
    for (const made of [makeIssuer(example), makeCredentials(example, [machineAPI])]) {
      expect(made.exitCode, made.stderr).toBe(0);
      expect(made.results.filter(({ severity }) => severity !== "info")).toEqual([]);
    }
  });
});
