/**
 * Decodes strict base64url (RFC 7515, section 2): no padding, no white space, no other alphabet, and zeros in the unused
 * bits of the last character.
 *
 * @returns undefined for any other text. Encoding the result must give the same text, so that all readers decode the same
 * octets.
 */
export function readBase64url(text: string): Buffer | undefined {
  const octets = Buffer.from(text, "base64url");
  return octets.toString("base64url") === text ? octets : undefined;
}
