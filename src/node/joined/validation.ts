import type { Log } from "../../core/lib/log.js"
import { isProduction } from "../../core/networks/names.js"

/** A node's role in the validation of its network: none, all of it, the P-Chain alone, or none although its node ID is a validator's. */
export type Validation = "none" | "voting" | "votingOnPChain" | "notVoting"

/** The facts that decide how a node validates. */
export interface ValidationFacts {
  readonly networkID: number
  /** True if the node ID is in the current validator set of the primary network. */
  readonly isValidator: boolean
  /** True if the node votes, see `JoinOptions`. */
  readonly validates: boolean | undefined
}

/** Returns whether a node votes while its node ID is a validator's. On Mainnet and Fuji an option must enable it. */
export function mayVote({ networkID, validates }: Pick<ValidationFacts, "networkID" | "validates">): boolean {
  return validates ?? !isProduction(networkID)
}

/** Returns a node's role in the validation of its network. */
export function validationOf(facts: ValidationFacts): Validation {
  if (!facts.isValidator) return "none"
  if (!mayVote(facts)) return "notVoting"
  return isProduction(facts.networkID) ? "votingOnPChain" : "voting"
}

/** Returns a sentence about a validator that does not do everything its network expects; `undefined` if there is none. */
export function validationWarning(validation: Validation): string | undefined {
  if (validation === "notVoting") {
    return "this node ID is a validator's, but this node does not vote, since it runs the P-Chain alone: the validator counts as offline"
  }
  if (validation === "votingOnPChain") {
    return "this node votes on the P-Chain and does not validate the X-Chain and the C-Chain: the validator may count as offline there"
  }
  return undefined
}

/** Warns in the log when a node's role in the validation has changed. */
export class ValidationLog {
  readonly #log: Log
  #last: Validation = "none"

  constructor(log: Log) {
    this.#log = log
  }

  update(validation: Validation): void {
    if (validation === this.#last) return
    this.#last = validation
    const warning = validationWarning(validation)
    if (warning) this.#log.warn(warning, { flag: "--validate-p-chain-only" })
    else this.#log.info("validation", { validation })
  }
}
