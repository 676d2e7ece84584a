# A private P-Chain in a container, for this machine alone:
#   docker build -t serac . && docker run --rm -p 127.0.0.1:9650:9650 serac
# Whoever reaches the port may use /ext/dev and the keystore; add --public before you publish it beyond 127.0.0.1.
FROM node:20-slim AS build
WORKDIR /serac
COPY . .
# Versions are those of package-lock.json, and no package runs a script.
RUN npm ci --ignore-scripts && node scripts/build.mjs && npm prune --omit=dev --ignore-scripts && rm -rf dist/dev

FROM node:20-slim
COPY --from=build /serac/package.json /serac/LICENSE /opt/serac/
COPY --from=build /serac/bin /opt/serac/bin
COPY --from=build /serac/dist /opt/serac/dist
COPY --from=build /serac/node_modules /opt/serac/node_modules
RUN ln -s /opt/serac/bin/serac /usr/local/bin/serac && install -d -o node -g node -m 0700 /home/node/.serac
USER node
VOLUME /home/node/.serac
EXPOSE 9650
ENTRYPOINT ["serac"]
# IP addresses and localhost are answered; other names of the host are given with --http-allowed-hosts.
CMD ["--http-host", "0.0.0.0"]
