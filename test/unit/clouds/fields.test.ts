import { describe, expect, it } from "vitest";
import { differencesOf, fieldsOf, maskOf, terraformOf, viewOf } from "../../../src/clouds/fields.ts";
import type { Value } from "../../../src/core/resource.ts";

type Body = {
  readonly title: string;
  readonly isOn: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly login: { readonly issuerUri: string; readonly audiences?: readonly string[] };
};

const sorted = (list: Value) => [...(list as readonly string[])].sort();

const all = {
  title: { fixed: "delete it first" },
  isOn: { absent: false },
  labels: { absent: {} },
  "login.issuerUri": { shown: "issuer", terraform: "issuer" },
  "login.audiences": { shown: "audiences", absent: [], view: sorted, terraform: (value: Value) => sorted(value) },
};

const fields = fieldsOf<Body>()(all, { state: { absent: "ACTIVE" } });

const body = { title: "a", isOn: true, labels: { b: "c" }, login: { issuerUri: "https://one", audiences: ["y", "x"] } };

describe("a table of fields", () => {
  it("does not compile with a mistake", () => {
    const { title, isOn, labels, "login.issuerUri": issuer, "login.audiences": audiences } = all;
    const rest = { labels, "login.issuerUri": issuer, "login.audiences": audiences };
    const mistakes = [
      // @ts-expect-error A field of the body is missing.
      fieldsOf<Body>()({ isOn, ...rest }),
      // @ts-expect-error A field is misspelt.
      fieldsOf<Body>()({ titel: title, isOn, ...rest }),
      // @ts-expect-error The body does not have a field.
      fieldsOf<Body>()({ title, isOn, ...rest, color: {} }),
      // @ts-expect-error An optional field inside another one is missing.
      fieldsOf<Body>()({ title, isOn, labels, "login.issuerUri": issuer }),
      // @ts-expect-error A field with fields of its own is not one field.
      fieldsOf<Body>()({ title, isOn, labels, login: {} }),
      // @ts-expect-error A property of a field is misspelt.
      fieldsOf<Body>()({ title: { show: "name" }, isOn, ...rest }),
      // @ts-expect-error The value of an absent field is not a value.
      fieldsOf<Body>()({ title, isOn: { absent: undefined }, ...rest }),
    ];
    expect(mistakes).toHaveLength(7);
  });

  it("shows a body by the names for people, with what is absent, and what is only read", () => {
    expect(viewOf(fields, { login: { issuerUri: "https://one" } })).toEqual({
      ...{ title: "", isOn: false, labels: {}, issuer: "https://one", audiences: [], state: "ACTIVE" },
    });
  });

  it("compares every field, each in its view", () => {
    expect(differencesOf(fields, body, { ...body, login: { ...body.login, audiences: ["x", "y"] } })).toEqual([]);
    const other = {
      ...body,
      title: "b",
      isOn: false,
      labels: {},
      login: { issuerUri: "", audiences: [] },
      state: "GONE",
    };
    expect(differencesOf(fields, body, other)).toEqual([
      { field: "title", found: "b", wanted: "a", fixed: "delete it first" },
      { field: "isOn", found: false, wanted: true },
      { field: "labels", found: {}, wanted: { b: "c" } },
      { field: "issuer", found: "", wanted: "https://one" },
      { field: "audiences", found: [], wanted: ["x", "y"] },
      { field: "state", found: "GONE", wanted: "ACTIVE" },
    ]);
  });

  it("lists what a creation states: every field that has a value", () => {
    expect(differencesOf(fields, { ...body, title: "", isOn: false }, undefined).map(({ field }) => field)).toEqual([
      ...["labels", "issuer", "audiences", "state"],
    ]);
  });

  it("shows a difference in a short form, if the short form differs", () => {
    const lengths = fieldsOf<{ readonly list: readonly string[] }>()({
      list: { absent: [], brief: (view) => (view as readonly string[]).length },
    });
    const of = (list: string[], found?: string[]) => differencesOf(lengths, { list }, found && { list: found });
    expect(of(["a", "b"], ["a"])).toEqual([{ field: "list", found: 1, wanted: 2 }]);
    expect(of(["a"], ["b"])).toEqual([{ field: "list", found: ["b"], wanted: ["a"] }]);
    expect(of(["a"])).toEqual([{ field: "list", wanted: ["a"] }]);
  });

  it("names every field that is written in an update mask, and none that is only read", () => {
    expect(maskOf(fields)).toBe("title,isOn,labels,login.issuerUri,login.audiences");
  });

  it("maps the fields that a body has to attributes of Terraform", () => {
    expect(terraformOf(fields, body)).toEqual({
      ...{ title: "a", is_on: true, labels: { b: "c" }, login: { issuer: "https://one", audiences: ["x", "y"] } },
    });
    expect(terraformOf(fields, { login: { audiences: [] } })).toEqual({ login: { audiences: [] } });
  });
});
