import { generatedBy, type Resource } from "../core/resource.ts";
import { secretTexts } from "../core/secret-texts.ts";
import type { CloudIdentity, RenderedIdentity } from "../permissions/identity.ts";
import { isCredentialsRequest, providerSpecOf, secretKeyOf } from "../requests/credentials-request.ts";
import { isOfPreviousRelease } from "../requests/transition.ts";

/** What a comparison needs to know of a cloud besides its rendered identities. */
export interface NeighbourReader {
  /** The kind of `spec.providerSpec` of its requests. */
  readonly providerKind: string;
  /** Where a Secret contains the path of the token: in a setting of a file, or in a key. */
  readonly secret: {
    readonly file?: {
      readonly key: string;
      readonly form: {
        readonly token: string;
        readonly audience?: string;
        settings(text: string): ReadonlyMap<string, string>;
      };
    };
    readonly tokenKey?: string;
  };
}

/**
 * Rendered identities for a comparison, with facts from the package's objects: the name of the request, and the token path and
 * the audience in the Secret. Identities that cannot be compared are skipped; their reader has reported them.
 */
export function comparedIdentities(
  rendered: readonly RenderedIdentity[],
  items: readonly Resource[],
  cloud: NeighbourReader,
): CloudIdentity[] {
  const requests = new Map<string, string>();
  const secrets = new Map<string, Pick<CloudIdentity, "tokenPath" | "audience">>();
  for (const item of items) {
    if (isCredentialsRequest(item)) {
      const value = item.value();
      const key = secretKeyOf(value) ?? "";
      // During an upgrade, a Secret may also have a request of the previous release.
      if (isOfPreviousRelease(item) && requests.has(key)) continue;
      if (providerSpecOf(value)?.["kind"] === cloud.providerKind) requests.set(key, item.name);
    } else if (item.kind === "Secret") {
      secrets.set(`${item.namespace}/${item.name}`, namedIn(item, cloud));
    }
  }
  return rendered.flatMap(({ compared }) =>
    compared === undefined ? [] : { ...compared, request: requests.get(compared.key), ...secrets.get(compared.key) },
  );
}

function namedIn(
  secret: Resource,
  { secret: { file, tokenKey = "" } }: NeighbourReader,
): Pick<CloudIdentity, "tokenPath" | "audience"> {
  const texts = secretTexts(secret.value());
  if (file === undefined) return { tokenPath: texts.get(tokenKey), audience: undefined };
  const { settings, token, audience = "" } = file.form;
  const named = settings(texts.get(file.key) ?? "");
  return { tokenPath: named.get(token), audience: named.get(audience) };
}

/** The keys of the rendered identities of OLM operators, whose requests are not in any release. */
export function operatorsAmong(rendered: readonly RenderedIdentity[]): ReadonlySet<string> {
  const isOperators = ({ resource }: RenderedIdentity) =>
    resource?.annotations.get(generatedBy)?.startsWith("configure-operators/") === true;
  return new Set(rendered.filter(isOperators).flatMap(({ key }) => key ?? []));
}
