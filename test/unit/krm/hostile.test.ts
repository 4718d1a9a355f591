import { describe, expect, test } from "vitest";
import { hostile, reader, runText } from "./fakes.ts";
import { laws, settingChangesOneField } from "./laws.ts";
import { itemTexts } from "./readers.ts";

describe.each(hostile)("testdata/hostile/%s", (_name, text) => {
  test("has items that other readers accept", () => {
    expect(itemTexts(text).length).toBeGreaterThan(0);
  });

  test.each(Object.entries(laws))("%s", (_law, holds) => {
    holds(text);
  });

  test("settingChangesOneField", () => {
    settingChangesOneField(text);
  });

  test("every value can be built", () => {
    expect(runText(reader, text)).toMatchObject({ exitCode: 0 });
  });
});
