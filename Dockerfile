# A private P-Chain in a container, for this machine alone. The image was not run: only its commands were, one by
# one on Linux x64 with Node 24, and the node that they made answered. A test runs the command that removes packages.
#   docker build -t serac . && docker run --rm -p 127.0.0.1:9650:9650 serac
# Flags are added at the end (docker run … serac --accounts 5) or set as variables (-e SERAC_ACCOUNTS=5).
# Who reaches the port may use /ext/dev and the keystore; add --public before you publish it beyond 127.0.0.1.
FROM node:24-slim AS build
WORKDIR /serac
# Versions are those of package-lock.json, and no package runs a script. A change of the sources alone does not install again.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build.mjs && rm -rf dist/dev dist/*.hash
# The client of PostgreSQL is an optional package, which npm would remove with those for development.
RUN mv node_modules/postgres . && npm prune --omit=dev --ignore-scripts && mv postgres node_modules/

FROM node:24-slim
COPY --from=build /serac/package.json /serac/LICENSE /opt/serac/
COPY --from=build /serac/bin /opt/serac/bin
COPY --from=build /serac/dist /opt/serac/dist
COPY --from=build /serac/node_modules /opt/serac/node_modules
RUN ln -s /opt/serac/bin/serac /usr/local/bin/serac && install -d -o node -g node -m 0700 /home/node/.serac
# IP addresses, localhost and the name serac (of a compose service, say) are answered; SERAC_HTTP_ALLOWED_HOSTS names others.
ENV SERAC_HTTP_HOST=0.0.0.0 SERAC_HTTP_ALLOWED_HOSTS=localhost,serac
USER node
VOLUME /home/node/.serac
# The API, and the port for other nodes of a network.
EXPOSE 9650 9651
HEALTHCHECK --interval=10s --timeout=25s --start-period=60s CMD ["serac", "health"]
ENTRYPOINT ["serac"]
