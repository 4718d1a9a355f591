import { describe, it } from "vitest";
import { containerEnvironment, containerTools } from "../helpers/containers.ts";
import { describeWith } from "../helpers/need.ts";
import { follow } from "../helpers/page.ts";

/** Every page with commands, and the tools that its reader has. */
const pages: readonly [page: string, tools: readonly string[]][] = [
  ["argo-cd.md", []],
  ["containers.md", ["kpt", ...containerTools]],
  ["kpt.md", ["kpt", "yq", ...containerTools]],
  ["kustomize.md", ["kustomize", "kubectl", ...containerTools]],
];

describe("the commands of docs/ do what it says:", () => {
  for (const [page, tools] of pages) {
    const needsImages = tools.includes("podman");
    describeWith(tools, page, () => {
      it("every command, in order", () => {
        follow(page, needsImages ? containerEnvironment() : {});
      }, 600_000);
    });
  }
});
