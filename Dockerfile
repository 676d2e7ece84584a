# A private P-Chain in a container, for this machine alone. Not run by Serac's tests: they have no Docker.
#   docker build -t serac . && docker run --rm -p 127.0.0.1:9650:9650 serac
# Flags are added at the end (docker run … serac --accounts 5) or set as variables (-e SERAC_ACCOUNTS=5).
# Who reaches the port may use /ext/dev and the keystore; add --public before you publish it beyond 127.0.0.1.
FROM node:24-slim AS build
WORKDIR /serac
COPY . .
# Versions are those of package-lock.json, and no package runs a script.
RUN npm ci --ignore-scripts && node scripts/build.mjs && npm prune --omit=dev --ignore-scripts && rm -rf dist/dev
# The client of PostgreSQL is an optional package.
RUN npm install --no-save --omit=dev --ignore-scripts "postgres@$(node --print 'require("./package.json").devDependencies.postgres')"

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
EXPOSE 9650
HEALTHCHECK --interval=10s --timeout=25s --start-period=60s CMD ["serac", "health"]
ENTRYPOINT ["serac"]
