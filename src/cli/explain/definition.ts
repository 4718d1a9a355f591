import { define, outputFlag, policyDocumentsFlag } from "../definition.ts";
import { fleetFlags, packagesArgument } from "../fleet/flags.ts";

const page = { group: 'With "-o html", "-o svg" or "-o mermaid"' } as const;

export const explainCommand = define({
  name: "explain",
  summary: "show who can use each component identity, and what it allows",
  description:
    'For each component identity of a package, an IAM role, a service account or a managed identity, show who can use it and what it allows, according to its files. "-o html" writes a page for reviewers and auditors: one file that needs no network, with the findings of "ccf validate". "-o svg" and "-o mermaid" write only its picture.',
  arguments: [{ ...packagesArgument, text: "rendered packages or exports (default: the current directory)" }],
  flags: {
    output: outputFlag("text", "markdown", "json", "html", "svg", "mermaid"),
    against: {
      value: "OLD",
      path: "file",
      text: "also show what changes since OLD: a rendered package, an export, or CredentialsRequests",
      ...page,
    },
    namespace: {
      value: "NAME",
      text: 'only the identities that pods of this namespace can use, in any of the packages; not with "-o html", "-o svg" or "-o mermaid"',
    },
    "policy-documents": policyDocumentsFlag,
    commit: { value: "TEXT", text: "label for the page, such as a commit ID", ...page },
    time: {
      value: "TIME",
      text: 'evaluate acceptance expiry as of this time, such as "2027-01-31T12:00:00Z" (default: none expires)',
      ...page,
    },
    ...fleetFlags,
  },
  sections: {
    "With several packages and a page": [
      "The page, the picture or the flowchart contains all packages; if one fails, none is written.",
      "OLD of --against is a directory with the same packages, which are paired by path, or the CredentialsRequests of a release. A package that is new or gone is named.",
    ],
  },
  examples: [
    "ccf explain clusters/demo",
    "ccf explain --recursive clusters --namespace shop",
    "ccf explain out -o markdown > identities.md",
    "ccf explain clusters/demo -o json | jq -r '.identities[].id'",
    "ccf explain clusters/demo -o html > demo.html",
    "git worktree add ../main main && ccf explain clusters/demo --against ../main/clusters/demo -o html > change.html",
    "ccf explain --recursive clusters -o html > clusters.html",
    "ccf explain clusters/demo -o mermaid >> README.md",
  ],
});
