import { SQL_SCHEMA } from "./sqlTable.js"

export interface SqlView {
  readonly name: string
  /** Meaning of one row, in one sentence. */
  readonly comment: string
  /** Meanings of the columns that no table has. */
  readonly columns?: Readonly<Record<string, string>>
  readonly query: string
}

export const sqlViews: readonly SqlView[] = [
  {
    name: "utxos",
    comment: "An output that is not spent.",
    query: `select o.* from ${SQL_SCHEMA}.outputs o
where not exists (select from ${SQL_SCHEMA}.inputs i where i.tx_id = o.tx_id and i.output_index = o.output_index)`,
  },
  {
    name: "staking_periods",
    comment:
      "A staker with its present or last term, and the end of its period, whose columns are empty as long as it has not ended.",
    columns: {
      term_start: "The time at which its present or last term begins; null while it is pending, and if the term is not recorded.",
      term_end: "The time at which this term ends.",
      term_weight: "The weight in this term.",
      restaked_validation_rewards:
        "The sum of its own rewards that an auto-renewed validator restaked before this term, in nAVAX.",
      restaked_delegatee_rewards:
        "The sum of its shares of delegators' rewards that an auto-renewed validator restaked before this term, in nAVAX.",
      potential_reward: "The potential reward of this term; see staking_terms.",
      ended_at: "The time of the chain after the block with which it ended.",
      ended_height: "The height of this block.",
      end_reason: "rewarded, unrewarded, removed (by the owner of the subnet), or expired (on a permissioned subnet).",
      ended_by: "The transaction that ended it, in cb58; none where it expired.",
    },
    query: `select s.*, t.start_time as term_start, t.end_time as term_end, t.weight as term_weight,
t.restaked_validation_rewards, t.restaked_delegatee_rewards, t.potential_reward,
e.time as ended_at, e.height as ended_height, e.reason as end_reason, e.ended_by
from ${SQL_SCHEMA}.stakers s left join ${SQL_SCHEMA}.staker_ends e using (tx_id)
left join lateral (select * from ${SQL_SCHEMA}.staking_terms where tx_id = s.tx_id order by height desc limit 1) t on true`,
  },
  {
    name: "staking_income",
    comment:
      "A term of a staker that has ended: a whole staking period, or one cycle of an auto-renewed validator, with what it paid and restaked. Paid and restaked together are what it earned.",
    columns: {
      ended_at: "The time of the chain after the block with which it ended.",
      ended_height: "The height of this block.",
      paid_reward: "What was paid for its own stake, in nAVAX if the asset is AVAX: for validation, or for a delegation.",
      paid_fee: "What was paid of its delegators' rewards.",
      restaked_reward: "What was restaked of its own reward; negative where a validator leaves and gets what it restaked before.",
      restaked_fee: "What was restaked of its delegators' rewards, in the same way.",
    },
    query: `select s.tx_id, s.role, s.node_id, s.subnet_id, s.reward_addresses, t.start_time, t.end_time, t.weight, t.potential_reward,
coalesce(n.block_time, e.time) as ended_at, coalesce(n.height, e.height) as ended_height,
coalesce(p.reward, 0) as paid_reward, coalesce(p.fee, 0) as paid_fee,
coalesce(n.restaked_validation_rewards, 0) - coalesce(t.restaked_validation_rewards, 0) as restaked_reward,
coalesce(n.restaked_delegatee_rewards, 0) - coalesce(t.restaked_delegatee_rewards, 0) as restaked_fee
from ${SQL_SCHEMA}.staking_terms t join ${SQL_SCHEMA}.stakers s using (tx_id)
left join lateral (
  select c.*, b.time as block_time from ${SQL_SCHEMA}.staking_terms c join ${SQL_SCHEMA}.blocks b using (height)
  where c.tx_id = t.tx_id and c.height > t.height order by c.height limit 1) n on true
left join ${SQL_SCHEMA}.staker_ends e on e.tx_id = t.tx_id and n.tx_id is null
left join lateral (
  select sum(r.amount) filter (where r.kind <> 'delegationFee') as reward, sum(r.amount) filter (where r.kind = 'delegationFee') as fee
  from ${SQL_SCHEMA}.rewards r where r.staker_tx_id = t.tx_id and r.height > t.height and r.height <= coalesce(n.height, e.height)) p on true
where n.tx_id is not null or e.tx_id is not null`,
  },
  {
    name: "validator_weights",
    comment: "The weight of a node in the validator set of a subnet after each of its changes.",
    columns: { weight: "The weight after the change; 0 once the node has left." },
    query: `select subnet_id, node_id, height, time, weight_change,
sum(weight_change) over (partition by subnet_id, node_id order by height) as weight
from ${SQL_SCHEMA}.validator_set_changes`,
  },
  {
    name: "l1_validator_states",
    comment:
      "A validator of an L1 with its present weight (0 once it is removed), its balance, and the sums of its balance changes, in nAVAX.",
    columns: {
      registered_at: "The time of the chain after the block that registered it.",
      weight: "The present weight; 0 once it is removed.",
      paid_in: "The sum of all that was added to its balance, in nAVAX.",
      paid_back: "The sum of what was paid back of its balance, in nAVAX.",
      active: "Whether it has a balance to pay from.",
      balance: "The balance at the tip, in nAVAX; null if the fees since its last payment are not recorded.",
      inactive_since:
        "The time of the chain at which it was last disabled or removed, ran out, or was registered without a balance, if it is not active.",
    },
    query: `select v.validation_id, v.subnet_id, v.node_id, v.time as registered_at,
(select e.weight from ${SQL_SCHEMA}.l1_validator_events e
 where e.validation_id = v.validation_id and e.weight is not null order by e.height desc, e.tx_index desc limit 1) as weight,
(select sum(e.paid_in) from ${SQL_SCHEMA}.l1_validator_events e where e.validation_id = v.validation_id) as paid_in,
(select sum(e.paid_back) from ${SQL_SCHEMA}.l1_validator_events e where e.validation_id = v.validation_id) as paid_back,
p.amount is not null as active,
case when p.amount is null then 0 else p.amount + p.since - (select accrued_fee from ${SQL_SCHEMA}.tip) end as balance,
case when p.amount is null then coalesce(stop.time, v.time) end as inactive_since
from ${SQL_SCHEMA}.l1_validators v
left join lateral (
  select e.height, e.tx_index, e.time from ${SQL_SCHEMA}.l1_validator_events e
  where e.validation_id = v.validation_id and e.event in ('disabled', 'removed', 'ranOut')
  order by e.height desc, e.tx_index desc limit 1) stop on true
left join lateral (
  select sum(e.paid_in) as amount, min(e.accrued_fee) as since from ${SQL_SCHEMA}.l1_validator_events e
  where e.validation_id = v.validation_id and e.paid_in > 0
  and (stop.height is null or (e.height, e.tx_index) > (stop.height, stop.tx_index))) p on true`,
  },
  {
    name: "subnet_owners",
    comment: "The present owners of a subnet.",
    query: `select s.subnet_id, coalesce(c.owner_addresses, s.owner_addresses) as owner_addresses,
coalesce(c.owner_threshold, s.owner_threshold) as owner_threshold
from ${SQL_SCHEMA}.subnets s left join lateral (
  select owner_addresses, owner_threshold from ${SQL_SCHEMA}.subnet_changes
  where subnet_id = s.subnet_id and change = 'owner' order by height desc, tx_index desc limit 1) c on true`,
  },
  {
    name: "balances",
    comment: "The sum of all unspent outputs of an address, by asset. An output of several owners counts whole for each of them.",
    columns: { amount: "The sum, in nAVAX if the asset is AVAX." },
    query: `select address, asset_id, sum(received) - sum(sent) as amount from ${SQL_SCHEMA}.address_history group by address, asset_id`,
  },
]
