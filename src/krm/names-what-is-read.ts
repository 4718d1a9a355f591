const names =
  /CredentialsRequest|ClusterIdentity|Authentication|Infrastructure|FeatureGate|Kptfile|fn\.cloudcredential\.dev|operators\.coreos\.com|PUBLIC KEY/;

const escaped = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(?:\r\n?|\n)[ \t]*)/g;

/**
 * Whether a text that cannot be parsed mentions anything that a function reads, owns, or is configured by, including in
 * quoted text with escapes. Any other text can be passed through unread.
 */
export function namesWhatIsRead(text: string): boolean {
  return names.test(text) || names.test(text.replace(escaped, decoded));
}

function decoded(_all: string, ...codes: (string | undefined)[]): string {
  const code = Number.parseInt(codes[0] ?? codes[1] ?? codes[2] ?? "", 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
