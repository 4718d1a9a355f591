import { ruleCode } from "../../core/finding.ts";
import type { Resource } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import type { Rule, Violation } from "../rule.ts";

export const signingKeyShared: Rule = {
  code: ruleCode("signing-key-shared"),
  severity: "warning",
  reads: "packages",
  summary: "Several clusters sign their tokens with the same key.",
  why: "Anyone who has the private key of one cluster can sign the tokens of the others, so a leak in one cluster is a leak in all of them, and all of them need a new key at the same time. This is what remains of a package that was copied.",
  cure: "Create a key pair for each cluster (`ccf create-key-pair`), and set the public key in `spec.issuer.signingKeys`. If a cluster runs, rotate its key (docs/guides/key-rotation.md). If the clusters share the key on purpose, accept the finding in the ClusterIdentity of each of them.",
  // The facts are those of one package. A command for several packages compares them (src/cli/fleet/compare-clusters.ts).
  check: () => [],
};

/** How many clusters a message names. */
const maxNamed = 5;

/**
 * The violation by clusters that share a key.
 *
 * @param files the files of their ClusterIdentities, two or more.
 * @param resource the ClusterIdentity that the finding is about.
 */
export function sharedKey(keyId: string, files: readonly string[], resource: Resource): Violation {
  const named = listed(files.map(quoteWhole), maxNamed);
  return {
    message: `${files.length} clusters sign their tokens with the key ${quote(keyId)}: ${named}. Create a key pair for each cluster, and set its public key in "spec.issuer.signingKeys".`,
    resource,
    field: "spec.issuer.signingKeys",
  };
}
