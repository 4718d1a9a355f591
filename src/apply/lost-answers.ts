import { connectionProblem, invalidProxy, webPageCure } from "../network/connection-problems.ts";
import { CloudError, sentence } from "./requests.ts";

/*
 * The errors of requests to a cloud whose answer did not arrive, or is not the cloud's.
 */

/** An error for a request whose answer did not arrive. @param what the request, for messages. */
export function lostAnswer(
  what: string,
  { url = "", isRead = false }: { url?: string; isRead?: boolean },
  error: unknown,
): CloudError {
  if (error instanceof CloudError) return error;
  const { said, cure } = connectionProblem(error, url);
  return new CloudError(`${what} failed: ${sentence(said)}${effectOf(isRead)} ${cure}`);
}

/**
 * The error of an answer with a status of success that the cloud does not give to this request: nothing follows from it.
 *
 * @param what the request, for messages.
 * @param cloud who was asked.
 */
export function strangeAnswer(
  what: string,
  cloud: string,
  { url = "", isRead }: { url?: string; isRead: boolean },
): CloudError {
  return new CloudError(
    `${what}: the answer does not have the form of an answer of ${cloud}.${effectOf(isRead)} ${webPageCure(url)}`,
  );
}

/** What is known about the effect of a request without an answer. */
function effectOf(isRead: boolean): string {
  return isRead ? "" : " It is not known whether it had an effect.";
}

/** @throws CloudError if a variable for a proxy contains no URL. */
export function checkProxies(environment: NodeJS.ProcessEnv): void {
  const problem = invalidProxy(environment);
  if (problem !== undefined) throw new CloudError(problem);
}
