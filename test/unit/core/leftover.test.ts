import { describe, expect, it } from "vitest";
import { readJson } from "../../../src/core/json.ts";
import { conflictIn, leftoverIn } from "../../../src/core/text.ts";
import { isProblem, parseSource } from "../../../src/yaml/source.ts";

const conflict = "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> theirs\n";
const reason = "it contains a merge conflict";

describe("a merge conflict", () => {
  it.each<[string, string, number]>([
    ["of two sides", conflict, 2],
    ["with CRLF", conflict.replaceAll("\n", "\r\n"), 2],
    ["with the common ancestor", conflict.replace("=======", "||||||| base\nb: 1\n======="), 2],
    ["without labels", "<<<<<<<\na: 1\n=======\na: 2\n>>>>>>>\n", 1],
  ])("%s is found in any text", (_name, text, line) => {
    expect(conflictIn(text)).toMatchObject({ reason, line });
    expect(parseSource(text)).toMatchObject({ reason, line });
  });

  it.each<[string, string, number]>([
    ["the start", "a: 1\n<<<<<<< HEAD\nb: 2\n", 2],
    ["the middle", "a: 1\nb: 2\n=======\nb: 3\n", 3],
    ["the ancestor", "a: 1\n||||||| base\nb: 3\n", 2],
    ["the end", "a: 1\n>>>>>>> theirs\n", 2],
  ])("of which only %s is left is found in a text that is not YAML", (_name, text, line) => {
    expect(conflictIn(text)).toBeUndefined();
    expect(leftoverIn(text)).toMatchObject({ reason, line });
    expect(parseSource(text)).toMatchObject({ reason, line });
  });

  it.each(["<<<<<<<x\n", "<<<<<<\n", "======= x\n", "========\n", " =======\n", ">>>>>>>x\n", "|||||||x\n"])(
    "is not left in %j",
    (text) => expect(leftoverIn(`a: [\n${text}`)).toBeUndefined(),
  );

  it.each(["<<<<<<< x\na: >>>>>>> y\n", "a <<<<<<< x\n>>>>>>> y\n", "<<<<<<<\n >>>>>>>\n"])(
    "whose marks do not both begin a line is none: %j",
    (text) => expect(conflictIn(text)).toBeUndefined(),
  );

  it("inside a text is found only if that is asked", () => {
    const text = `data:\n  policy: |\n${conflict.replace(/^(?=.)/gm, "    ")}`;
    expect(isProblem(parseSource(text))).toBe(false);
    expect([conflictIn(text), conflictIn(text, true)?.line]).toEqual([undefined, 4]);
  });

  it.each(["a: |\n  =======\n", "a: '<<<<<<< x'\n", "# <<<<<<< x\n# >>>>>>> y\n", "<<<<<<<<\n>>>>>>>>\n"])(
    "is not in %j",
    (text) => {
      expect(conflictIn(text, true)).toBeUndefined();
    },
  );

  it("is named in JSON", () => {
    expect(readJson('{\n<<<<<<< a\n"x": 1\n=======\n"x": 2\n>>>>>>> b\n}')).toEqual({
      problem: expect.stringMatching(/^is not JSON: it contains a merge conflict, line 2\. Resolve the conflict: /),
    });
    expect(readJson("{")).toEqual({ problem: "is not JSON" });
  });
});

describe("the last line of ccoctl's dry run", () => {
  it.each([
    "POPULATE ROLE ARN AND DELETE THIS LINE",
    "POPULATE CLIENT ID AND TENANT ID AND DELETE THIS LINE",
    "POPULATE service_account.json FIELD WITH BASE 64 ENCODED CREDENTIALS CONFIG JSON GENERATED FROM SCRIPT",
  ])("is named: %s", (line) => {
    const text = `apiVersion: v1\nkind: Secret\ntype: Opaque\n${line}${line.endsWith("SCRIPT") ? " /x/06.sh" : ""}`;
    expect(parseSource(text)).toEqual({
      reason: `ccoctl wrote it with --dry-run, so it ends with the line "${line}"`,
      line: 4,
      cure: "Write the missing values into the file and delete that line, or get the Secret from the cluster",
    });
  });
});
