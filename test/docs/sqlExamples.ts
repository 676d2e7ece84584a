/** A query of docs/sql.md. */
export interface SqlExample {
  readonly title: string
  readonly query: string
}

/** The example queries of docs/sql.md. A test runs each of them. */
export const sqlExamples: readonly SqlExample[] = [
  {
    title: "Rewards of an address by month, in AVAX",
    query: `select date_trunc('month', time) as month, kind, round(sum(amount) / 1e9, 9) as avax
from serac.rewards
where 'P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u' = any(addresses)
group by 1, 2 order by 1, 2`,
  },
  {
    title: "Weight of a node on the primary network over time",
    query: `select time, weight
from serac.validator_weights
where node_id = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg' and subnet_id = '11111111111111111111111111111111LpoYY'
order by height`,
  },
  {
    title: "Amounts that each L1 paid for its validators, in AVAX",
    query: `select subnet_id, round(sum(paid_in) / 1e9, 9) as paid_in, round(sum(paid_back) / 1e9, 9) as paid_back, count(*) as validators
from serac.l1_validator_states group by subnet_id order by 2 desc`,
  },
  {
    title: "Validator set of a subnet at a height",
    query: `select node_id, sum(weight_change) as weight
from serac.validator_set_changes
where subnet_id = '11111111111111111111111111111111LpoYY' and height <= 10
group by node_id having sum(weight_change) > 0 order by 2 desc, 1`,
  },
  {
    title: "Balance of an address, by asset",
    query: `select asset_id, amount from serac.balances
where address = 'P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'`,
  },
  {
    title: "Newest transactions of an address",
    query: `select time, kind, tx_id, received, sent from serac.address_history
where address = 'P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
order by height desc, tx_index desc limit 20`,
  },
  {
    title: "Fees by day and kind of transaction, in AVAX",
    query: `select date_trunc('day', time) as day, kind, count(*) as txs, round(sum(fee) / 1e9, 9) as avax
from serac.txs where height > 0 group by 1, 2 order by 1, 2`,
  },
  {
    title: "Validators that ended without a reward",
    query: `select ended_at, node_id, round(weight / 1e9, 9) as avax from serac.staking_periods
where end_reason = 'unrewarded' and role = 'validator' order by ended_at desc`,
  },
  {
    title: "Stakers that are staking now, by subnet and role",
    query: `select subnet_id, role, count(*), sum(weight) as weight
from serac.staking_periods where ended_at is null group by 1, 2 order by 1, 2`,
  },
  {
    title: "Nodes with the most delegated stake",
    query: `select node_id, round(sum(weight) / 1e9, 9) as avax, count(*) as delegators
from serac.staking_periods where role = 'delegator' and ended_at is null
group by node_id order by 2 desc limit 20`,
  },
  {
    title: "Chains of each subnet",
    query: `select s.subnet_id, s.time as created, count(c.chain_id) as chains, string_agg(c.name, ', ' order by c.height) as names
from serac.subnets s left join serac.chains c using (subnet_id) group by 1, 2 order by 2`,
  },
  {
    title: "Subnets that became L1s",
    query: `select time, subnet_id, manager_chain_id, encode(manager_address, 'hex') as manager_address
from serac.subnet_changes where change = 'l1' order by height`,
  },
  {
    title: "Amounts that were exported to other chains and imported from them, by month",
    query: `select date_trunc('month', time) as month, direction, chain_id, count(*), sum(amount) as amount
from serac.cross_chain_transfers group by 1, 2, 3 order by 1, 2, 3`,
  },
  {
    title: "Outputs of a transaction, and the transactions that spent them",
    query: `select o.output_index, o.kind, o.amount, o.addresses, i.spent_by
from serac.outputs o left join serac.inputs i using (tx_id, output_index)
where o.created_by = (select tx_id from serac.txs where height > 0 order by height limit 1) order by 1`,
  },
  {
    title: "Blocks and transactions per hour",
    query: `select date_trunc('hour', time) as hour, count(*) as blocks, sum(tx_count) as txs
from serac.blocks group by 1 order by 1`,
  },
]
