import { type Finding, finding } from "../core/finding.ts";
import { describe, type Resource, refOf } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import { hintsAmong, listed, nearest } from "../core/words.ts";
import { isCredentialsRequest } from "./credentials-request.ts";
import { isFeatureGate, isReleaseFeatureGate, statedFeatureSets, statedGates } from "./feature-gates.ts";
import { capabilitiesOf, gatesOf, isBefore, profilesOf, type ReleaseFilter } from "./release-filter.ts";
import { releaseNames } from "./release-object.ts";
import type { SelectedRequest } from "./select.ts";

/**
 * Warns about names in `spec.release` that appear in no request and are not known names of OpenShift. Usually they are
 * misspelled, and the intended requests are excluded.
 *
 * @param config the ClusterIdentity, for findings.
 */
export function unknownReleaseNames(filter: ReleaseFilter, items: readonly Resource[], config: Resource): Finding[] {
  const { capabilities = [], featureGates, profile } = filter;
  const dump = items.find((item) => isFeatureGate(item) && !isReleaseFeatureGate(item));
  // Evaluated only if a name is unknown.
  const requests = () => items.filter(isCredentialsRequest).map(({ annotations }) => annotations);
  const warn = (
    field: string,
    what: string,
    names: readonly string[],
    known: readonly string[],
    asked: (annotations: ReadonlyMap<string, string>) => string[],
  ) => {
    const doubtful = names.filter((name) => !known.includes(name));
    const all = doubtful.length === 0 ? new Set<string>() : new Set([...requests().flatMap(asked), ...known]);
    const hint = hintsAmong(all);
    return doubtful
      .filter((name) => !all.has(name))
      .map((name) => {
        const message = `"${field}" names the unknown ${what} ${quote(name)}${hint(name)}: it appears in no request and in no known release of OpenShift. Correct the name, or remove it.`;
        return finding("warning", "release-name-unknown", message, { resource: config, field });
      });
  };
  const base = "spec.release";
  const ofRelease = [...knownCapabilities, ...(releaseNames(items)?.capabilities ?? [])];
  // A disabled gate excludes nothing by mistake, and what depends on the right one is then reported as unknown.
  const enabled = featureGates.filter((gate) => !gate.startsWith("-"));
  const gates = [...knownFeatureGates, ...statedGates(items)];
  return [
    ...okdBefore(filter, config),
    ...(dump === undefined ? [] : otherFeatureSet(filter, dump, config)),
    ...warn(`${base}.capabilities`, "capability", capabilities, ofRelease, capabilitiesOf),
    ...warn(`${base}.featureGates`, "feature gate", enabled, gates, gatesOf),
    ...warn(`${base}.profile`, "cluster profile", [profile], knownProfiles, profilesOf),
  ];
}

// OpenShift API, config/v1, FeatureGate: the feature set OKD exists since 4.22.
function okdBefore({ featureSet, version }: ReleaseFilter, config: Resource): Finding[] {
  if (featureSet !== "OKD" || version === undefined || !isBefore(version, 4, 22)) return [];
  const field = "spec.release.featureSet";
  const message = `"${field}" is "OKD", which requires OpenShift 4.22 or later, but "spec.release.version" is ${quote(version)}. Correct one of them.`;
  return [finding("error", "feature-set-contradiction", message, { resource: config, field })];
}

function otherFeatureSet({ featureSet }: ReleaseFilter, dump: Resource, config: Resource): Finding[] {
  const [stated = ""] = statedFeatureSets(dump);
  if (stated === featureSet) return [];
  const field = "spec.release.featureSet";
  const message = `"${field}" is ${quote(featureSet)}, but FeatureGate "cluster" in the package has the feature set ${quote(stated)}, so its gates are ignored. Correct the field, or replace the FeatureGate.`;
  return [finding("warning", "feature-set-contradiction", message, { resource: config, field })];
}

/*
 * OpenShift's names for what a release can enable, from openshift/api as of August 2026. A name that is missing here
 * may be newer, so it only leads to a warning that it may be misspelled.
 */

/** ClusterVersion's capabilities (config/v1, ClusterVersionCapability). */
const knownCapabilities = words(`
  baremetal Build CloudControllerManager CloudCredential Console CSISnapshot DeploymentConfig ImageRegistry Ingress
  Insights MachineAPI marketplace NodeTuning openshift-samples OperatorLifecycleManager OperatorLifecycleManagerV1
  Storage`);

/** Cluster profiles of release payloads. */
const knownProfiles = words("self-managed-high-availability single-node-developer ibm-cloud-managed hypershift");

/** Feature gates of FeatureGate manifests, from release 4.10 on. */
const knownFeatureGates = words(`
  AWSClusterHostedDNS AWSClusterHostedDNSInstall AWSDedicatedHosts AWSDualStackInstall
  AWSEuropeanSovereignCloudInstall AdditionalStorageConfig AuthenticationComponentProxy AutomatedEtcdBackup
  AzureDedicatedHosts AzureDualStackInstall AzureMultiDisk AzureWorkloadIdentity BGPBasedVIPManagement
  BootImageSkewEnforcement BootcNodeManagement BuildCSIVolumes CBORServingAndStorage
  CRDCompatibilityRequirementOperator CRIOCredentialProviderConfig CSIDriverSharedResource ClientsAllowCBOR
  ClientsPreferCBOR ClusterAPIComputeInstall ClusterAPIControlPlaneInstall ClusterAPIInstall ClusterAPIInstallAWS
  ClusterAPIInstallAzure ClusterAPIInstallGCP ClusterAPIInstallIBMCloud ClusterAPIMachineManagement
  ClusterAPIMachineManagementAWS ClusterAPIMachineManagementAzure ClusterAPIMachineManagementBareMetal
  ClusterAPIMachineManagementGCP ClusterAPIMachineManagementOpenStack ClusterAPIMachineManagementPowerVS
  ClusterAPIMachineManagementVSphere ClusterMonitoringConfig ClusterUpdateAcceptRisks ClusterUpdatePreflight
  ClusterVersionOperatorConfiguration ConfidentialCluster ConfigurablePKI DNSNameResolver DualReplica
  DyanmicServiceEndpointIBMCloud EVPN EtcdBackendQuota EventTTL EventedPLEG Example Example2 ExternalOIDC
  ExternalOIDCExternalClaimsSourcing ExternalOIDCWithUIDAndExtraClaimMappings ExternalOIDCWithUpstreamParity
  ExternalSnapshotMetadata GCPCustomAPIEndpoints GCPCustomAPIEndpointsInstall GCPDualStackInstall
  GCPSovereignCloudInstall GatewayAPIManagementMode GatewayAPIWithoutOLM GomaxprocsInjection
  HyperShiftOnlyDynamicResourceAllocation ImageModeStatusReporting ImageStreamImportMode
  IngressComponentRouteLabels IngressControllerDynamicConfigurationManager IngressControllerLBSecurityGroupsAWS
  IngressControllerMultipleHAProxyVersions InsightsConfig InsightsOnDemandDataGather IrreconcilableMachineConfig
  KMSEncryption KMSv1 KarpenterOperator MachineAPIMigration MachineAPIMigrationAWS MachineAPIMigrationAzure
  MachineAPIMigrationBareMetal MachineAPIMigrationGCP MachineAPIMigrationOpenStack MachineAPIMigrationPowerVS
  MachineAPIMigrationVSphere MachineAPIOperatorDisableMachineHealthCheckController ManagedBootImagesCPMS
  MaxUnavailableStatefulSet MetricsCollectionProfiles MinimumKubeletVersion MixedCPUsAllocation
  MultiArchInstallAzure MultiDiskSetup MutableCSINodeAllocatableCount MutableTopology MutatingAdmissionPolicy
  NetworkConnect NetworkObservabilityInstall NewOLM NewOLMBoxCutterRuntime NewOLMCatalogdAPIV1Metas NewOLMConfigAPI
  NewOLMOwnSingleNamespace NewOLMWebhookProviderOpenshiftServiceCA NoOverlayMode NoRegistryClusterInstall
  NutanixMultiSubnets OLMLifecycleAndCompatibility OSStreams OVNObservability OnPremDNSRecords
  OpenShiftPodSecurityAdmission ProvisioningRequestAvailable SELinuxMount SELinuxMountGAReadiness
  ServiceAccountTokenNodeBinding ShortCertRotation SignatureStores SigstoreImageVerification
  SigstoreImageVerificationPKI StoragePerformantSecurityPolicy TLSAdherence TLSGroupPreferences UpgradeStatus
  VSphereConfigurableMaxAllowedBlockVolumesPerNode VSphereHostVMGroupZonal VSphereMixedNodeEnv VSphereMultiNetworks
  VSphereMultiVCenterDay2 VolumeGroupSnapshot`);

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** How many keys get a cure of their own: it compares a key with all requests, and many wrong keys have one cause. */
const maxCures = 20;

/** How many keys a message lists if none is similar. */
const maxKeys = 5;

/**
 * Overrides that match the Secret of no request, each with the key that the user probably meant.
 *
 * @param base path of the field that contains the overrides
 * @param overrides by `<secret namespace>/<secret name>`
 * @param scope the included requests, and the Secrets of requests of which it is unknown whether they are included.
 */
export function unmatchedOverrides(
  resource: Resource,
  base: string,
  overrides: Readonly<Record<string, unknown>>,
  { selected, held }: { readonly selected: readonly SelectedRequest[]; readonly held: ReadonlySet<string> },
): Finding[] {
  const keys = Object.keys(overrides);
  if (keys.length === 0) return [];
  const secrets = new Set([...selected.map(({ secretKey }) => secretKey), ...held]);
  return keys
    .filter((key) => !secrets.has(key))
    .map((key, at) => {
      const cure = at < maxCures ? cureFor(key, selected) : "Correct the name, or remove it.";
      const field = `${base}.${key}`;
      const message = `the override ${quoteWhole(key)} in "${base}" matches no request that is included in this cluster. The name of an override is "<secret namespace>/<secret name>". ${cure}`;
      return finding("error", "override-unmatched", message, { resource, field });
    });
}

function cureFor(key: string, selected: readonly SelectedRequest[]): string {
  const meant = namedBy(key, selected);
  if (meant !== undefined)
    return `Rename it to ${quoteWhole(meant.secretKey)}, the Secret of ${describe(refOf(meant.resource))}, or remove it.`;
  const keys = [...new Set(selected.flatMap(({ secretKey }) => secretKey ?? []))];
  const near = nearest(key, keys);
  if (near !== undefined) return `Rename it to ${quoteWhole(near)}, or remove it.`;
  return keys.length === 0 ? "Remove it." : `Rename it to one of ${listed(keys.map(quote), maxKeys)}, or remove it.`;
}

interface Named extends SelectedRequest {
  readonly secretKey: string;
}

// Finds the request that the user meant: by the request's name in place of its Secret's, with the namespace of either;
// or by a correct half of the key, if it matches exactly one request.
function namedBy(key: string, selected: readonly SelectedRequest[]): Named | undefined {
  const [namespace = "", name = ""] = key.split("/");
  const all = selected.filter((request): request is Named => request.secretKey !== undefined);
  const half = (one: Named, at: number, text: string) => one.secretKey.split("/")[at] === text;
  const ways: ((one: Named) => boolean)[] = [
    (one) => one.resource.name === name && (one.resource.namespace === namespace || half(one, 0, namespace)),
    (one) => half(one, 0, namespace),
    (one) => half(one, 1, name),
  ];
  for (const way of ways) {
    const found = all.filter(way);
    if (found.length === 1) return found[0];
  }
  return undefined;
}
