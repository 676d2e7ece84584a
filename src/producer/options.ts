import type { ChainOptions } from "../core/chain/chain.js"
import type { Genesis } from "../core/genesis/genesis.js"
import type { Log } from "../core/lib/log.js"
import type { Rules } from "../core/rules/run.js"
import type { AnyTable } from "../core/state/table.js"
import type { Edits } from "../core/state/view.js"
import type { Store } from "../store/store.js"
import type { DevState } from "./chain/chainHead.js"
import { checkTime } from "./clock/clock.js"
import { type ClockChoices, checkStart } from "./clock/keptClock.js"
import type { AccountOptions } from "./keys/accounts.js"
import { checkPhrase } from "./keys/phrase.js"
import type { Timers, WallClock } from "./ports.js"
import { type BlockMode, checkBlockMode } from "./schedule/schedule.js"

/**
 * The gas that waiting transactions may take together: some 1,900 payments. Ten times AvalancheGo's, which refuses what has to wait
 * for gas where ours lets it wait.
 */
export const DEFAULT_POOL_GAS = 10_000_000n

/** What may be chosen when a private chain starts. */
export interface ProducerChoices extends ClockChoices {
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

/** What can be told of choices before anything is opened; `earliest` is when a new chain can start, Unix seconds. Throws `producer.*`. */
export async function checkChoices({ accounts, blockMode, startTime }: ProducerChoices, earliest: bigint): Promise<void> {
  if (startTime !== undefined) checkTime(startTime)
  checkStart(startTime, earliest)
  if (blockMode) checkBlockMode(blockMode)
  if (accounts?.mnemonic !== undefined) await checkPhrase(accounts.mnemonic)
}

/** What a producer works with. */
export interface ProducerOptions {
  readonly rules: Rules
  readonly genesis: Genesis
  /** Holds the chain: genesis at least. Opened with `producerTables` too. */
  readonly store: Store
  /** Where rows are committed; left out: the store. */
  readonly state?: DevState | undefined
  /** All tables of the store, and those among them that outlive a fresh start; for whoever dumps it. */
  readonly tables: readonly AnyTable[]
  readonly lasting?: readonly AnyTable[] | undefined
  /** Those that `rebuild` makes. */
  readonly readModelTables?: readonly AnyTable[] | undefined
  /** Makes the read model's rows anew, after a state was loaded whose rows were made by another version; with its genesis. */
  rebuild?(genesis: Genesis): void
  /** The rows of genesis with whatever is kept beside them, for a fresh start. */
  genesisEdits(): Edits
  /** See `ChainOptions`. */
  readonly project?: ChainOptions["project"] | undefined
  readonly wall: WallClock
  readonly timers: Timers
  readonly log?: Log | undefined
  /** Called with what was our own fault while nobody waited for an answer: the node must stop. */
  onFault?(error: unknown): void
  readonly choices?: ProducerChoices | undefined
}
