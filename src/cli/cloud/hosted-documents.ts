import type { Plan, Step } from "../../apply/plan.ts";
import { planPrevious } from "../../apply/plan-destroy.ts";
import type { State, Target } from "../../apply/resource.ts";
import { finding } from "../../core/finding.ts";
import { fetchOnce } from "../https-fetch.ts";
import { FindingsError } from "../terminal/errors.ts";

/** Reads the documents that are hosted elsewhere as the cloud does, and compares them with the package: a step for each. */
export async function documentSteps({ documents }: Target, fetch: boolean): Promise<Step[]> {
  if (!fetch) return [];
  return Promise.all(
    [...documents].map(async ([url, text]): Promise<Step> => {
      const base = { kind: "document", id: url, name: url, changes: [] };
      const answer = await fetchOnce(url, { timeout: 5000, ca: undefined, server: undefined });
      if ("reason" in answer)
        return {
          ...base,
          action: "unknown",
          reason: `it cannot be read (${answer.detail}); use --no-fetch where the network does not allow it`,
        };
      if (answer.status === 200 && answer.text.trim() === text.trim()) return { ...base, action: "none" };
      const found =
        answer.status === 200 ? "the server has something else" : `the server answers with status ${answer.status}`;
      return { ...base, action: "refuse", reason: `${found}; publish the package's document there` };
    }),
  );
}

/**
 * The plan that removes what belongs only to previous issuers.
 *
 * @throws FindingsError if the cloud does not match the package: the cluster may still depend on a previous issuer.
 */
export async function planOfPrevious(
  target: Target,
  state: State,
  fetch: boolean,
  include: readonly string[] = [],
): Promise<Plan> {
  if (state.needsPrevious)
    throw stillNeeded(
      'The package does not name the domain of its own issuer yet, so the cluster still depends on a previous issuer. "ccf apply" prints the command that adds the domain. Run it, and apply again.',
    );
  const documents = await documentSteps(target, fetch);
  const plan = documents.every(({ action }) => action === "none")
    ? await planPrevious(target, state, include)
    : undefined;
  if (plan !== undefined) return plan;
  throw stillNeeded(
    'The cloud does not match the package, so the cluster may still depend on a previous issuer. Run "ccf status", then "ccf apply".',
  );
}

function stillNeeded(why: string): FindingsError {
  return new FindingsError([finding("error", "previous-issuer-needed", `${why} Nothing was removed.`)]);
}
