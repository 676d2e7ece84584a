import { asciiText, asciiTexts, boolean, bytea, int4, int8, numeric, orNull, timestamptz } from "../column.js"
import { sqlTable } from "../sqlTable.js"

/** Stakers, their rewards, and the validator sets. */
export const stakingTables = {
  stakers: sqlTable("stakers", {
    comment: "A validator or delegator: a staking period with its begin. The view staking_periods adds the end.",
    columns: {
      tx_id: asciiText("The transaction of the staker, in cb58."),
      height: int8("The height of its block."),
      role: asciiText("validator or delegator."),
      subnet_id: asciiText("The subnet, in cb58; 11111111111111111111111111111111LpoYY is the primary network."),
      node_id: asciiText("The node."),
      weight: numeric("The weight, which is the staked amount except on a permissioned subnet."),
      start_time: timestamptz("The time at which the period begins."),
      end_time: timestamptz("The time at which the period ends; of an auto-renewed validator its first cycle."),
      public_key: orNull(bytea("The BLS key of the validator, compressed.")),
      delegation_shares: orNull(int4("The validator's share of its delegators' rewards, in millionths.")),
      is_auto_renewed: boolean("Whether the validator renews itself at the end of each cycle."),
      reward_addresses: asciiTexts("The owners of the reward."),
      delegation_reward_addresses: asciiTexts("The owners of the validator's share of its delegators' rewards."),
    },
    primaryKey: ["tx_id"],
    indexes: [["node_id", "subnet_id"]],
    rangeIndexes: ["height"],
    listIndexes: ["reward_addresses", "delegation_reward_addresses"],
  }),
  staker_ends: sqlTable("staker_ends", {
    comment: "The end of a staking period.",
    columns: {
      tx_id: asciiText("The transaction of the staker, in cb58."),
      height: int8("The height of the block with which it ended."),
      time: timestamptz("The time of the chain after the block."),
      reason: asciiText("rewarded, unrewarded, removed (by the owner of the subnet), or expired (on a permissioned subnet)."),
      ended_by: orNull(asciiText("The transaction that ended it, in cb58; none where it expired.")),
    },
    primaryKey: ["tx_id"],
    rangeIndexes: ["height"],
  }),
  staking_terms: sqlTable("staking_terms", {
    comment: "The whole period of a staker from its begin, or one cycle of an auto-renewed validator, with its potential reward.",
    columns: {
      tx_id: asciiText("The transaction of the staker, in cb58."),
      height: int8("The height of the block with which the term began, or later that of the block with which this record began."),
      start_time: timestamptz("The time at which the term begins."),
      end_time: timestamptz("The time at which the term ends."),
      weight: numeric("The weight in this term. That of an auto-renewed validator grows by the rewards that it stakes again."),
      restaked_validation_rewards: orNull(
        numeric(
          "The sum of its own rewards that an auto-renewed validator restaked before this term, in nAVAX; null for other stakers.",
        ),
      ),
      restaked_delegatee_rewards: orNull(
        numeric(
          "The sum of its shares of delegators' rewards that an auto-renewed validator restaked before this term, in nAVAX.",
        ),
      ),
      potential_reward: numeric(
        "The reward if the term ends well, in nAVAX if the asset is AVAX: of a delegator with the validator's share; 0 on a permissioned subnet.",
      ),
    },
    primaryKey: ["height", "tx_id"],
    indexes: [["tx_id", "height"]],
  }),
  rewards: sqlTable("rewards", {
    comment: "A reward that was paid. Its output is in outputs, too.",
    columns: {
      tx_id: asciiText("The transaction under which the output is numbered, in cb58."),
      output_index: int4("The number of the output."),
      height: int8("The height of the block."),
      time: timestamptz("The time of the chain after the block."),
      kind: asciiText("validation, delegation, or delegationFee (the validator's share of its delegators' rewards)."),
      staker_tx_id: asciiText("The transaction of the staker, in cb58."),
      node_id: asciiText("The node that the staker validated with, or delegated to."),
      subnet_id: asciiText("The subnet, in cb58."),
      asset_id: asciiText("The asset, in cb58."),
      amount: numeric("The amount, in nAVAX if the asset is AVAX."),
      addresses: asciiTexts("The addresses of the owners."),
    },
    primaryKey: ["tx_id", "output_index"],
    indexes: [["staker_tx_id"], ["node_id"]],
    rangeIndexes: ["height"],
    listIndexes: ["addresses"],
  }),
  validator_set_changes: sqlTable("validator_set_changes", {
    comment: "A change of a node's weight in the validator set of a subnet. The view validator_weights has the weights after it.",
    columns: {
      subnet_id: asciiText("The subnet, in cb58."),
      height: int8("The height of the block."),
      node_id: asciiText("The node. Inactive validators of an L1 count together under the empty node ID."),
      time: timestamptz("The time of the chain after the block."),
      weight_change: numeric("The change of the weight, positive or negative."),
    },
    primaryKey: ["subnet_id", "height", "node_id"],
    indexes: [["node_id"]],
    rangeIndexes: ["height"],
  }),
} as const
