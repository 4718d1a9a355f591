import type { Seed } from "../../helpers/amazon/types.ts";

/** An account with the managed policy that the pages name as permissions boundary, and nothing else. */
export function boundaryAlone(): Seed {
  return { policies: ["arn:aws:iam::123456789012:policy/boundary"] };
}
