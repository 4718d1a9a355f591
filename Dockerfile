# One image for all functions: every target below shares all layers, and differs in what it runs when it is called
# without arguments. The last one, the default, runs what the ClusterIdentity asks for: both generators.
#
#   docker build --target generate-cloud-credentials --tag generate-cloud-credentials .
#
# NODE_IMAGE is any image with Node 20, 22 or 24 on its PATH; BUILD_IMAGE needs npm as well.
ARG NODE_IMAGE=docker.io/library/node:24-slim
ARG BUILD_IMAGE=${NODE_IMAGE}

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-fund --no-audit
COPY . .
RUN npm run build

FROM ${NODE_IMAGE} AS base
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="cloud-credential-functions" \
      org.opencontainers.image.description="KRM functions that render short-term cloud credentials for OpenShift and OKD clusters" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=build /build/dist/ccf /usr/local/bin/ccf
COPY LICENSE /licenses/LICENSE
USER 65534:65534
ENTRYPOINT ["/usr/local/bin/ccf"]

FROM base AS generate-oidc-issuer
ENTRYPOINT ["/usr/local/bin/ccf", "generate-oidc-issuer"]

FROM base AS generate-cloud-credentials
ENTRYPOINT ["/usr/local/bin/ccf", "generate-cloud-credentials"]

FROM base AS ccf
