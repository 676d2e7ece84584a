# A private P-Chain in a container: docker build -t serac . && docker run --rm -p 9650:9650 serac
FROM node:20-slim AS build
WORKDIR /serac
COPY . .
RUN npm ci && npm pack --ignore-scripts --pack-destination /tmp

FROM node:20-slim
COPY --from=build /tmp/serac-*.tgz /tmp/
RUN npm install --global --omit=dev /tmp/serac-*.tgz && rm /tmp/serac-*.tgz && install -d -o node -g node /home/node/.serac
USER node
VOLUME /home/node/.serac
EXPOSE 9650
ENTRYPOINT ["serac"]
CMD ["--http-host", "0.0.0.0", "--http-allowed-hosts", "*"]
