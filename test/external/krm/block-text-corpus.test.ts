import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../helpers/effort.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";
import { alone, holds, withChanges } from "../../unit/krm/block-text-law.ts";

describeWithCorpus([], "real requests", () => {
  const texts = () =>
    alone(
      readdirSync(corpus, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".yaml"))
        .sort()
        .map((name) => readFileSync(`${corpus}/${name}`, "utf8")),
    );

  test("are read as js-yaml reads them, and most of them are read", () => {
    expect(texts().filter(holds).length).toBeGreaterThan(texts().length / 2);
  });

  test("are read as js-yaml reads them, with small changes", { timeout: 3_600_000 }, () => {
    const some = withChanges(fc.constantFrom(...texts()));
    fc.assert(
      fc.property(some, (text) => {
        holds(text);
      }),
      { numRuns: runs(900) },
    );
  });
});
