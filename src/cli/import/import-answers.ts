import { finding } from "../../core/finding.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { completeAnswers } from "../init/complete-answers.ts";
import { type Answers, askAll, errorsOfAnswers, type Interview } from "../init/init-answers.ts";
import { clusterIdentity } from "../init/init-files.ts";
import { readKey } from "../init/init-key.ts";
import { FindingsError } from "../terminal/errors.ts";
import type { NoAnswer } from "../terminal/prompt.ts";
import { type Draft, importQuestions, nameOf, settingsOf } from "./draft.ts";

/**
 * Refuses facts that cannot be true of one cluster.
 *
 * @param found the answers of the cluster, by flag.
 * @throws FindingsError `import-contradiction`
 */
export function refuseContradictions(sentences: readonly string[], found: Answers, given: Answers): void {
  const contradicting = Object.entries(given).filter(
    ([flag, value]) => found[flag] !== undefined && found[flag]?.toLowerCase() !== value.toLowerCase(),
  );
  const messages = [
    ...sentences.map((text) => `${text}. Pass the objects of one cluster only.`),
    ...contradicting.map(
      ([flag, value]) =>
        `--${flag} is ${quote(value)}, but the cluster says ${quoteWhole(found[flag] ?? "")}. Remove the option, or pass the objects of the right cluster.`,
    ),
  ];
  if (messages.length > 0)
    throw new FindingsError(messages.map((message) => finding("error", "import-contradiction", message)));
}

/**
 * The answers of the cluster, those of flags, and those of a user at a terminal.
 *
 * @throws UsageError that names the missing flags if there is no terminal.
 */
export async function answersFor(draft: Draft, given: Answers, hasKeys: boolean): Promise<Answers | NoAnswer> {
  const interview = interviewFor(draft, hasKeys);
  const start = { ...draft.facts.answers, ...given };
  const missing = interview.questions(start).flatMap(([flag]) => (start[flag] === undefined ? [flag] : []));
  return completeAnswers(start, missing, (prompt) => askAll(prompt, start, interview));
}

/** What neither the cluster nor a flag may say. */
export function interviewFor(draft: Draft, hasKeys: boolean): Interview {
  const name = ["name", "Cluster name, also the prefix of every cloud resource"] as const;
  const key = ["public-key-file", "Public key file of the service account signer"] as const;
  const questions = [
    ...(nameOf(draft) === undefined ? [name] : []),
    ...importQuestions(draft.cloud).map(({ flag, asked }) => [flag, asked] as const),
    ...(hasKeys ? [] : [key]),
  ];
  return {
    questions: () => questions,
    check(flag, answers) {
      const publicKeys = flag === "public-key-file" ? [readKey(answers[flag] ?? "")] : [];
      const findings = errorsOfAnswers(clusterIdentity({ ...settingsOf(draft, answers).options, publicKeys }));
      if (findings.length > 0) throw new FindingsError(findings);
    },
    fallback: () => undefined,
  };
}
