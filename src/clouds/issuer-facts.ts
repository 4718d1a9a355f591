import { listAt, textAt } from "../core/resource.ts";
import type { RenderedIssuer } from "./rendered.ts";

/** The URL of an issuer, with `https://`; undefined if no file names it. */
export function issuerUrl({ url }: RenderedIssuer): string | undefined {
  return url === undefined ? undefined : `https://${url}`;
}

/** The IDs of the keys that an issuer publishes, in the order of its document; empty if the document cannot be read. */
export function issuerKeyIds({ keys }: Pick<RenderedIssuer, "keys">): string[] {
  const published = keys !== undefined && "value" in keys ? listAt(keys.value, ["keys"]) : [];
  return published.map((key) => textAt(key, ["kid"])).filter((id) => id !== "");
}
