import type { V1Secret } from "@kubernetes/client-node";
import type { OutputForm } from "../core/generated-object.ts";
import { type GeneratedObject, type Resource, refOf } from "../core/resource.ts";

/** Where Secrets are written. The installer reads every manifest in that directory. */
export const secretForm: OutputForm = {
  apiVersion: "v1",
  kind: "Secret",
  path: /^manifests\/[^/]+-credentials\.yaml$/,
};

/** A request that names its Secret. */
export interface SecretOwner {
  readonly resource: Resource;
  readonly secretNamespace: string;
  readonly secretName: string;
}

/**
 * The Secret of a request.
 *
 * @param content values by key, in order
 * @param encoding `data` encodes the values in base64, as the API server returns them
 */
export function secretOf(
  { resource, secretNamespace: namespace, secretName: name }: SecretOwner,
  content: Readonly<Record<string, string>>,
  encoding: "stringData" | "data",
): GeneratedObject {
  const texts = Object.entries(content).map(([key, text]) => [
    key,
    encoding === "data" ? Buffer.from(text, "utf8").toString("base64") : text,
  ]);
  const object = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    type: "Opaque",
    [encoding]: Object.fromEntries(texts) as Record<string, string>,
  } satisfies V1Secret;
  return { path: `manifests/${namespace}-${name}-credentials.yaml`, object, origin: refOf(resource) };
}
