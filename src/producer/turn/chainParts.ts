import { type Log, silentLog } from "../../core/lib/log.js"
import { type ChainEvents, ChainHead } from "../chain/chainHead.js"
import { IssueWaiters } from "../chain/issueWaiters.js"
import type { Clock } from "../clock/clock.js"
import { openClock } from "../clock/storedClock.js"
import { Treasury } from "../funds/treasury.js"
import { lazyAccounts } from "../keys/accounts.js"
import type { SigningKey } from "../keys/key.js"
import { DEFAULT_POOL_GAS, type PrivateChainOptions } from "../options.js"
import { Halt } from "../schedule/halt.js"
import { ValidatorRenewal } from "../schedule/renewal.js"
import { Schedule, type ScheduleCallbacks } from "../schedule/schedule.js"

/** The parts of a private chain that a turn changes. */
export interface ChainParts {
  readonly options: PrivateChainOptions
  readonly head: ChainHead
  readonly clock: Clock
  readonly schedule: Schedule
  readonly treasury: Treasury
  /** Returns the keys of the accounts. */
  accountKeys(): readonly SigningKey[]
  /** `undefined` if the built-in validators are not renewed. */
  readonly renewal: ValidatorRenewal | undefined
  readonly waiters: IssueWaiters
  readonly halt: Halt
  readonly log: Log
  /** Returns whether the node is stopping. */
  isInterrupted(): boolean
}

/** What the parts of a chain need of the chain itself. */
export interface ChainPorts extends Pick<ChainParts, "isInterrupted"> {
  readonly events: ChainEvents
  readonly callbacks: ScheduleCallbacks
}

/** Opens the parts of the chain in a store. */
export function openChainParts(options: PrivateChainOptions, { events, callbacks, isInterrupted }: ChainPorts): ChainParts {
  const { rules, genesis, store, wall, timers, log = silentLog, choices = {}, project, projectOverride } = options
  const { hasBuiltInValidators = true } = options
  const { hasWarpLag = false, poolGas = DEFAULT_POOL_GAS, blockMode = { mode: "auto" }, renewsValidators = true } = choices
  const clock = openClock(store, wall, choices, log)
  const onFault = (error: unknown) => options.onFault?.(error)
  const head = new ChainHead({ rules, store, onFault, clock, events, hasWarpLag, poolGas, project, projectOverride })
  const halt = new Halt(wall, log)
  return {
    options,
    head,
    clock,
    schedule: new Schedule(head, blockMode, { timers, wall, clock, halt, callbacks }),
    treasury: new Treasury(head, genesis),
    renewal: renewsValidators && hasBuiltInValidators ? new ValidatorRenewal(genesis, log) : undefined,
    waiters: new IssueWaiters(),
    halt,
    accountKeys: lazyAccounts(choices.accounts),
    log,
    isInterrupted,
  }
}
