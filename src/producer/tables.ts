import { list } from "../core/codec/list.js"
import { oneOf, variant } from "../core/codec/oneOf.js"
import { optional } from "../core/codec/optional.js"
import { bool, bytes, fixedBytes, str, u32, u64 } from "../core/codec/primitives.js"
import type { TypeOf } from "../core/codec/schema.js"
import { struct } from "../core/codec/struct.js"
import { allWrapperTables } from "../core/consensus/proposer/tables.js"
import { bytesKey, compoundKey, hexKey, u64Key, uintKey } from "../core/state/key.js"
import { type AnyTable, singleton, table } from "../core/state/table.js"
import { address } from "../core/types/address.js"
import { type ID, ID_SIZE, id, nodeID } from "../core/types/id.js"
import { utxo } from "../core/types/utxo.js"

// Type IDs that no output has. Two of the overrides contain a UTXO.
const utxoOverride = variant("utxo", 1000, { utxo })
const atomicOverride = variant("atomicUtxo", 1001, { sourceChain: id, utxo })
const impersonation = variant("impersonate", 1002, { addresses: list(address) })
const stopImpersonation = variant("stopImpersonating", 1003, { addresses: list(address) })
/** Millionths of a percent; absent to return to the default. */
const uptimeOverride = variant("uptime", 1004, { nodeID, millionths: optional(u32) })
const validatorKeyOverride = variant("validatorKey", 1005, { subnetID: id, nodeID, publicKey: fixedBytes(48) })

/** What a block of a hosted chain did to the memory that it shares with a peer. */
const memoryChange = variant("sharedMemory", 1006, { chainID: id, peer: id, removes: list(id), puts: list(utxo) })

const override = oneOf(
  { interface: "override", registered: {} },
  utxoOverride,
  atomicOverride,
  impersonation,
  stopImpersonation,
  uptimeOverride,
  validatorKeyOverride,
  memoryChange,
)

/** An override, and the height of the block after which it was applied. */
const overrideRow = struct({ height: u64, override })
export type OverrideRow = TypeOf<typeof overrideRow>
export type Override = OverrideRow["override"]

/** The content of a block's ProposerVM wrapper: its time, its P-Chain height and its epoch. */
const wrapper = struct({
  timestamp: u64,
  pChainHeight: u64,
  epoch: struct({ pChainHeight: u64, number: u64, startTime: u64 }),
})

/** The tables of the private chain beside those of the chain. */
export const devTables = {
  /** position → override, in the order in which they were applied */
  overrides: table("overrides", u64Key, overrideRow),
  /** compressed BLS key → node ID and secret */
  identities: table("identities", hexKey<string>(48), struct({ nodeID, secret: fixedBytes(32) })),
  /** the wrapper of the last accepted block */
  wrapper: singleton("wrapper", wrapper),
} as const

/** What a node remembers of a chain that it hosts, with the VM's own files. */
const hostedChain = struct({
  name: str,
  subnetID: id,
  chainID: id,
  vmID: id,
  config: bytes,
  upgrades: bytes,
  /** the last upgrade whose rules the chain has; empty if it has those of the network */
  rules: str,
  /** true if the chain is not to be started with the node */
  isStopped: bool,
})
export type HostedChainRow = TypeOf<typeof hostedChain>

/** The longest key in the database of a hosted chain, bytes. LMDB takes 1978, of which the chain's ID is a part. */
export const MAX_HOSTED_KEY = 1978 - ID_SIZE

const chainKey = hexKey<ID>(ID_SIZE)

/**
 * The tables of the chains that the node hosts beside the P-Chain. They are in the same store, so that one commit writes, one copy holds and
 * one revert returns all chains of the node.
 */
export const hostedTables = {
  /** chain → what the node remembers of it */
  chains: table("hostedChains", chainKey, hostedChain),
  /** chain, key of its VM → value of its VM */
  rows: table("hostedRows", compoundKey({ chainID: chainKey, key: bytesKey(MAX_HOSTED_KEY) }), bytes),
  /** chain, number of a note → note of the host about the chain */
  notes: table("hostedNotes", compoundKey({ chainID: chainKey, note: uintKey(1) }), bytes),
} as const

/** The tables that the store of a private chain needs besides `allTables`. */
export const producerTables: readonly AnyTable[] = [
  ...Object.values(devTables),
  ...Object.values(hostedTables),
  ...allWrapperTables,
]
