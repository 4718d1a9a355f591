import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";

/*
 * What is found in real requests is in test/unit/rules/corpus.json, and each of it was read and found to be so: the machine
 * API passes any role to the instances that it starts, and the ingress operator becomes any role from 4.14 on, for zones
 * in accounts of others. Nothing else is wrong with them.
 */
const expected: Readonly<Record<string, Any>> = JSON.parse(readFileSync("test/unit/rules/corpus.json", "utf8"));

describeWithCorpus([], "real requests", () => {
  it.each(Object.keys(expected))("%s", (release) => {
    const { status, stdout } = run(["validate", `${corpus}/releases/${release}/aws`, "-o", "json"]);
    const found = JSON.parse(stdout).findings.map(({ severity, tags, resourceRef }: Any) => [
      severity,
      tags.code,
      resourceRef.name,
    ]);
    expect({ status, found }).toEqual({ status: 0, found: expected[release] });
  });
});
