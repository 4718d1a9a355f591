import { describe, expect, it } from "vitest";
import { ofForm, pathForm, quoteSetting, secretTexts, settingName } from "../../../src/core/secret-texts.ts";
import { notShown } from "../../../src/core/text.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("the texts of a Secret", () => {
  it("are decoded, and stringData overrides data", () => {
    const texts = secretTexts({
      data: { one: base64("ä"), two: base64("old"), number: 5 },
      stringData: { two: "new", three: "x", list: ["y"] },
    });
    expect([...texts]).toEqual([
      ["one", "ä"],
      ["two", "new"],
      ["three", "x"],
    ]);
  });

  it.each([[{}], [{ data: null, stringData: [] }], [{ data: "x", stringData: 5 }], ["x"], [null]])(
    "are none in %j",
    (value) => expect([...secretTexts(value)]).toEqual([]),
  );
});

describe("a value of a setting", () => {
  const forms = { role: /^[a-z]+$/ };

  it.each<[string, string | undefined, boolean]>([
    ["role", "abc", true],
    ["role", "ABC", false],
    ["role", undefined, false],
    ["other", "abc", false],
    ["toString", "abc", false],
    ["constructor", "abc", false],
  ])("%s: %j is shown: %s", (name, value, isShown) => {
    expect(ofForm(forms, name, value)).toBe(isShown ? value : undefined);
    if (value !== undefined) expect(quoteSetting(forms, name, value)).toBe(isShown ? `"${value}"` : notShown);
  });
});

it.each<[string, boolean]>([
  ["/var", true],
  ["/var/run/secrets/openshift/serviceaccount/token", true],
  ["/v/_x.y-1", true],
  ["/", false],
  ["/Var", false],
  ["/var/", false],
  ["/var//x", false],
  ["var/run", false],
  ["/var/run x", false],
  ["x/var/run", false],
])("whether %j has the form of a path: %s", (path, expected) => expect(pathForm.test(path)).toBe(expected));

it.each<[string, boolean]>([
  ["role_arn", true],
  ["azure.client-id2", true],
  ["Role", true],
  [`a${"b".repeat(59)}`, true],
  [`a${"b".repeat(60)}`, false],
  ["", false],
  ["2a", false],
  ["a2", false],
  ["_a", false],
  ["a_", false],
  ["a__b", false],
  ["a b", false],
  ["a=b", false],
  ["-----BEGIN", false],
])("whether %j is the name of a setting: %s", (name, expected) =>
  expect(settingName(name)).toBe(expected ? name : notShown),
);
