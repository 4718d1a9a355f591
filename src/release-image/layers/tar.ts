import { createTarDecoder } from "modern-tar";
import { FindingError } from "../../core/finding.ts";
import { LostAnswer } from "../registry/request.ts";

/** An entry of an archive. Its content must be read or skipped before the next entry. */
export interface TarEntry {
  /** As the archive writes it. */
  readonly name: string;
  /** `file`, `directory`, `symlink`, `link`, and others. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** The content, which is only valid until the next part is read. */
  parts(): AsyncGenerator<Uint8Array, void>;
}

/**
 * The entries of a tar archive, of which only some kilobytes are in memory. The archive is read to the end of its bytes, even after
 * the blocks that end it.
 *
 * @param archive its bytes.
 * @param invalid the error for an archive that is damaged, truncated, or not a tar archive.
 * @throws what `invalid` returns, and what reading the bytes throws; so do the contents of entries.
 */
export async function* tarEntries(
  archive: AsyncIterable<Uint8Array>,
  invalid: (problem: string) => Error,
): AsyncGenerator<TarEntry, void> {
  const understood = (error: unknown) => (isOfReading(error) ? error : invalid(textOf(error)));
  const { readable, writable } = createTarDecoder({ strict: true });
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  let isEnough = false;
  const feed = async () => {
    try {
      for await (const part of archive) {
        if (isEnough) return;
        await writer.write(part as Uint8Array<ArrayBuffer>);
      }
      await writer.close();
    } catch (error) {
      await writer.abort(error).catch(() => undefined);
      throw error;
    }
  };
  const fed = feed();
  // The error is thrown below; until then, it is not unhandled.
  fed.catch(() => undefined);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const { header, body } = value;
      let isRead = false;
      const parts = async function* () {
        isRead = true;
        try {
          for await (const part of body) yield part;
        } catch (error) {
          throw understood(error);
        }
      };
      yield { name: header.name, type: header.type ?? "file", size: header.size, parts };
      // Not `cancel`: once all of a content is buffered, that would discard the content of the next entry (modern-tar 0.8.6).
      if (!isRead) await drained(body);
    }
    await fed;
  } catch (error) {
    throw understood(error);
  } finally {
    isEnough = true;
    await reader.cancel().catch(() => undefined);
  }
}

async function drained(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body);
}

/** Whether an error is about the bytes of the archive, not about its form. */
export function isOfReading(error: unknown): boolean {
  return error instanceof FindingError || error instanceof LostAnswer;
}

/** What the library says, as the end of a sentence. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  // A mistake of this program is not one of the archive.
  if (error instanceof TypeError || error instanceof ReferenceError) throw error;
  return error.message.replace(/\.$/, "");
}
