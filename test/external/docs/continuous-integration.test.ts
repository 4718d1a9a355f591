import { load } from "js-yaml";
import { expect, it } from "vitest";
import { version } from "../../../package.json";
import { describeWith } from "../../helpers/need.ts";
import { follow } from "../../helpers/page.ts";
import { textOf, workflow } from "../../helpers/workflow.ts";

describeWith(["jq"], "docs/integrations/continuous-integration.md", () => {
  const page = textOf("docs/integrations/continuous-integration.md");

  it("is true", async () => {
    await follow("integrations/continuous-integration.md");
  });

  it("installs as the workflows do", () => {
    const [, block = ""] = /```sh\n(npm pack [\s\S]*?)```/.exec(page) ?? [];
    const { jobs } = workflow("integrations/github/check-clusters.yaml");
    const install = jobs["all"]?.steps.find(({ name }) => name === "Install ccf");
    expect(install?.run).toBe(`cd "$RUNNER_TEMP"\n${block}`);
  });

  it("names this version, and a hook that exists", () => {
    const [, block = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const hooks = load(textOf(".pre-commit-hooks.yaml")) as { id: string }[];
    expect(load(block)).toMatchObject({ repos: [{ rev: `v${version}`, hooks: [{ id: hooks[0]?.id }] }] });
  });
});
