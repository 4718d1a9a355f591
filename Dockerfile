# One image for all functions. All targets share their layers and differ in the function that they run without arguments.
# The last target is the default. It runs every generator, as a ClusterIdentity requests.
#
#   docker build --target generate-cloud-credentials --tag generate-cloud-credentials .
#
# BUILD_IMAGE contains npm, and Node.js 20 or newer in /usr/local/bin. RUN_IMAGE contains the C library, and the user "nobody" in
# /etc/passwd. Both are named by the digest of their index for all platforms, because a tag can be moved. If you cannot reach a
# registry, `node tools/base-images.mjs` builds both from the local machine.
ARG BUILD_IMAGE=docker.io/library/node:26-bookworm-slim@sha256:2d49d876e96237d76de412761cf05dbfe5aee325cc4406a4d41d5824c5bb8beb
ARG RUN_IMAGE=gcr.io/distroless/cc-debian12:latest@sha256:e5d81ddde149641e2a9ba55be4545bc125c67de07508b03ba4c22e6eb0ded5aa

# The executable is compiled for the platform of the image on the platform of the builder.
FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-fund --no-audit
COPY . .
ARG TARGETARCH
RUN node tools/standalone.mjs ${TARGETARCH:+--platform "linux-$TARGETARCH"} --output /online \
 && node tools/standalone.mjs ${TARGETARCH:+--platform "linux-$TARGETARCH"} --output /offline --offline

FROM ${RUN_IMAGE} AS base
# Bun reads the others. Code that they name would run in the executable: see SECURITY.md.
ENV PATH=/opt/ccf:/usr/local/bin:/usr/bin:/bin BUN_OPTIONS="" BUN_BE_BUN="" BUN_INSPECT="" BUN_INSPECT_PRELOAD=""
USER 65534:65534
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="cloud-credential-functions" \
      org.opencontainers.image.description="KRM functions that render short-term cloud credentials for OpenShift and OKD clusters" \
      org.opencontainers.image.source="https://github.com/cloud-credential-functions/cloud-credential-functions" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENTRYPOINT ["/opt/ccf/ccf"]

FROM base AS functions
COPY --from=build /offline/*/ccf /opt/ccf/ccf
COPY --from=build /offline/*/licenses /licenses

FROM functions AS generate-oidc-issuer
ENTRYPOINT ["/opt/ccf/ccf", "generate-oidc-issuer"]

FROM functions AS generate-cloud-credentials
ENTRYPOINT ["/opt/ccf/ccf", "generate-cloud-credentials"]

FROM functions AS validate-credentials
ENTRYPOINT ["/opt/ccf/ccf", "validate-credentials"]

FROM functions AS generate-workload-identities
ENTRYPOINT ["/opt/ccf/ccf", "generate-workload-identities"]

FROM functions AS configure-operators
ENTRYPOINT ["/opt/ccf/ccf", "configure-operators"]

# The sidecar of the Argo CD repo server. Argo CD mounts the server program into it, and runs it as this user.
FROM functions AS argocd-plugin
COPY integrations/argo-cd/plugin.yaml /home/argocd/cmp-server/config/plugin.yaml
USER 999:999
ENTRYPOINT ["/var/run/argocd/argocd-cmp-server"]

# Only this image can reach a cloud: the code that uses a network is in it alone.
FROM base AS ccf
COPY --from=build /online/*/ccf /opt/ccf/ccf
COPY --from=build /online/*/licenses /licenses
