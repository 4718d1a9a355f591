import { readJson } from "../../core/json.ts";
import { isMap, textAt, type Value, valueAt } from "../../core/resource.ts";
import { decodeUtf8, quote } from "../../core/text.ts";
import { describeProblem, documents, isProblem, parseSource } from "../../yaml/source.ts";
import { construct } from "../../yaml/values.ts";
import { inputProblem, maxBytes, readInputFile } from "../files/input-file.ts";
import { readStandardInput } from "../files/read-bytes.ts";
import type { GivenIds } from "../package/check-ids.ts";

const flag = "--from";
const form = "a ConfigMap, or a map from keys to IDs";

/**
 * Reads a ConfigMap, or a map in JSON or YAML.
 *
 * @param path of a file, or `-` for standard input
 * @param unwrap finds the map in the outputs of Terraform around it
 * @throws FindingsError `input-file-invalid`
 */
export function readGivenIds(path: string, unwrap: (value: Value) => Value): GivenIds {
  const value = parsed(path, path === "-" ? standardInput() : readInputFile(flag, path));
  const kind = textAt(value, ["kind"]);
  if (kind !== "" && !(kind === "ConfigMap" && textAt(value, ["apiVersion"]) === "v1"))
    throw inputProblem(flag, path, `contains an object of the kind ${quote(kind)}, but must contain ${form}`);
  const ids = kind === "" ? unwrap(value) : (valueAt(value, ["data"]) ?? {});
  if (!isMap(ids)) throw inputProblem(flag, path, `must contain ${form}`);
  if (Object.keys(ids).length === 0) throw inputProblem(flag, path, "contains no IDs");
  const annotations = kind === "" ? undefined : valueAt(value, ["metadata", "annotations"]);
  return { annotations: isMap(annotations) ? annotations : {}, ids };
}

// The YAML reader also reads JSON, but not every JSON: a tab may indent it.
function parsed(path: string, text: string): Value {
  const json = readJson(text);
  if ("value" in json) return json.value;
  if (!json.problem.startsWith("is not JSON")) throw inputProblem(flag, path, json.problem);
  const source = parseSource(text);
  if (isProblem(source)) throw inputProblem(flag, path, `is not YAML: ${describeProblem(source)}`);
  const [node, ...more] = documents(source);
  if (node === undefined || more.length > 0)
    throw inputProblem(flag, path, `must contain one document, but contains ${documents(source).length}`);
  const built = construct(source, node);
  if ("reason" in built) throw inputProblem(flag, path, `cannot be read: ${built.reason}${lineOf(built.line)}`);
  return built.value;
}

function lineOf(line: number | undefined): string {
  return line === undefined ? "" : `, line ${line}`;
}

function standardInput(): string {
  const bytes = readStandardInput();
  if (bytes.byteLength > maxBytes) throw inputProblem(flag, "-", `has more than ${maxBytes} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw inputProblem(flag, "-", "is not UTF-8");
  return text;
}
