import { list } from "../core/codec/list.js"
import { oneOf, variant } from "../core/codec/oneOf.js"
import { optional } from "../core/codec/optional.js"
import { fixedBytes, u32, u64 } from "../core/codec/primitives.js"
import type { TypeOf } from "../core/codec/schema.js"
import { struct } from "../core/codec/struct.js"
import { allWrapperTables } from "../core/consensus/proposer/tables.js"
import { hexKey, u64Key } from "../core/state/key.js"
import { type AnyTable, singleton, table } from "../core/state/table.js"
import { address } from "../core/types/address.js"
import { id, nodeID } from "../core/types/id.js"
import { utxo } from "../core/types/utxo.js"

// Type IDs that no output has. Two of the overrides contain a UTXO.
const utxoOverride = variant("utxo", 1000, { utxo })
const atomicOverride = variant("atomicUtxo", 1001, { sourceChain: id, utxo })
const impersonation = variant("impersonate", 1002, { addresses: list(address) })
const stopImpersonation = variant("stopImpersonating", 1003, { addresses: list(address) })
/** Millionths of a percent; absent to return to the default. */
const uptimeOverride = variant("uptime", 1004, { nodeID, millionths: optional(u32) })
const validatorKeyOverride = variant("validatorKey", 1005, { subnetID: id, nodeID, publicKey: fixedBytes(48) })

const override = oneOf(
  { interface: "override", registered: {} },
  utxoOverride,
  atomicOverride,
  impersonation,
  stopImpersonation,
  uptimeOverride,
  validatorKeyOverride,
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

/** The tables that the store of a private chain needs besides `allTables`. */
export const producerTables: readonly AnyTable[] = [...Object.values(devTables), ...allWrapperTables]
