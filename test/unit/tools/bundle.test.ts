import { describe, expect, it } from "vitest";
import { unwantedParts } from "../../../tools/bundle.mjs";

type Output = Parameters<typeof unwantedParts>[0]["outputs"][string];

/** A part with inputs, a source that starts it, and other parts that it imports. */
function part(inputs: readonly string[], entryPoint?: string, ...imports: Output["imports"]): Output {
  return {
    bytes: 1,
    exports: [],
    imports,
    inputs: Object.fromEntries(inputs.map((path) => [path, { bytesInOutput: 1 }])),
    ...(entryPoint === undefined ? {} : { entryPoint }),
  };
}

const starts = {
  "parts/main.js": part(["src/main.ts"], "src/main.ts", { path: "parts/start.js", kind: "dynamic-import" }),
  "parts/start.js": part(["src/start.ts"], "src/start.ts", { path: "parts/cli.js", kind: "dynamic-import" }),
  "parts/version.js": part(["src/cli/terminal/version.ts"], "src/cli/terminal/version.ts"),
  "parts/cli.js": part(["src/cli/main.ts"], "src/cli/main.ts", { path: "parts/apply.js", kind: "dynamic-import" }),
  "parts/render.js": part(["src/cli/render/render.ts"], "src/cli/render/render.ts", {
    path: "parts/shared.js",
    kind: "import-statement",
  }),
  "parts/apply.js": part(["node_modules/@azure/identity/dist/index.js"], "src/cli/apply/apply.ts"),
};

describe("the parts that functions and ccf render load", () => {
  it("may contain no client libraries and no rules, while other commands have them", () => {
    expect(unwantedParts({ outputs: { ...starts, "parts/shared.js": part(["src/core/json.ts"]) } })).toEqual([]);
  });

  it.each([
    ["node_modules/@azure/core-rest-pipeline/dist/index.js", "@azure/core-rest-pipeline"],
    ["node_modules/@aws-sdk/client-iam/dist-es/index.js", "@aws-sdk/client-iam"],
    ["node_modules/@aws-sdk/core/node_modules/@smithy/core/index.js", "@aws-sdk/core"],
    ["node_modules/google-auth-library/build/src/index.js", "google-auth-library"],
    ["node_modules/agent-base/dist/index.js", "agent-base"],
    ["node_modules/modern-tar/dist/web/index.js", "modern-tar"],
    ["src/network/agent.ts", "src/network"],
    ["src/release-image/read-image.ts", "src/release-image"],
    ["src/rules/all.ts", "src/rules"],
  ])("are refused if %s is in a part that they share", (input, name) => {
    const shared = part([], undefined, { path: "parts/more.js", kind: "import-statement" });
    const outputs = { ...starts, "parts/shared.js": shared, "parts/more.js": part([input]) };
    expect(unwantedParts({ outputs })).toEqual([name]);
  });

  it.each(["node:https", "http", "node:net", "node:tls", "node:dns/promises"])(
    "are refused if they import %s",
    (path) => {
      const shared = part(["src/core/json.ts"], undefined, { path, kind: "import-statement", external: true });
      expect(unwantedParts({ outputs: { ...starts, "parts/shared.js": shared } })).toEqual([path]);
    },
  );

  it("may contain explanations of findings about registries", () => {
    const shared = part(["src/release-image/findings.ts"]);
    expect(unwantedParts({ outputs: { ...starts, "parts/shared.js": shared } })).toEqual([]);
  });

  it("cannot be checked if one of them does not start a part", () => {
    const { "parts/render.js": _, ...others } = starts;
    expect(() => unwantedParts({ outputs: others })).toThrow("src/cli/render/render.ts");
  });
});
