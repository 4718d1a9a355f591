/** The findings of `ccf render`. */
export const explanations = {
  "kptfile-other-functions": {
    severity: "error",
    cause:
      "The package has functions of other projects in its pipeline, or packages inside it. `ccf render` runs only this project's functions, on one package.",
    cure: "Use `kpt fn render`. If the rest is rendered elsewhere, use `ccf render --only-ours`.",
  },
  "kptfile-invalid": {
    severity: "error",
    cause:
      "`ccf render` cannot run the pipeline of the Kptfile: it contains none of this project's functions, uses selectors or a condition, or names a configuration that does not exist.",
    cure: "Fix the pipeline, or use `kpt fn render`.",
  },
  "operators-not-configured": {
    severity: "warning",
    cause:
      "The package contains requests of OLM operators, but its Kptfile does not run `configure-operators`, so nothing is generated for them. If a role that was rendered for one of them would be removed, this is an error.",
    cure: "Add `configure-operators` to the pipeline, after `generate-cloud-credentials` and with the same `configPath`.",
  },
  "package-not-rendered": {
    severity: "error",
    cause:
      "The package differs from what its requests and its ClusterIdentity render: a source changed after the last render, or a generated file was edited by hand. Nothing was written.",
    cure: "Run `ccf render DIR`, review the changes, and run the command again. Make changes in the ClusterIdentity, not in generated files.",
  },
  "prefix-preserved": {
    severity: "info",
    cause:
      "`ccf render --rename-from` set the resource prefix in the ClusterIdentity. The prefix used to be the name of the ClusterIdentity, which changed. The resources in the cloud keep their names.",
    cure: "No action is needed.",
  },
  "render-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf render` was killed or failed while it wrote. Each file has either its old or its new content. The directory `.ccf-render` remains from that run.",
    cure: "No action is needed: the next `ccf render` finishes the work. `--check` and `--stdout` write nothing and do not finish the work.",
  },
} as const;
