import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSource } from "../../../src/yaml/source.ts";
import { runs } from "../../helpers/effort.ts";
import { resourceLists } from "./documents.ts";
import { laws, settingChangesOneField } from "./laws.ts";
import { readings } from "./readers.ts";

const numRuns = runs(300);

/** Lists that the other readers read: what one of them refuses, nothing can be said about. */
const readable = resourceLists.filter((text) => {
  try {
    return readings(text).length > 0;
  } catch {
    return false;
  }
});

describe("a random ResourceList", () => {
  test("is one that readers read, more often than not", () => {
    const all = fc.sample(resourceLists, 300);
    const read = all.filter((text) => !("reason" in parseSource(text)));
    expect(read.length).toBeGreaterThan(200);
  });

  test.each(Object.entries({ ...laws, settingChangesOneField }))("%s", (_law, holds) => {
    fc.assert(fc.property(readable, holds), { numRuns });
  });
});
