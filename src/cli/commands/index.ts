import type { ListedCommand } from "../command.js"

/** Every command. A new one is one file and one entry here; it is loaded when it is called, and not before. */
export const commands: readonly ListedCommand[] = [
  {
    name: "decode",
    summary: "says what bytes are: transactions, blocks, UTXOs, outputs, Warp messages, ProposerVM blocks",
    load: async () => (await import("./decode.js")).decode,
  },
  {
    name: "genesis",
    summary: "builds a network's genesis and prints its IDs, validators and allocations",
    load: async () => (await import("./genesis.js")).genesis,
  },
  {
    name: "id",
    summary: "says what an ID, node ID, address, key or UTXO reference is, and converts it",
    load: async () => (await import("./id.js")).id,
  },
  {
    name: "check",
    summary: "says whether a node would accept a transaction, and why not",
    load: async () => (await import("./check.js")).check,
  },
  {
    name: "replay",
    summary: "re-executes a chain from a file of blocks",
    load: async () => (await import("./replay.js")).replay,
  },
  {
    name: "state",
    summary: "prints what a data directory holds: summary, digest, hash",
    load: async () => (await import("./state.js")).state,
  },
]
