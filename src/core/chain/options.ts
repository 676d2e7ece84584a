import { type Block, blockOf } from "../blocks/block.js"
import type { Rules } from "../rules/context.js"
import { uptimeRequirementFor } from "../rules/staking.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { acceptedStaker } from "../txs/execute.js"
import type { UnsignedTx } from "../txs/unsignedTx.js"
import { type ID, type NodeID, PRIMARY_NETWORK_ID } from "../types/id.js"

export type Option = "commit" | "abort"

export type Proposal = Extract<Block, { kind: "ApricotProposalBlock" | "BanffProposalBlock" }>

/** Returns the share of the time since `since` (Unix seconds) that a node was online, 0 to 1; `undefined` if it was not measured. */
export type UptimeOf = (nodeID: NodeID, since: bigint) => number | undefined

/**
 * Returns the option of a proposal that a node votes for. It refuses the reward to a validator that was offline too much by the node's own
 * measurement. If anything about that is unclear, it grants the reward. `lastAccepted` is the last accepted state.
 */
export function preferredOption(block: Proposal, lastAccepted: View, rules: Rules, uptimeOf: UptimeOf): Option {
  const { unsignedTx } = block.tx
  if (block.kind === "ApricotProposalBlock" || !isReward(unsignedTx)) return "commit"
  const uptime = uptimeFor(unsignedTx.txID, lastAccepted, rules, uptimeOf)
  return uptime === undefined || uptime.measured >= uptime.required ? "commit" : "abort"
}

type Reward = Extract<UnsignedTx, { kind: "RewardValidatorTx" | "RewardAutoRenewedValidatorTx" }>

function isReward(tx: UnsignedTx): tx is Reward {
  return tx.kind === "RewardValidatorTx" || tx.kind === "RewardAutoRenewedValidatorTx"
}

/** Returns the uptime that is required of the node behind a staker, and its measured uptime since it validates the primary network. */
function uptimeFor(txID: ID, view: View, rules: Rules, uptimeOf: UptimeOf): { required: number; measured: number } | undefined {
  const staker = acceptedStaker(view, txID)
  if (!staker) return undefined
  const { nodeID, subnetID } = staker
  const primary = view.get(tables.currentValidators, { subnetID: PRIMARY_NETWORK_ID, nodeID })
  const required = primary && uptimeRequirementFor(view, rules, subnetID, primary.startTime)
  if (!primary || required === undefined) return undefined
  const measured = uptimeOf(nodeID, primary.startTime)
  return measured === undefined ? undefined : { required, measured }
}

export function optionBlock(proposal: Proposal, option: Option): Block {
  const common = { parentID: proposal.id, height: proposal.height + 1n }
  if (proposal.kind === "ApricotProposalBlock") {
    return blockOf({ kind: option === "commit" ? "ApricotCommitBlock" : "ApricotAbortBlock", ...common })
  }
  return blockOf({ kind: option === "commit" ? "BanffCommitBlock" : "BanffAbortBlock", time: proposal.time, ...common })
}
