import { define } from "../definition.ts";

export const schemaCommand = define({
  name: "schema",
  summary: "print the JSON schema of an object or of an output",
  description:
    "Print a JSON schema: of the objects that a package contains, such as cluster-identity, or of what a command prints with -o json. Without a name, list the schemas. The command reads no files and needs no network.",
  arguments: [
    {
      name: "NAME",
      text: "the name of a schema",
      optional: true,
      completed: async () => [...(await import("./schemas.ts")).schemas.keys()],
    },
  ],
  flags: {},
  examples: ["ccf schema", "ccf schema cluster-identity > cluster-identity.schema.json"],
});
