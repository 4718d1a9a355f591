import type { Answer, Form } from "../../../apply/requests.ts";
import { isMap, textAt, type Value, valueAt } from "../../../core/resource.ts";
import { nameOf, same } from "../resources.ts";

/*
 * The forms of Azure's answers. A proxy or a login page can answer any request with status 200. So an answer counts only if it
 * contains what Azure always returns, about the resource of the request.
 */

/**
 * A resource of Azure Resource Manager, which repeats its ID. Role definitions and assignments are shown in other scopes, too.
 * The creation of some resources is only accepted, and shows nothing.
 */
export function resource(id: string): Form {
  return ({ status, text, value }) =>
    (status === 202 && text === "") || same(identified(textAt(value, ["id"])), identified(id));
}

function identified(id: string): string {
  return id.replace(/^.*(?=\/providers\/Microsoft\.Authorization\/)/i, "");
}

/** One page of a list of Azure Resource Manager. @param path of the list: the IDs of its entries contain its last segment. */
export function page(path: string): Form {
  const collection = nameOf(path).toLowerCase();
  const isEntry = (one: Value) => {
    if (collection === "permissions") return Array.isArray(valueAt(one, ["actions"]));
    const id = textAt(one, ["id"]).toLowerCase();
    return isMap(one) && (collection === "resources" ? id !== "" : id.includes(`/${collection}/`));
  };
  return ({ value }) => {
    const entries = valueAt(value, ["value"]);
    return Array.isArray(entries) && entries.every(isEntry);
  };
}

/** The lifecycle rules of a storage account. */
export const lifecyclePolicy: Form = ({ value }) => Array.isArray(valueAt(value, ["properties", "policy", "rules"]));

/** The keys of a storage account. */
export const accountKeys: Form = ({ value }) => textAt(value, ["keys", "0", "value"]) !== "";

/** A removal: a reading must show it. */
export const removal: Form = ({ header }) => !header("content-type").includes("html");

/** A document, or what came of its upload: only headers show that it is from a storage account, and whole. */
export const blob: Form = (answer) =>
  answer.header("etag") !== "" && answer.header("x-ms-request-id") !== "" && isWhole(answer);

/** Whether a document has the digest that Azure stored with it. What is compressed or not UTF-8 has another one as a text. */
function isWhole({ text, header }: Answer): boolean {
  const digest = header("content-md5");
  if (digest === "" || text === "" || header("content-encoding") !== "" || text.includes("\ufffd")) return true;
  return (md5(text) ?? digest) === digest;
}

/** A digest in base64; undefined where the rules of the machine (FIPS) exclude the algorithm. */
function md5(text: string): string | undefined {
  try {
    return process.getBuiltinModule("node:crypto").createHash("md5").update(text).digest("base64");
  } catch {
    return undefined;
  }
}

/** One page of the blobs of a container, in XML. */
export function blobs(container: string): Form {
  return ({ text }) => text.includes(`ContainerName="${container}"`) && text.includes("</EnumerationResults>");
}
