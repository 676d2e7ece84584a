import { SQL_SCHEMA } from "./schemaName.js"

/** A view over published tables. */
export interface SqlView {
  readonly name: string
  /** Meaning of one row, in one sentence. */
  readonly comment: string
  readonly query: string
}

/** The views of a published chain. */
export const sqlViews: readonly SqlView[] = [
  {
    name: "utxos",
    comment: "An output that is not spent.",
    query: `select o.* from ${SQL_SCHEMA}.outputs o
where not exists (select from ${SQL_SCHEMA}.inputs i where i.tx_id = o.tx_id and i.output_index = o.output_index)`,
  },
  {
    name: "staking_periods",
    comment: "A staker with the end of its period. The last four columns are empty as long as it has not ended.",
    query: `select s.*, e.time as ended_at, e.height as ended_height, e.reason as end_reason, e.ended_by
from ${SQL_SCHEMA}.stakers s left join ${SQL_SCHEMA}.staker_ends e using (tx_id)`,
  },
  {
    name: "validator_weights",
    comment: "The weight of a node in the validator set of a subnet after each of its changes.",
    query: `select subnet_id, node_id, height, time, weight_change,
sum(weight_change) over (partition by subnet_id, node_id order by height) as weight
from ${SQL_SCHEMA}.validator_set_changes`,
  },
  {
    name: "l1_validator_states",
    comment: "A validator of an L1 with its present weight (0 once it is removed) and the sums of its balance changes, in nAVAX.",
    query: `select v.validation_id, v.subnet_id, v.node_id, v.time as registered_at,
(select e.weight from ${SQL_SCHEMA}.l1_validator_events e
 where e.validation_id = v.validation_id and e.weight is not null order by e.height desc, e.tx_index desc limit 1) as weight,
(select sum(e.paid_in) from ${SQL_SCHEMA}.l1_validator_events e where e.validation_id = v.validation_id) as paid_in,
(select sum(e.paid_back) from ${SQL_SCHEMA}.l1_validator_events e where e.validation_id = v.validation_id) as paid_back
from ${SQL_SCHEMA}.l1_validators v`,
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
    query: `select address, asset_id, sum(received) - sum(sent) as amount from ${SQL_SCHEMA}.address_history group by address, asset_id`,
  },
]
