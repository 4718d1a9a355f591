/*
 * Names that OpenShift gives to what a release can turn on: facts of openshift/api, as of August 2026. A name that is not
 * here may be newer; it is nothing but a reason to ask whether it is misspelt.
 */

/** ClusterVersion's capabilities (config/v1, ClusterVersionCapability). */
export const knownCapabilities = words(`
  baremetal Build CloudControllerManager CloudCredential Console CSISnapshot DeploymentConfig ImageRegistry Ingress
  Insights MachineAPI marketplace NodeTuning openshift-samples OperatorLifecycleManager OperatorLifecycleManagerV1
  Storage`);

/** Cluster profiles of release payloads. */
export const knownProfiles = words("self-managed-high-availability single-node-developer ibm-cloud-managed hypershift");

/** Feature gates of FeatureGate manifests, from release 4.10 on. */
export const knownFeatureGates = words(`
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
