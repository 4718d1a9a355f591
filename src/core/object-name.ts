// Kubernetes documentation, "Object Names and IDs".

/** The characters of a DNS subdomain name, which most objects must have. */
export const maxObjectName = 253;

const label = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const labelForm = new RegExp(`^${label}$`);
const subdomainForm = new RegExp(`^${label}(?:\\.${label})*$`);

/** Whether a text is a DNS subdomain name: the name of a ConfigMap, a Secret, or a service account. */
export function isSubdomain(text: string): boolean {
  return text.length <= maxObjectName && subdomainForm.test(text);
}

/** Whether a text is a DNS label: the name of a namespace. */
export function isLabel(text: string): boolean {
  return text.length <= 63 && labelForm.test(text);
}
