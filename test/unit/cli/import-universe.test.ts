import { describe, expect, it } from "vitest";
import { compareWithCluster } from "../../../src/cli/import/comparison.ts";
import { gcpInspector } from "../../../src/clouds/gcp/inspector.ts";
import type { Any } from "../../helpers/cluster.ts";

const secret = (file: Any): Any => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace: "ns", name: "credentials" },
  stringData: { "service_account.json": JSON.stringify(file) },
});

describe("the Secret of a live cluster", () => {
  it.each<[string, Any, string[]]>([
    ["that names the universe that libraries assume is the same", { universe_domain: "googleapis.com" }, []],
    ["that names another universe is not", { universe_domain: "example.goog" }, ["universe_domain"]],
  ])("%s", (_name, more, expected) => {
    const file = { type: "external_account" };
    const live: Any = { value: () => secret({ ...file, ...more }) };
    const secrets = new Map([["ns/credentials", live]]);
    const cluster: Any = { issuerUrl: "", credentials: [], requested: new Set(), secrets };
    const generated: Any = [{ object: secret(file) }];
    const compared = compareWithCluster(generated, cluster, gcpInspector);
    expect(compared.flatMap(({ differences }) => differences.map(({ field }) => field))).toEqual(expected);
  });
});
