import { it } from "vitest";
import { follow } from "../helpers/page.ts";

it("docs/kustomize.md", () => {
  follow("kustomize.md");
});
