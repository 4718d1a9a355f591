/**
 * A ResourceList in the form that kpt sends, with a ClusterIdentity, fictional requests, and foreign objects.
 *
 * @param {number} requests
 * @param {number} foreign
 * @param {string} publicKey PEM
 */
export function listOf(requests, foreign, publicKey) {
  const items = [
    ...Array.from({ length: requests }, (_, place) => request(place)),
    ...Array.from({ length: foreign }, (_, place) => object(place)),
  ];
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.join("")}functionConfig:\n${config(publicKey)}`;
}

/** @param {string} path */
function place(path) {
  return `      config.kubernetes.io/index: '0'
      config.kubernetes.io/path: '${path}'
      internal.config.kubernetes.io/index: '0'
      internal.config.kubernetes.io/path: '${path}'
      internal.config.kubernetes.io/seqindent: 'compact'
`;
}

/** @param {number} number */
function request(number) {
  return `- apiVersion: cloudcredential.openshift.io/v1
  kind: CredentialsRequest
  metadata:
    name: request-${number}
    namespace: openshift-cloud-credential-operator
    annotations:
      include.release.openshift.io/self-managed-high-availability: "true"
${place(`requests/${number}.yaml`)}  spec:
    secretRef:
      namespace: namespace-${number}
      name: credentials-${number}
    serviceAccountNames:
    - operator-${number}
    - controller-${number}
    providerSpec:
      apiVersion: cloudcredential.openshift.io/v1
      kind: AWSProviderSpec
      statementEntries:
      - effect: Allow
        action:
        - ec2:CreateTags
        - ec2:DescribeAvailabilityZones
        - ec2:DescribeInstances
        - ec2:DescribeVolumes
        - ec2:AttachVolume
        - ec2:DetachVolume
        resource: "*"
      - effect: Allow
        action:
        - kms:CreateGrant
        - kms:ListGrants
        resource: "*"
        policyCondition:
          Bool:
            kms:GrantIsForAWSResource: true
`;
}

/** @param {number} number */
function object(number) {
  return `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: settings-${number}
    namespace: somewhere
    annotations:
${place(`settings/${number}.yaml`)}  data:
    mode: "0644" # octal
    text: |
      some text
      more text
    plain: value
    list: [one, two, three]
    nested:
      deeper:
        deepest:
        - one
        - two
`;
}

/** @param {string} publicKey */
function config(publicKey) {
  return `  apiVersion: fn.cloudcredential.dev/v1alpha1
  kind: ClusterIdentity
  metadata:
    name: bench
  spec:
    issuer:
      signingKeys:
      - publicKey: |
          ${publicKey.trim().replaceAll("\n", "\n          ")}
    platform:
      aws:
        accountID: "123456789012"
        region: us-east-2
`;
}

/**
 * The files of a package with fictional requests, by path.
 *
 * @param {number} requests
 * @param {string} publicKey PEM
 * @returns {Record<string, string>}
 */
export function packageOf(requests, publicKey) {
  const outdented = (/** @type {string} */ text) => text.replace(/^(?:- | {2})/gm, "");
  const withoutPlace = (/** @type {string} */ text) =>
    text.replace(/^ +(?:internal\.)?config\.kubernetes\.io\/.*\n/gm, "");
  const entries = Array.from({ length: requests }, (_, number) => [
    `requests/${number}.yaml`,
    withoutPlace(outdented(request(number))),
  ]);
  return {
    Kptfile: `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: bench
pipeline:
  mutators:
  - exec: ccf generate-oidc-issuer
    configPath: cluster-identity.yaml
  - exec: ccf generate-cloud-credentials
    configPath: cluster-identity.yaml
`,
    "cluster-identity.yaml": outdented(config(publicKey)),
    ...Object.fromEntries(entries),
  };
}

/** The clouds, with the parts of a package that differ. */
const clouds = [
  {
    name: "aws",
    platform: `  aws:\n      accountID: "123456789012"\n      region: us-east-2\n`,
    provider: undefined,
  },
  {
    name: "gcp",
    platform: `  gcp:\n      projectID: demo-project\n      projectNumber: "123456789012"\n      region: us-central1\n      keyStorage: PoolJWKFile\n`,
    provider: `    kind: GCPProviderSpec\n    predefinedRoles:\n    - roles/storage.admin\n    permissions:\n    - compute.disks.get\n    - compute.disks.list\n`,
  },
  {
    name: "azure",
    platform: `  azure:\n      subscriptionID: 00000000-1111-2222-3333-444444444444\n      tenantID: 55555555-6666-7777-8888-999999999999\n      region: eastus\n      installResourceGroup: bench-x7k2p-rg\n`,
    provider: `    kind: AzureProviderSpec\n    permissions:\n    - Microsoft.Storage/storageAccounts/read\n    - Microsoft.Resources/tags/write\n`,
  },
];

/**
 * The files of a fleet on three clouds in turn, by path: each package has ten requests and a name of its own.
 *
 * @param {number} packages
 * @param {string} publicKey PEM
 * @returns {Record<string, string>}
 */
export function fleetOf(packages, publicKey) {
  /** @type {Record<string, string>} */
  const files = {};
  for (let number = 0; number < packages; number++) {
    const name = `c${String(number).padStart(4, "0")}`;
    const cloud = clouds[number % clouds.length]?.name ?? "";
    for (const [path, text] of Object.entries(packageOn(cloud, 10, publicKey)))
      files[`${name}/${path}`] = text.replace(/^ {2}name: bench$/m, `  name: ${name}`);
  }
  return files;
}

/**
 * The files of a package as {@link packageOf}, on another cloud.
 *
 * @param {string} cloud
 * @param {number} requests
 * @param {string} publicKey PEM
 * @returns {Record<string, string>}
 */
export function packageOn(cloud, requests, publicKey) {
  const { platform = "", provider } = clouds.find(({ name }) => name === cloud) ?? {};
  const onCloud = (/** @type {string} */ text) =>
    text
      .replace(/^ {2}platform:\n[\s\S]*$/m, `  platform:\n  ${platform}`)
      .replace(/^ {4}kind: AWSProviderSpec\n[\s\S]*$/m, (part) => provider ?? part);
  return Object.fromEntries(
    Object.entries(packageOf(requests, publicKey)).map(([path, text]) => [path, onCloud(text)]),
  );
}
