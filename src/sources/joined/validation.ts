import { sign } from "node:crypto"
import type { Mempool } from "../../core/chain/mempool.js"
import type { ValidatorOptions } from "../../core/consensus/engine/enginePort.js"
import type { Log } from "../../core/lib/log.js"
import { isProduction } from "../../core/networks/names.js"
import type { JoinedChainOptions } from "./joinOptions.js"

/** A node's role in the validation of its network: none, a vote, or none although its node ID is a validator's. */
export type Validation = "none" | "voting" | "notVoting"

/** Returns whether a node votes while its node ID is a validator's. Validators of Mainnet and Fuji need the X- and C-Chain, too. */
const mayVote = (networkID: number): boolean => !isProduction(networkID)

/** Returns a node's role. `isValidator` is true if its ID is in the current validator set of the primary network. */
export function validationOf(networkID: number, isValidator: boolean): Validation {
  if (!isValidator) return "none"
  return mayVote(networkID) ? "voting" : "notVoting"
}

export const NOT_VOTING =
  "this node ID is a validator's, but validators of this network also need the X-Chain and the C-Chain: Serac does not vote, and the validator counts as offline; run it with AvalancheGo"

export const COUNTS_AS_OFFLINE =
  "nodes of AvalancheGo bench a validator without the X-Chain and the C-Chain, unless it has more than a twelfth of the stake, and count it as offline"

/** Returns a function that logs a node's role in the validation when it has changed. */
export function validationLog(log: Log): (validation: Validation) => void {
  let last: Validation = "none"
  return (validation) => {
    if (validation === last) return
    last = validation
    if (validation === "notVoting") log.warn(NOT_VOTING)
    else log.info("validation", { validation })
    if (validation === "voting") log.warn(COUNTS_AS_OFFLINE)
  }
}

/** Returns how a node builds and signs blocks while its node ID is among the validators; `undefined` if it only follows. */
export function validatorOptions(
  { identity, data, wall, network }: JoinedChainOptions,
  pool: Mempool,
  recommendedHeight: () => bigint,
): ValidatorOptions | undefined {
  const { staking, nodeID } = identity
  if (!staking || !mayVote(data.rules.networkID)) return undefined
  const { certificate, key } = staking
  return {
    key: { nodeID, certificate, sign: (message) => new Uint8Array(sign("sha256", message, key)) },
    pool,
    minBlockDelayMs: network.building.minBlockDelayMs ?? 0,
    unixMs: wall,
    recommendedHeight,
  }
}
