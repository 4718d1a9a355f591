import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { validate } from "../../../functions/validate-credentials/function.ts";
import type { Any } from "../../helpers/cluster.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";
import { objectsOf } from "../../helpers/stream.ts";

/*
 * What is found in real ClusterServiceVersions, each with the requests that its project ships, is in
 * test/unit/rules/operator-corpus.json, and each of it was read and found to be so. The load balancer operator declares AWS
 * rightly; its own request has no token path, its Secret is read from the API server, and the account of its controller is
 * made when it runs. The certificate manager declares three clouds and has a request for each, for pods that it makes, in
 * another namespace; administrators make its requests, it may not. Loki declares three clouds, makes its requests itself,
 * and may not patch them. The DNS operator declares nothing and ships nothing.
 */
const expected: Readonly<Record<string, Any>> = JSON.parse(
  readFileSync("test/unit/rules/operator-corpus.json", "utf8"),
);

describeWithCorpus([], "real ClusterServiceVersions", () => {
  const operators = `${corpus}/operators`;

  it("are all there", () => {
    const versions = readdirSync(`${operators}/csv`).map((name) => name.replace(/\.clusterserviceversion\.yaml$/, ""));
    expect(versions.sort()).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.keys(expected))("%s", (name) => {
    const requests = readdirSync(operators).filter(
      // The short form of a request has the same Secret.
      (file) => file.startsWith(`${name}_`) && file.includes("request") && !file.includes("minify"),
    );
    const files = [`csv/${name}.clusterserviceversion.yaml`, ...requests];
    const items = files.flatMap((file) => objectsOf(readFileSync(`${operators}/${file}`, "utf8")));
    const found = validate({ items, functionConfig: undefined });
    const short = found.map(({ severity, code, resource, field = "" }) => [severity, code, resource?.name, field]);
    expect(short.sort()).toEqual(expected[name]);
  });
});
