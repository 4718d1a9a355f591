/** Bytes as text, a byte order mark included, or undefined where they are not UTF-8: no byte is replaced by another. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
