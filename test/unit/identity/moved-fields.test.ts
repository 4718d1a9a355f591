import { describe, expect, it } from "vitest";
import {
  type Any,
  expectClean,
  identity,
  makeCredentials,
  makeIssuer,
  makeOperators,
  request,
} from "../../helpers/cluster.ts";

const value = request("one");
const key = "ns-one/credentials";
const long = "openshift-cluster-csi-drivers/a-secret.with-a-name-that-is-longer-than-others";
const includeRegion = "spec.platform.aws.includeRegionInSecret";

/** The findings about a ClusterIdentity: code, field and message, sorted. */
const said = (config: Any, run = makeCredentials): string[][] => {
  const { results, exitCode } = run(config, [value]);
  expect(exitCode).toBe(1);
  expect(results.map(({ severity }) => severity)).toEqual(results.map(() => "error"));
  return results.map(({ tags, field, message }) => [tags.code, field?.path, message]).toSorted();
};
const moved = (former: string, ...now: string[]) => [
  "config-moved-field",
  former,
  `"${former}" has moved; write it as ${now.map((path) => `"${path}"`).join(" and ")}.`,
];

describe("a field in its previous place", () => {
  it.each<[Any, string[][]]>([
    [{ operators: { emitSecrets: true } }, [moved("spec.platform.aws.operators", "spec.operators")]],
    [{ operators: null }, [moved("spec.platform.aws.operators", "spec.operators")]],
    [{ secret: { encoding: "data" } }, [moved("spec.platform.aws.secret.encoding", "spec.secret.encoding")]],
    [{ secret: { includeRegion: true } }, [moved("spec.platform.aws.secret.includeRegion", includeRegion)]],
    [
      { secret: { includeRegion: 1, encoding: "Data" } },
      [
        moved("spec.platform.aws.secret.encoding", "spec.secret.encoding"),
        moved("spec.platform.aws.secret.includeRegion", includeRegion),
      ],
    ],
    ...[{}, null, "data", ["x"], { includeregion: true }, { encoding: "data", x: 1 }].map(
      (secret): [Any, string[][]] => [
        { secret },
        [moved("spec.platform.aws.secret", "spec.secret.encoding", includeRegion)],
      ],
    ),
    [
      { overrides: { [key]: { skip: true } } },
      [moved(`spec.platform.aws.overrides.${key}.skip`, `spec.overrides.${key}.skip`)],
    ],
    [
      { overrides: { [long]: { serviceAccountNames: ["a"], roleName: "own" }, [key]: { skip: "yes" } } },
      [
        moved(`spec.platform.aws.overrides.${key}.skip`, `spec.overrides.${key}.skip`),
        moved(`spec.platform.aws.overrides.${long}.serviceAccountNames`, `spec.overrides.${long}.serviceAccountNames`),
      ],
    ],
  ])("%j is an error that names the new one", (aws, expected) => {
    for (const run of [makeCredentials, makeIssuer, makeOperators])
      expect(said(identity({ aws }), run)).toEqual(expected);
  });

  it("is also an error next to the new field", () => {
    const spec = {
      issuer: identity().spec.issuer,
      operators: { emitSecrets: true },
      secret: { encoding: "data" },
      overrides: { [key]: { skip: true } },
    };
    const { issuer, ...former } = spec;
    expectClean(makeCredentials(identity({ spec }), [value]));
    expect(said(identity({ spec, aws: former })).map(([code, field]) => [code, field])).toEqual([
      ["config-moved-field", "spec.platform.aws.operators"],
      ["config-moved-field", `spec.platform.aws.overrides.${key}.skip`],
      ["config-moved-field", "spec.platform.aws.secret.encoding"],
    ]);
  });

  it("is reported together with everything else that is wrong", () => {
    const config = identity({
      metadata: { annotations: { "fn.cloudcredential.dev/allow": "everything" } },
      spec: { tokenPath: "relative", oprators: {} },
      aws: {
        accountID: undefined,
        operators: {},
        secret: { encoding: "data" },
        overrides: { "no-slash": { skip: true }, [key]: { rolename: "x", skip: true } },
      },
    });
    expect(said(config).map(([code, field]) => [code, field])).toEqual([
      ["allow-unknown", "metadata.annotations.fn.cloudcredential.dev/allow"],
      ["config-invalid-field", "spec.platform.aws.overrides.no-slash"],
      ["config-invalid-field", "spec.tokenPath"],
      ["config-missing-field", "spec.platform.aws.accountID"],
      ["config-moved-field", "spec.platform.aws.operators"],
      ["config-moved-field", "spec.platform.aws.overrides.no-slash.skip"],
      ["config-moved-field", `spec.platform.aws.overrides.${key}.skip`],
      ["config-moved-field", "spec.platform.aws.secret.encoding"],
      ["config-unknown-field", "spec.oprators"],
      ["config-unknown-field", `spec.platform.aws.overrides.${key}.rolename`],
    ]);
  });
});

describe("the new places", () => {
  it("accept what the previous places accepted", () => {
    const made = makeCredentials(
      identity({
        spec: { secret: { encoding: "data" }, overrides: { [key]: { serviceAccountNames: ["other"] } } },
        aws: { includeRegionInSecret: true, overrides: { [key]: { roleName: "own" } } },
      }),
      [value],
    );
    expectClean(made);
    const { data } = made.objects["manifests/ns-one-credentials-credentials.yaml"];
    expect(Buffer.from(data.credentials, "base64").toString()).toMatch(/role\/own\n.*\nregion = us-east-2$/);
    expect(JSON.stringify(made.bundle("aws/roles/ns-one-credentials.yaml")["trust-policy.json"])).toContain(
      '"system:serviceaccount:ns-one:other"',
    );
  });

  it("let the cloud decide the audiences", () => {
    const clients = (config: Any) =>
      makeIssuer(config).bundle("aws/issuer.yaml")["create-open-id-connect-provider.json"].ClientIDList;
    const { issuer } = identity().spec;
    expect(clients(identity())).toEqual(["openshift", "sts.amazonaws.com"]);
    expect(clients(identity({ spec: { issuer: { ...issuer, audiences: ["x"] } } }))).toEqual(["x"]);
  });
});
