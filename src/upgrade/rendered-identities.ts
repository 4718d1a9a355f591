import { generatedBy, type Resource } from "../core/resource.ts";
import { secretTexts } from "../core/secret-texts.ts";
import type { CloudIdentity, RenderedIdentity } from "../permissions/identity.ts";
import { isCredentialsRequest, providerSpecOf, secretKeyOf } from "../requests/credentials-request.ts";

/** What a comparison needs to know of a cloud besides its rendered identities. */
export interface NeighbourReader {
  /** The kind of `spec.providerSpec` of its requests. */
  readonly providerKind: string;
  /** The file in a Secret, and the setting for the token file. */
  readonly secretFile?: {
    readonly key: string;
    readonly form?: { readonly token: string; settings(text: string): ReadonlyMap<string, string> };
  };
}

/**
 * Rendered identities for a comparison, with facts from the package's objects: the name of the request, and the token path in
 * the Secret. Identities that cannot be compared are skipped; their reader has reported them.
 */
export function comparedIdentities(
  rendered: readonly RenderedIdentity[],
  items: readonly Resource[],
  cloud: NeighbourReader,
): CloudIdentity[] {
  const requests = new Map<string, string>();
  const tokens = new Map<string, string | undefined>();
  for (const item of items) {
    if (isCredentialsRequest(item)) {
      const value = item.value();
      if (providerSpecOf(value)?.["kind"] === cloud.providerKind) requests.set(secretKeyOf(value) ?? "", item.name);
    } else if (item.kind === "Secret") {
      tokens.set(`${item.namespace}/${item.name}`, tokenPathIn(item, cloud));
    }
  }
  return rendered.flatMap(({ compared }) =>
    compared === undefined
      ? []
      : { ...compared, request: requests.get(compared.key), tokenPath: tokens.get(compared.key) },
  );
}

function tokenPathIn(secret: Resource, { secretFile }: NeighbourReader): string | undefined {
  const text = secretTexts(secret.value()).get(secretFile?.key ?? "") ?? "";
  return secretFile?.form?.settings(text).get(secretFile.form.token);
}

/** The keys of the rendered identities of OLM operators, whose requests are not in any release. */
export function operatorsAmong(rendered: readonly RenderedIdentity[]): ReadonlySet<string> {
  const isOperators = ({ resource }: RenderedIdentity) =>
    resource?.annotations.get(generatedBy)?.startsWith("configure-operators/") === true;
  return new Set(rendered.filter(isOperators).flatMap(({ key }) => key ?? []));
}
