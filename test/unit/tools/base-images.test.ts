import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { pathWith } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";

const baseImages = (PATH: string) =>
  spawnSync(process.execPath, ["tools/base-images.mjs"], { env: { PATH }, encoding: "utf8" });

it("says in one line which program of the base images is missing", () => {
  const { status, stdout, stderr } = baseImages(temporary());
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr:
      "error: cannot start buildah, ldd, npm, which. Install what is missing, or build the images where a registry can be reached.\n",
  });
});

it("ends with the message of a program that fails, and with one line of its own", () => {
  const PATH = pathWith({ buildah: '[ "$1" = --version ] || { echo "no user namespaces" >&2; exit 125; }' });
  const { status, stderr } = baseImages(PATH);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: "no user namespaces\nerror: Command failed: buildah from scratch\n",
  });
});
