import type { WantedResource } from "../core/wanted-resource.ts";
import { attempt, pause } from "./requests.ts";
import type { Extra } from "./resource.ts";

/** What a reader without credentials gets. */
export interface PublicAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * A document that is right in its storage, but that everyone reads differently, or not at all; undefined if all read it.
 *
 * @param where everyone reads it, for messages: ` at https://issuer.example`, or "".
 * @param read sends one request without credentials. Rejects with a CloudError if its answer is not known.
 * @param hint what the reader must know of a wrong answer: the end of a sentence, or "".
 */
export async function hiddenDocument(
  wanted: WantedResource,
  where: string,
  read: () => Promise<PublicAnswer>,
  isRight: (text: string) => boolean,
  hint = "",
): Promise<Extra | undefined> {
  const answer = await attempt(read);
  if ("problem" in answer) return unreadDocument(wanted, where, answer.problem);
  const { status, text } = answer;
  if (status === 200 && isRight(text)) return undefined;
  const found = status === 200 ? "gets something else" : `gets status ${status}`;
  return { ...baseOf(wanted), kept: `everyone who reads it${where} without credentials ${found}${hint}` };
}

/** A document that could not be read as everyone. What the cloud reads is not known: a run goes on, and a status cannot tell. */
export function unreadDocument(wanted: WantedResource, where: string, problem: string): Extra {
  const said = problem.replace(/\.?( Run the same command again\.)?$/, "");
  const kept = `it could not be read${where} without credentials (${said}); to omit this check, use --no-fetch`;
  return { ...baseOf(wanted), kept, unread: true };
}

function baseOf({ kind, id, name }: WantedResource) {
  const live = { id, value: {}, owner: "own" } as const;
  return { kind, id: `${id}#public`, name, live, needs: [], breaksIssuer: true } as const;
}

/**
 * Waits until everyone reads what was written, and resolves to whether that is so. Without an answer, it does not wait any longer:
 * the next status says that it cannot tell.
 */
export async function isServed(
  read: () => Promise<PublicAnswer>,
  isRight: (text: string) => boolean,
  tries: number,
): Promise<boolean> {
  for (let left = tries; ; left--) {
    const answer = await attempt(read);
    if ("problem" in answer || (answer.status === 200 && isRight(answer.text))) return true;
    if (left <= 0) return false;
    await pause(Math.min(2 ** (tries - left), 15));
  }
}
