import type { IncomingMessage, ServerResponse } from "node:http";

/** An answer over HTTP. */
export interface CapturedAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Lets a stand-in answer a request, and returns the answer instead of sending it. */
export async function captured(serve: (outgoing: ServerResponse) => Promise<unknown>): Promise<CapturedAnswer> {
  const parts: Buffer[] = [];
  let [status, headers]: [number, Record<string, string>] = [200, {}];
  const fake = {
    writeHead(code: number, ...rest: unknown[]) {
      status = code;
      headers = (rest.at(-1) ?? {}) as Record<string, string>;
      return fake;
    },
    end(text?: string | Buffer) {
      if (text !== undefined) parts.push(Buffer.from(text));
      return fake;
    },
  };
  await serve(fake as unknown as ServerResponse);
  return { status, headers, body: Buffer.concat(parts) };
}

/** What something between the program and the cloud answers. */
export interface Instead {
  /** That of the cloud's answer if it is missing. */
  readonly status?: number;
  readonly type: string;
  /** @param right what the cloud answers. */
  body(right: CapturedAnswer): string | Buffer;
  /** The request reaches the cloud, and has its effect. */
  readonly isCarriedOut?: boolean;
  /** The headers of the cloud's answer stay. */
  readonly keepsHeaders?: boolean;
}

/** Answers a request with something else. @param serve lets the cloud answer. */
export async function answerInstead(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, type, body, isCarriedOut, keepsHeaders }: Instead,
  serve: (outgoing: ServerResponse) => Promise<unknown>,
): Promise<void> {
  const nothing = { status: 0, headers: {}, body: Buffer.alloc(0) };
  if (!isCarriedOut) incoming.resume();
  const right = isCarriedOut ? await captured(serve) : nothing;
  const headers = keepsHeaders ? right.headers : {};
  outgoing.writeHead(status ?? right.status, { ...headers, ...(type === "" ? {} : { "content-type": type }) });
  outgoing.end(incoming.method === "HEAD" ? undefined : body(right));
}
