import type { Log } from "../core/lib/log.js"
import type { FaultReports } from "../node/nodeChain.js"
import type { FundedKey } from "../producer/chainHosting.js"
import type { PrivateChain } from "../producer/privateChain.js"
import type { HostedChainRow } from "../producer/tables.js"
import type { ChainPlugin } from "../vmhost/chainPlugin.js"
import type { PluginDatabase } from "../vmhost/database/pluginDatabase.js"

/** What the relay needs of a chain between which and others it delivers messages. */
export interface RelayedChain {
  readonly record: Pick<HostedChainRow, "chainID" | "subnetID" | "name">
  /** True for the C-Chain, false for an L1. */
  readonly isCChain: boolean
  readonly genesis: Uint8Array
  readonly plugin: Pick<ChainPlugin, "report" | "handler" | "contextHeight" | "requireSigned">
  /** The note `relayed` is the block up to which every message of the chain is delivered. */
  readonly database: Pick<PluginDatabase, "note" | "setNote">
}

/** The chains of the node, which come and go. */
export interface RelayedChains {
  readonly hosted: readonly RelayedChain[]
}

export interface RelayerOptions extends Pick<FaultReports, "reportFault"> {
  readonly privateChain: PrivateChain
  /** True if messages are delivered by themselves. */
  readonly hasAutoRelay: boolean
  readonly log: Log
  /** Returns the publicly known keys that the genesis of a chain funds. */
  fundedKeys(genesis: Uint8Array): readonly FundedKey[]
}

/** The key that delivers messages. It is publicly known, as the other keys of a developer's chain, and its genesis funds it. */
export const RELAYER: FundedKey = {
  address: "0xF252b81d50C962aEd92b5112717E5f6d2E22358B",
  privateKey: "0x5d024ab0919e69b22f53ffbd5676fe9d4602674818513a3e0ff833fbe10eb001",
}
