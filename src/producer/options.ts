import type { ChainOptions } from "../core/chain/chain.js"
import type { Genesis } from "../core/genesis/genesis.js"
import type { Log } from "../core/lib/log.js"
import type { Rules } from "../core/rules/context.js"
import type { Diff } from "../core/state/diff.js"
import type { AnyTable } from "../core/state/table.js"
import type { Edits, IndexedView } from "../core/state/view.js"
import type { ID } from "../core/types/id.js"
import type { MetaChanges } from "../store/meta.js"
import type { Store } from "../store/store.js"
import { checkTime } from "./clock/clock.js"
import { type ClockChoices, checkStart } from "./clock/storedClock.js"
import type { AccountOptions } from "./keys/accounts.js"
import { checkPhrase } from "./keys/mnemonic.js"
import type { Timers, WallClock } from "./ports.js"
import { type BlockMode, checkBlockMode } from "./schedule/schedule.js"
import type { Override } from "./tables.js"

/**
 * The gas that waiting transactions may use together: some 1,900 payments. It is ten times AvalancheGo's, which refuses transactions that
 * have to wait for gas, while Serac lets them wait.
 */
export const DEFAULT_POOL_GAS = 10_000_000n

/** The options of a private chain, with their flags. */
export interface PrivateChainChoices extends ClockChoices {
  /** `--block-mode`, `--block-interval`. */
  readonly blockMode?: BlockMode | undefined
  /** `--warp-lag` */
  readonly hasWarpLag?: boolean | undefined
  /** `--no-renew-validators` sets it to false. */
  readonly renewsValidators?: boolean | undefined
  /** `--mempool-max-gas` */
  readonly poolGas?: bigint | undefined
  /** `--accounts`, `--mnemonic`, `--balance` */
  readonly accounts?: AccountOptions | undefined
}

/** The last block of the other chain before a fork. */
export interface ForkPoint {
  /** The directory of the other chain, or the URL that it was copied from. */
  readonly from: string
  readonly height: bigint
  readonly blockID: ID
  /** The chain's time after this block, Unix seconds. */
  readonly timestamp: bigint
  /** Restores the chain of the store to the state after this block. */
  restore(meta: MetaChanges): void
}

/** Checks the options before the store is opened. `earliest` is the earliest start of a new chain, Unix seconds. Throws `producer.*`. */
export async function checkChoices({ accounts, blockMode, startTime }: PrivateChainChoices, earliest: bigint): Promise<void> {
  if (startTime !== undefined) checkTime(startTime)
  checkStart(startTime, earliest)
  if (blockMode) checkBlockMode(blockMode)
  if (accounts?.mnemonic !== undefined) await checkPhrase(accounts.mnemonic)
}

/** The options of a private chain. */
export interface PrivateChainOptions {
  readonly rules: Rules
  readonly genesis: Genesis
  /** False if the genesis is known to have none of the built-in validators. It need not be decoded then. */
  readonly hasBuiltInValidators?: boolean | undefined
  /** The store with the chain, at least with genesis. It must be opened with `producerTables` too. */
  readonly store: Store
  /** All tables of the store, and those among them that a reset keeps. */
  readonly tables: readonly AnyTable[]
  readonly tablesBesideChain?: readonly AnyTable[] | undefined
  /** The tables that `rebuild` fills. */
  readonly readModelTables?: readonly AnyTable[] | undefined
  /** Yields a sentence for each row of the read model that does not fit the chain, and `undefined` after each row. */
  faultsInReadModel?(view: IndexedView, chain: Pick<PrivateChainOptions, "genesis" | "rules">): Iterable<string | undefined>
  /** Rebuilds the read model from a genesis, after a state was loaded whose read model has another version. */
  rebuild?(genesis: Genesis): void
  /** Adds the rows for explorers that a loaded state lacks. */
  bringUp?(genesis: Genesis): void
  /** Returns the rows of a new chain: genesis and its read model. */
  genesisEdits(): Edits
  /** The state file that the node was started with, to which a reset returns; omitted if there is none. */
  readonly initialState?: Uint8Array | undefined
  /** The block after which a fork begins; omitted if the chain is not a fork. */
  readonly fork?: ForkPoint | undefined
  /** Adds the read model's rows of a block, see `ChainOptions`. */
  readonly project?: ChainOptions["project"] | undefined
  /** Resolves when the proofs of the genesis are verified; if it rejects, no block is ever made. Omitted if they are. */
  readonly proofs?: Promise<void> | undefined
  /** Adds the read model's rows of an override. */
  projectOverride?(changes: Diff, override: Override): void
  readonly wall: WallClock
  readonly timers: Timers
  readonly log?: Log | undefined
  /** Called with a fault of the store. The node must stop. */
  onFault?(error: unknown): void
  /** Called with a fault in Serac that occurs outside a call. The chain continues with what is written. */
  reportFault?(error: unknown, where: string): void
  readonly choices?: PrivateChainChoices | undefined
  /** True if the chain was created by this start. By default it is new if it has no block after genesis. */
  readonly isNew?: boolean | undefined
}
