/**
 * The octets of a base64url text (RFC 7515, section 2): without padding, white space or any other alphabet, and with
 * nothing in the bits that the last character does not need.
 *
 * @returns undefined for every other text: written anew it must be the same one, so that no reader sees other octets in it.
 */
export function readBase64url(text: string): Buffer | undefined {
  const octets = Buffer.from(text, "base64url");
  return octets.toString("base64url") === text ? octets : undefined;
}
