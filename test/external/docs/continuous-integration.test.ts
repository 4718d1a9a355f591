import { load } from "js-yaml";
import { expect, it } from "vitest";
import { version } from "../../../package.json";
import { describeWith } from "../../helpers/need.ts";
import { follow } from "../../helpers/page.ts";
import { textOf } from "../../helpers/workflow.ts";

describeWith(["jq"], "docs/integrations/continuous-integration.md", () => {
  const page = textOf("docs/integrations/continuous-integration.md");

  it("is true", () => {
    follow("integrations/continuous-integration.md");
  });

  it("names this version, and a hook that exists", () => {
    const [, block = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const hooks = load(textOf(".pre-commit-hooks.yaml")) as { id: string }[];
    expect(load(block)).toMatchObject({ repos: [{ rev: `v${version}`, hooks: [{ id: hooks[0]?.id }] }] });
    expect(page).toContain(`cloud-credential-functions@${version} `);
  });
});
