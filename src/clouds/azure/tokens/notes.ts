import type { Answer } from "../../../oidc/verify/check.ts";
import { documentCodes, documentsFailed } from "./refusals.ts";

/**
 * What a reader of the answers must know besides: what Microsoft may change ("Microsoft Entra authentication and
 * authorization error codes"), and what can fail although the token is accepted.
 */
export function notesOn(answers: readonly Answer[]): readonly string[] {
  const isAccepted = answers.some(({ verdict }) => verdict === "accepted");
  const codes = answers.flatMap(({ checks }) => checks.flatMap(({ error }) => error?.code ?? []));
  return [
    "Microsoft does not document the order of the checks, and may change the codes and the order.",
    ...(codes.includes(documentsFailed.code)
      ? [`For documents that it cannot fetch or read, Microsoft Entra answers ${documentCodes}.`]
      : []),
    ...(isAccepted
      ? [
          "A new federated credential may take minutes to work; until then, Microsoft Entra answers AADSTS70021.",
          "A new issuer or key is reported to take up to an hour, because keys are cached; until then, the answer is AADSTS7000272.",
          "If Azure then answers AuthorizationFailed (403), the token is not the cause: the message names the action and the scope that a role must allow.",
        ]
      : []),
    "While the command runs, the list of processes shows the token.",
  ];
}
