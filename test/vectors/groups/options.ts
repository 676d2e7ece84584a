import { blockOf } from "../../../src/core/blocks/block.js"
import { type Option, type Proposal, preferredOption } from "../../../src/core/chain/options.js"
import { Priority } from "../../../src/core/state/staker.js"
import { TxStatus, tables } from "../../../src/core/state/tables.js"
import { signedTxOf, type Tx } from "../../../src/core/txs/tx.js"
import type { UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import { PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { given, rulesWith, stakerWith } from "../../fixtures/state.js"
import { idOfByte, validTxs } from "../../fixtures/txs.js"
import type { Entry, Group } from "../group.js"

const OTHER_SUBNET = idOfByte(0x0b)

/** A transaction of a kind that stakes on this subnet, if it stakes at all. */
function stakerTxOf(kind: UnsignedTx["kind"], subnet: string | undefined): Tx {
  const tx = validTxs[kind]
  const subnetID = subnet === "other" ? OTHER_SUBNET : PRIMARY_NETWORK_ID
  return signedTxOf("validator" in tx && "subnetID" in tx ? ({ ...tx, subnetID } as UnsignedTx) : tx, [])
}

/** A block that proposes a transaction, or the reward of another one. */
function proposalOf(input: Entry, stakerTx: Tx | undefined): Proposal {
  const kind: UnsignedTx["kind"] = input.tx ?? "RewardValidatorTx"
  const reward: UnsignedTx = { kind: "RewardValidatorTx", txID: stakerTx?.id ?? idOfByte(0xee) }
  const tx = signedTxOf(kind === "RewardValidatorTx" ? reward : validTxs[kind], [])
  const common = { parentID: idOfByte(1), height: 1n, tx }
  if (input.block === "ApricotProposal") return blockOf({ kind: "ApricotProposalBlock", ...common }) as Proposal
  return blockOf({ kind: "BanffProposalBlock", time: 0n, txs: [], ...common }) as Proposal
}

export const options: Group = {
  preference({ input, expected }, verdict) {
    const stakerTx = input.stakerTx ? stakerTxOf(input.stakerTx, input.subnet) : undefined
    const state = given()
    if (stakerTx) state.put(tables.txs, stakerTx.id, { status: TxStatus.committed, height: 0n, bytes: stakerTx.bytes })
    if (stakerTx && input.primaryValidator && "validator" in stakerTx.unsignedTx) {
      const { nodeID } = stakerTx.unsignedTx.validator
      const primary = stakerWith({ priority: Priority.primaryValidatorCurrent, nodeID, startTime: 1_000n })
      state.put(tables.currentValidators, primary, primary)
    }
    if (input.transformation) {
      const { uptimeRequirement } = input.transformation
      const transformation = { ...validTxs.TransformSubnetTx, txID: idOfByte(9), uptimeRequirement: Number(uptimeRequirement) }
      state.put(tables.transformations, OTHER_SUBNET, transformation)
    }
    const measured = input.uptimePercent === undefined ? undefined : Number(input.uptimePercent) / 100
    // Measured since the primary network validator began, for every rewarded staker.
    const uptimeOf = (_nodeID: string, since: bigint) => (since === 1_000n ? measured : undefined)
    const preferred: Option = preferredOption(proposalOf(input, stakerTx), state, rulesWith(), uptimeOf)
    verdict.equal("preferred", preferred, expected.preferred)
  },
}
