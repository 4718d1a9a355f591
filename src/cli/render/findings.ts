/** What `ccf render` says of a package. */
export const findings = {
  "kptfile-other-functions": {
    severity: "error",
    cause:
      "The package has functions of others in its pipeline, or packages inside it, and `ccf render` runs only this project's functions over one package.",
    cure: "Use `kpt fn render`, or `ccf render --only-ours` if the rest is rendered elsewhere.",
  },
  "kptfile-invalid": {
    severity: "error",
    cause:
      "The Kptfile's pipeline cannot be followed by `ccf render`: it runs none of this project's functions, has selectors, or names a configuration that does not exist.",
    cure: "Correct the pipeline, or use `kpt fn render`.",
  },
  "operators-not-configured": {
    severity: "warning",
    cause:
      "The package holds requests of operators, and its Kptfile does not run `configure-operators`: nothing is made for them. It is an error where a role that was rendered for one of them would be removed.",
    cure: "Add `configure-operators` to the pipeline, after `generate-cloud-credentials` and with the same `configPath`.",
  },
  "package-not-rendered": {
    severity: "error",
    cause:
      "`ccf export` was asked for a package that differs from what its requests and its ClusterIdentity make: it changed after the last render, or a generated file was edited by hand. Nothing was written.",
    cure: "`ccf render DIR`, review what it changes, and export again. Make changes in the ClusterIdentity, not in generated files.",
  },
  "prefix-preserved": {
    severity: "info",
    cause:
      "`ccf render --rename-from` wrote the resource prefix into the config. It followed from the ClusterIdentity's name, and that is another one now; the resources in the cloud keep their names.",
    cure: "None is needed.",
  },
  "render-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf render` was killed, or could not go on, while it wrote. Each file is the old or the new one, whole; `.ccf-render` is what it left.",
    cure: "None is needed: `ccf render` makes the same change from the same sources. `--check` and `--stdout` write nothing, and leave it to be finished.",
  },
} as const;
