import { generatedBy, type Resource } from "../core/resource.ts";
import { secretTexts } from "../core/secret-texts.ts";
import type { CloudIdentity, RenderedIdentity } from "../permissions/identity.ts";
import { isCredentialsRequest, providerSpecOf, secretKeyOf } from "../requests/credentials-request.ts";

/** What is read beside rendered identities of a cloud. */
export interface NeighbourReader {
  /** The kind of `spec.providerSpec` of its requests. */
  readonly providerKind: string;
  /** The file in a Secret, and its setting that names the token's file. */
  readonly secretFile?: {
    readonly key: string;
    readonly form?: { readonly token: string; settings(text: string): ReadonlyMap<string, string> };
  };
}

/**
 * Rendered identities for a comparison, with what the objects beside their files say: the name of the request, and the
 * token's place in the Secret. What cannot be compared is left out; its reader has said so.
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

/** Which rendered identities are those of OLM operators, by their keys: no release has their requests. */
export function operatorsAmong(rendered: readonly RenderedIdentity[]): ReadonlySet<string> {
  const isOperators = ({ resource }: RenderedIdentity) =>
    resource?.annotations.get(generatedBy)?.startsWith("configure-operators/") === true;
  return new Set(rendered.filter(isOperators).flatMap(({ key }) => key ?? []));
}
