import type { Invalid } from "../../core/lib/invalid.js"
import type { Dimensions } from "../../core/networks/params.js"
import type { AnyTable } from "../../core/state/table.js"
import type { Tx } from "../../core/txs/tx.js"
import type { Address } from "../../core/types/address.js"
import type { ID, NodeID } from "../../core/types/id.js"
import type { Utxo } from "../../core/types/utxo.js"
import type { Context } from "../context.js"
import { methodWith } from "../method.js"

/** When transactions get their block. */
export type BlockMode =
  | { readonly mode: "auto" }
  | { readonly mode: "interval"; readonly seconds: number }
  | { readonly mode: "manual" }

/** How the private chain stands. Times in Unix seconds. */
export interface DevStatus {
  readonly clock: bigint
  readonly offset: bigint
  readonly isFrozen: boolean
  readonly chainTime: bigint
  readonly height: bigint
  readonly blockMode: BlockMode
  readonly snapshots: readonly { readonly id: number; readonly height: bigint }[]
  readonly overrides: number
  readonly mempool: number
}

/** Where time went, and what happened on the way. */
export interface Travelled {
  readonly clock: bigint
  readonly chainTime: bigint
  readonly height: bigint
  readonly blocks: number
  readonly rewarded: number
  readonly aborted: number
  readonly deactivated: number
}

/** Who is to get how much (nAVAX), locked until when. */
export interface Grant {
  readonly addresses: readonly Address[]
  readonly threshold: number
  readonly amount: bigint
  readonly locktime: bigint
  readonly stakeableLocktime: bigint
}

/** A node that exists only as keys. */
export interface Identity {
  readonly nodeID: NodeID
  readonly secret: Uint8Array
  readonly publicKey: Uint8Array
  readonly proofOfPossession: Uint8Array
}

/** What a transaction would do. */
export interface Simulation {
  readonly error: Invalid | undefined
  readonly fee: bigint
  readonly complexity: Dimensions
  readonly consumed: readonly Utxo[]
  readonly produced: readonly Utxo[]
  readonly changes: readonly {
    readonly table: AnyTable
    readonly key: string
    readonly before: unknown
    readonly after: unknown
  }[]
}

/** What became of a transaction, as far as the chain knows. */
export interface AcceptedTx {
  readonly isAborted: boolean
  readonly height: bigint
}

/** What developers may do to a private chain. Implemented by src/producer; throws `producer.*`. */
export interface DevPort {
  status(): DevStatus
  setTime(
    options: ({ to: bigint } | { by: bigint }) & { isFrozen?: boolean | undefined; settle?: boolean | undefined },
  ): Promise<Travelled>
  mine(options: { blocks: number; filler: boolean }): Promise<{ readonly height: bigint; readonly blocks: number }>
  setBlockMode(mode: BlockMode): Promise<void>
  snapshot(): Promise<{ readonly id: number; readonly height: bigint }>
  revert(id: number): Promise<{ readonly height: bigint }>
  reset(): Promise<{ readonly height: bigint }>
  fund(grant: Grant): Promise<{ readonly txID: ID | undefined; readonly utxoID: ID }>
  creditAtomic(sourceChain: ID, address: Address, amount: bigint): Promise<Utxo>
  addValidators(wanted: {
    count: number
    weight?: bigint | undefined
    duration?: bigint | undefined
    delegators: number
  }): Promise<{ readonly identities: readonly Identity[]; readonly txIDs: readonly ID[]; readonly seconds: bigint }>
  newIdentity(): Promise<Identity>
  setUptime(nodeID: NodeID, percent: number | undefined): Promise<void>
  impersonate(addresses: readonly Address[]): Promise<void>
  stopImpersonating(addresses: readonly Address[]): Promise<void>
  signWarpMessage(
    message: Uint8Array,
    subnetID: ID | undefined,
    signers: readonly ({ readonly nodeID: NodeID } | { readonly secret: Uint8Array })[] | undefined,
  ): Uint8Array
  simulateTx(bytes: Uint8Array): Simulation
  mempool(): readonly { readonly tx: Tx; readonly gas: bigint; readonly burned: bigint }[]
  dropTx(txID: ID): Promise<void>
  waitForTx(txID: ID, seconds: number): Promise<AcceptedTx | undefined>
  dumpState(): Promise<Uint8Array>
  loadState(bytes: Uint8Array): Promise<{ readonly height: bigint }>
}

/** What the methods of `dev` are given. */
export interface DevContext extends Context {
  readonly dev: DevPort
}

export const method = methodWith<DevContext>()
