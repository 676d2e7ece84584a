import type { Log } from "../../core/lib/log.js"
import type { ChainHead } from "../chain/chainHead.js"
import type { IssueWaiters } from "../chain/issueWaiters.js"
import type { Clock } from "../clock/clock.js"
import type { Treasury } from "../funds/treasury.js"
import type { SigningKey } from "../keys/key.js"
import type { PrivateChainOptions } from "../options.js"
import type { Halt } from "../schedule/halt.js"
import type { ValidatorRenewal } from "../schedule/renewal.js"
import type { Schedule } from "../schedule/schedule.js"

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
