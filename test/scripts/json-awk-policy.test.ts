import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answers, awks, File } from "../helpers/awk.ts";
import { describeWith } from "../helpers/need.ts";
import { changes, meaning, policy, rewritten } from "./policies.ts";

/** What scripts compare: the distinct lines, sorted. */
function forms(awk: string, documents: readonly unknown[]): string[] {
  const calls = documents.map((document) => ["policy", new File(JSON.stringify(document, null, 2)), "."]);
  return answers(awk, calls).map(({ status, lines }) => `${status} ${[...new Set(lines)].sort().join("\n")}`);
}

const samples = fc.sample(fc.tuple(policy, fc.infiniteStream(fc.nat())), 60).map(([document, stream]) => {
  const choose = () => Number(stream.next().value);
  return { document, same: [rewritten(document, choose), rewritten(document, choose)] };
});

const trust = {
  Version: "2012-10-17",
  Statement: [
    {
      Sid: "One",
      Effect: "Allow",
      Principal: { Federated: "arn:aws:iam::123456789012:oidc-provider/host" },
      Action: ["sts:AssumeRoleWithWebIdentity"],
      Condition: {
        StringEquals: { "host:SUB": ["b", "a", "b"], "host:aud": "x" },
        Bool: { "aws:SecureTransport": false },
      },
    },
  ],
};

describe.each(awks)("a policy's normal form under %s", (awk, tool) => {
  describeWith([tool], "is", () => {
    it("readable lines", () => {
      expect(forms(awk, [trust, null, { Version: "x", Statement: [] }])).toEqual([
        [
          '0 Action ["sts:assumerolewithwebidentity"]; Condition Bool aws:securetransport ["false"], StringEquals host:aud ["x"], ' +
            'StringEquals host:sub ["a" "b"]; Effect ["Allow"]; Principal Federated ["arn:aws:iam::123456789012:oidc-provider/host"]',
          "version 2012-10-17",
        ].join("\n"),
        "0 ",
        "0 version x",
      ]);
    });

    it("the same for a string that contains the document, as S3 returns it", () => {
      const documents = samples.map(({ document }) => document);
      const texts = documents.map((document, index) => JSON.stringify(document, null, ["", " ", "\t"][index % 3]));
      expect(forms(awk, texts)).toEqual(forms(awk, documents));
    });

    it("the same for documents with the same meaning", () => {
      for (const { document, same } of samples) expect(same.map(meaning)).toEqual(same.map(() => meaning(document)));
      const all = samples.flatMap(({ document, same }) => [document, ...same]);
      const given = forms(awk, all);
      for (const [index, form] of given.entries()) {
        expect(form, JSON.stringify(all[index])).toBe(given[index - (index % 3)]);
      }
    });

    it("different if a name looks like the syntax around it", () => {
      const one = (Condition: unknown) => ({
        Version: "2012-10-17",
        Statement: [{ Effect: "Deny", Action: "*", Condition }],
      });
      const [a, b] = forms(awk, [
        one({ StringEquals: { "aws:a": "x", "aws:b": "y" } }),
        one({ StringEquals: { 'aws:a ["x"], StringEquals aws:b': "y" } }),
      ]);
      expect(a).not.toBe(b);
    });

    it("different if, and only if, the meaning of one part differs", () => {
      for (const { document } of samples.slice(0, 4)) {
        const others = changes(document);
        const [own, ...given] = forms(awk, [document, ...others]);
        const meant = meaning(document);
        expect(others.filter((other, index) => (given[index] === own) !== (meaning(other) === meant))).toEqual([]);
      }
    });
  });
});
