import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { entriesIn, filesBelow, listDirectory, namesIn } from "../../../src/cli/files/directory.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const named = (directory: string, ...names: readonly string[]) => {
  for (const name of names)
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, "latin1")]), "");
};

it("lists names and entries in the order of their UTF-16 code units", () => {
  const directory = temporary();
  writeTree(directory, { b: "", a: "", Z: "", "\uff5a": "", "\u{1f600}": "", "a-b": "" });
  const sorted = ["Z", "a", "a-b", "b", "\u{1f600}", "\uff5a"];
  expect(namesIn(directory)).toEqual(sorted);
  expect(entriesIn(directory).map(({ name }) => name)).toEqual(sorted);
  expect(listDirectory(directory)).toMatchObject({ entries: sorted.map((name) => ({ name })), unnamed: [] });
});

it("lists what is below a directory by path, and does not follow links", () => {
  const directory = temporary();
  writeTree(directory, { "a/b": "", "a-b": "", "a.b": "", "a/c/d": "" });
  mkdirSync(join(directory, "empty"));
  symlinkSync("a", join(directory, "link"));
  const found = filesBelow(directory);
  expect(found.map(({ path }) => path)).toEqual(["a-b", "a.b", "a/b", "a/c/d", "link"]);
  expect(found.at(-1)?.entry.isSymbolicLink()).toBe(true);
});

it("names what is not UTF-8 by its bytes, and keeps names with a replacement character", () => {
  const directory = temporary();
  writeTree(directory, { "x\ufffd": "", y: "" });
  named(directory, "x\xff", "z\xc3(");
  mkdirSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from("d\xfe", "latin1")]));
  const { entries, unnamed } = listDirectory(directory);
  expect(entries.map(({ name }) => name)).toEqual(["x\ufffd", "y"]);
  expect(unnamed).toEqual([
    { name: "d\\xfe", isDirectory: true },
    { name: "x\\xff", isDirectory: false },
    { name: "z\\xc3(", isDirectory: false },
  ]);
});
