# The image of voucherd. docs/install.md says how to build and run it.

# The whole Debian, because sqlite3 is compiled where no ready-made file can be downloaded.
FROM node:24-bookworm AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY tools/package.json tools/
COPY tools/contract/package.json tools/contract/
COPY tools/bench/package.json tools/bench/
RUN npm ci --workspaces=false --include=dev --no-audit --no-fund
COPY . .
# The image has no repository, so the commit for `voucherd --version` is given: --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT=""
RUN mkdir /package && BUILD_COMMIT="$COMMIT" npm pack --pack-destination /package
WORKDIR /opt/voucherd
# What compiling sqlite3 leaves is larger than the rest.
RUN npm install --omit=dev --no-audit --no-fund /package/voucherd-*.tgz \
  && rm -rf node_modules/sqlite3/deps node_modules/sqlite3/build/Release/obj*

FROM node:24-bookworm-slim
COPY --from=build /opt/voucherd /opt/voucherd
RUN install --directory --owner=node --group=node --mode=0700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /data
USER node
# Nothing else has to be writable: run it with --read-only.
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "/opt/voucherd/node_modules/voucherd/scripts/healthCheck.mjs"]
ENTRYPOINT ["node", "--max-semi-space-size=4", "--heap-growing-percent=50", "/opt/voucherd/node_modules/voucherd/scripts/voucherd.mjs"]
CMD ["serve"]
