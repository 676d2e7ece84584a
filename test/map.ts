/** The rooms that nearly every room may import. */
export const below = ["types", "codec", "crypto", "lib"] as const

/** A folder under src/: which others it may import, and which packages. */
export interface Room {
  readonly imports: readonly string[]
  readonly packages?: readonly string[]
  /** True if the folder uses no clock, disk, socket, environment or random source: these are passed in. */
  readonly isPure: boolean
}

/**
 * Rooms with rooms in them: the files and folders of each in the order of their arrows, so that one imports only from those
 * before it, types too.
 */
export const inner: Readonly<Record<string, readonly string[]>> = {
  consensus: ["errors", "chainMessages", "snowman", "proposer", "responder", "bootstrap", "app", "validator", "engine"],
  producer: [
    "errors",
    "ports",
    "tables",
    "clock",
    "keys",
    "l1Hosting",
    "chain",
    "funds",
    "schedule",
    "options",
    "turn",
    "guardedState",
    "serialQueue",
    "privateChain",
    "snapshots",
    "dev",
    "methods",
  ],

  vmhost: [
    "errors",
    "proto",
    "grpc",
    "vmPort",
    "database",
    "plugin",
    "services",
    "http",
    "engine",
    "chainFacts",
    "positionNote",
    "watchdog",
    "metricsText",
    "runningChain",
    "hostedChain",
  ],

  jsonrpc: [
    "errors",
    "answer",
    "answerRoom",
    "printedJson",
    "schema",
    "method",
    "service",
    "errorObject",
    "openrpc",
    "discover",
    "client",
    "limits",
    "call",
    "api",
    "health",
    "metrics",
    "events",
    "http",
  ],
  services: [
    "kinds",
    "memo",
    "context",
    "lifetimes",
    "contexts",
    "platform",
    "info",
    "avm",
    "proposervm",
    "index",
    "admin",
    "events",
  ],
}

/** The rooms by the arrows between them. ARCHITECTURE.md shows the same table, and a test compares the two. */
export const map: Readonly<Record<string, Room>> = {
  lib: { imports: [], isPure: true },
  crypto: { imports: ["lib"], packages: ["@noble/hashes"], isPure: true },
  codec: { imports: ["lib"], isPure: true },
  types: { imports: ["codec", "crypto", "lib"], packages: ["@scure/base", "@bufbuild/protobuf"], isPure: true },
  networks: { imports: ["types", "lib"], isPure: true },
  state: { imports: [...below], isPure: true },
  rules: { imports: ["state", "networks", ...below], isPure: true },
  txs: { imports: ["rules", "state", "networks", ...below], isPure: true },
  blocks: { imports: ["txs", "rules", "state", "networks", "types", "codec", "lib"], isPure: true },
  genesis: { imports: ["blocks", "txs", "rules", "state", "networks", ...below], isPure: true },
  chain: { imports: ["blocks", "txs", "rules", "state", "networks", ...below], isPure: true },
  wire: { imports: ["genesis", "blocks", "txs", "networks", ...below], isPure: true },
  readmodel: { imports: ["blocks", "txs", "rules", "state", "types", "codec", "lib"], isPure: true },
  p2p: { imports: ["networks", "types", "crypto", "lib"], packages: ["@bufbuild/protobuf"], isPure: true },
  consensus: {
    imports: ["p2p", "chain", "blocks", "txs", "rules", "state", "networks", ...below],
    packages: ["@bufbuild/protobuf"],
    isPure: true,
  },
  sql: {
    imports: ["readmodel", "consensus", "blocks", "txs", "rules", "state", "networks", "types", "codec", "lib"],
    isPure: true,
  },
  platform: {
    imports: ["genesis", "wire", "crypto", "lib"],
    packages: ["@noble/curves", "@noble/hashes", "@chainsafe/blst", "tiny-secp256k1", "mcl-wasm"],
    isPure: false,
  },
  files: { imports: ["lib"], isPure: false },
  store: { imports: ["files", "platform", "state", "types", "codec", "lib"], packages: ["lmdb"], isPure: false },
  network: { imports: ["platform", "p2p", "types", "crypto", "lib"], packages: ["@bokuweb/zstd-wasm"], isPure: false },
  jsonrpc: { imports: ["codec", "lib"], packages: ["ws"], isPure: false },
  services: {
    imports: ["platform", "jsonrpc", "wire", "readmodel", "blocks", "txs", "rules", "state", "networks", ...below],
    isPure: false,
  },
  vmhost: {
    imports: ["platform", "p2p", "rules", "state", "networks", "types", "codec", "lib"],
    packages: ["@bufbuild/protobuf", "lmdb"],
    isPure: false,
  },
  sync: { imports: ["files", "platform", "consensus", "chain", "blocks", "rules", "state", "networks", ...below], isPure: false },
  producer: {
    imports: [
      "platform",
      "services",
      "jsonrpc",
      "consensus",
      "chain",
      "genesis",
      "blocks",
      "txs",
      "rules",
      "state",
      "store",
      "networks",
      ...below,
    ],
    packages: ["@scure/bip39"],
    isPure: false,
  },
  postgres: {
    imports: ["sql", "store", "consensus", "readmodel", "state", "types", "codec", "lib"],
    packages: ["postgres"],
    isPure: false,
  },
  keystore: {
    imports: ["platform", "services", "jsonrpc", "store", "state", ...below],
    packages: ["@node-rs/argon2"],
    isPure: false,
  },
  node: {
    imports: [
      "platform",
      "keystore",
      "postgres",
      "sql",
      "producer",
      "vmhost",
      "sync",
      "network",
      "services",
      "jsonrpc",
      "store",
      "files",
      "consensus",
      "p2p",
      "readmodel",
      "chain",
      "genesis",
      "blocks",
      "txs",
      "rules",
      "state",
      "networks",
      ...below,
    ],
    isPure: false,
  },
  page: { imports: [], packages: ["preact", "@preact/signals", "vite"], isPure: false },
  cli: {
    imports: ["node", "platform", "jsonrpc", "sync", "files", "wire", "genesis", "txs", "networks", "types", "crypto", "lib"],
    isPure: false,
  },
}
