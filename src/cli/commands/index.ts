import type { ListedCommand } from "../command.js"

/** Every command. A new one is one file and one entry here. A command is loaded when it is called. */
export const commands: readonly ListedCommand[] = [
  {
    heading: "A private chain",
    name: "node",
    summary: "starts a private P-Chain, or joins a network; this is the default command",
    load: async () => (await import("./node.js")).nodeCommand,
  },
  {
    name: "dev",
    summary: "controls a private chain: its clock, blocks, funds, accounts and snapshots: serac dev advance 14d",
    load: async () => (await import("./dev.js")).devCommand,
  },
  {
    name: "fund",
    summary: "gives AVAX to an address of a private chain: serac fund ADDRESS 5avax",
    load: async () => (await import("./dev.js")).shortForm("fund"),
  },
  {
    name: "send",
    summary: "pays AVAX from a key to an address: serac send ADDRESS 5avax",
    load: async () => (await import("./send.js")).sendCommand,
  },
  {
    name: "stake",
    summary: "stakes AVAX of a key: serac stake 25avax 14d --node NODE",
    load: async () => (await import("./stake.js")).stakeCommand,
  },
  {
    name: "snapshot",
    summary: "takes a snapshot of a private chain",
    load: async () => (await import("./dev.js")).shortForm("snapshot"),
  },
  {
    name: "revert",
    summary: "reverts a private chain to a snapshot",
    load: async () => (await import("./dev.js")).shortForm("revert"),
  },
  {
    name: "l1",
    summary: "creates L1s and runs their VMs; says how long an L1 lives",
    load: async () => (await import("./l1.js")).l1Command,
  },
  {
    name: "plugin",
    summary: "builds VM plugins whose clock a private chain can move, and lists those of a directory",
    load: async () => (await import("./plugin.js")).pluginCommand,
  },
  {
    name: "mcp",
    summary: "offers a private chain or a node to a coding assistant (Model Context Protocol)",
    load: async () => (await import("./mcp.js")).mcpCommand,
  },
  {
    heading: "Any node",
    name: "call",
    summary: "calls any method of a node's API",
    load: async () => (await import("./call.js")).callCommand,
  },
  {
    name: "validators",
    summary: "lists the validators of a node's network, or of a subnet",
    load: async () => (await import("./validators.js")).validatorsCommand,
  },
  {
    name: "tx",
    summary: "shows a transaction: its status, block, fee, inputs and outputs",
    load: async () => (await import("./tx.js")).txCommand,
  },
  {
    name: "address",
    summary: "shows the balance of an address and its last transactions",
    load: async () => (await import("./address.js")).addressCommand,
  },
  {
    name: "watch",
    summary: "prints transactions and blocks as a node accepts them",
    load: async () => (await import("./watch.js")).watchCommand,
  },
  {
    name: "health",
    summary: "checks whether a node is healthy",
    load: async () => (await import("./health.js")).healthCommand,
  },
  {
    name: "check",
    summary: "checks whether a node would accept a transaction",
    load: async () => (await import("./check.js")).checkCommand,
  },
  {
    heading: "Nodes and their data",
    name: "network",
    summary: "starts a network of several validators on this machine",
    load: async () => (await import("./network.js")).networkCommand,
  },
  {
    name: "follow",
    summary: "keeps a verified copy of a chain from other nodes' APIs, and serves it",
    load: async () => (await import("./follow.js")).followCommand,
  },
  {
    name: "serve",
    summary: "serves a replayed or copied chain for reading only",
    load: async () => (await import("./serve.js")).serveCommand,
  },
  {
    name: "replay",
    summary: "re-executes a chain from a file of blocks",
    load: async () => (await import("./replay.js")).replayCommand,
  },
  {
    name: "export",
    summary: "writes blocks for a replay, or transactions, UTXOs, stakers, stakes and rewards as JSON, CSV or Parquet",
    load: async () => (await import("./export.js")).exportCommand,
  },
  {
    name: "backup",
    summary: "copies a chain while its node runs",
    load: async () => (await import("./backup.js")).backupCommand,
  },
  {
    name: "upgrade",
    summary: "makes the chain of an older version again, in its directory",
    load: async () => (await import("./upgrade.js")).upgradeCommand,
  },
  {
    name: "repair",
    summary: "rebuilds the indexes and the read model of a chain, and checks it",
    load: async () => (await import("./repair.js")).repairCommand,
  },
  {
    name: "state",
    summary: "shows the chain of a data directory: its height, time, counts and hashes",
    load: async () => (await import("./state.js")).stateCommand,
  },
  {
    heading: "Bytes and texts",
    name: "key",
    summary: "makes a private key in a file, and shows its addresses",
    load: async () => (await import("./key.js")).keyCommand,
  },
  {
    name: "decode",
    summary: "recognises bytes: transactions, blocks, UTXOs, outputs, Warp messages, ProposerVM blocks",
    load: async () => (await import("./decode.js")).decodeCommand,
  },
  {
    name: "id",
    summary: "recognises an ID, node ID, address, key or UTXO reference, and converts it",
    load: async () => (await import("./id.js")).idCommand,
  },
  {
    name: "genesis",
    summary: "builds a network's genesis and prints its IDs, validators and allocations",
    load: async () => (await import("./genesis.js")).genesisCommand,
  },
  {
    name: "completions",
    summary: "prints a script that completes commands and flags in bash, zsh or fish",
    load: async () => (await import("./completions.js")).completionsCommand(commands),
  },
]
