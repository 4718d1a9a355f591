import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSource } from "../../../src/yaml/source.ts";
import { runs } from "../../helpers/effort.ts";
import { resourceLists } from "./documents.ts";
import { laws, settingChangesOneField } from "./laws.ts";
import { readings } from "./readers.ts";

const numRuns = runs(100, 15);

/** Lists that the other readers accept. A list that one of them refuses proves nothing. */
const readable = resourceLists.filter((text) => {
  try {
    return readings(text).length > 0;
  } catch {
    return false;
  }
});

describe("a random ResourceList", () => {
  test("is accepted by the readers in most cases", () => {
    const all = fc.sample(resourceLists, 300);
    const read = all.filter((text) => !("reason" in parseSource(text)));
    expect(read.length).toBeGreaterThan(200);
  });

  test.each(Object.entries({ ...laws, settingChangesOneField }))("%s", (_law, holds) => {
    fc.assert(fc.property(readable, holds), { numRuns });
  });
});
