import { expect } from "vitest"
import type { Json } from "../../src/core/lib/json.js"
import { allSqlTables } from "../../src/core/sql/tables.js"
import { addressText } from "../../src/core/types/address.js"
import { idText, PRIMARY_NETWORK_ID } from "../../src/core/types/id.js"
import type { Database } from "../../src/postgres/connection.js"
import { people } from "../execution/random/attempt.js"
import { type Ask, pagesOf } from "../fixtures/explorerAsk.js"
import { expectTxs, expectUntraced } from "./likeApiTxs.js"

/** Rows and answers as lines of text: a value that both lack is a dash. */
export type Line = readonly unknown[]
const linesOf = (rows: Iterable<Line>): string[] =>
  [...rows].map((row) => row.map((value) => (value === undefined || value === null ? "-" : String(value))).join(" ")).sort()

export type Answer = Record<string, Json>
const seconds = (time: Json | undefined): number | undefined =>
  time === undefined ? undefined : Math.floor(new Date(String(time)).getTime() / 1000)
const some = (value: Json | undefined): readonly Answer[] => (value ?? []) as unknown as readonly Answer[]

/** The published chain, and the API of the node that publishes it. */
export interface Compared {
  readonly sql: Database
  readonly ask: Ask
  readonly hrp: string
  /** The time of Durango, Unix seconds. */
  readonly durango: bigint
}

const epoch = (column: string) => `extract(epoch from ${column})::bigint`

/** Compares tables and views of a published chain with the answers of the API at the same block. */
export class LikeApi {
  readonly #sql: Database
  readonly #ask: Ask
  readonly #everybody: readonly string[]
  readonly #durango: bigint
  /** The queries whose rows were compared. */
  readonly queries = new Set<string>()

  constructor({ sql, ask, hrp, durango }: Compared) {
    this.#durango = durango
    this.#sql = sql
    this.#ask = ask
    this.#everybody = people.map(({ address }) => addressText(address, hrp))
  }

  async #expect(what: string, query: string, answers: Iterable<Line> | Promise<Iterable<Line>>, values: readonly string[] = []) {
    this.queries.add(query)
    const rows = await this.#sql.unsafe(query, [...values]).values()
    expect({ what, rows: linesOf(rows) }).toEqual({ what, rows: linesOf(await answers) })
  }

  #list(method: string, member: string, params: object = {}): Promise<Answer[]> {
    return pagesOf(this.#ask, method, member, params, 1000)
  }

  async #subnets(): Promise<string[]> {
    const rows = await this.#sql<{ subnet_id: string }[]>`select subnet_id from serac.subnets`
    return rows.map(({ subnet_id }) => subnet_id)
  }

  async #ofEach(params: readonly object[], lines: (params: object) => Promise<Iterable<Line>>): Promise<Line[]> {
    return (await Promise.all(params.map(async (each) => [...(await lines(each))]))).flat()
  }

  #ofEverybody(lines: (address: string) => Promise<Iterable<Line>>): Promise<Line[]> {
    return this.#ofEach(
      this.#everybody.map((address) => ({ address })),
      (params) => lines((params as { address: string }).address),
    )
  }

  /** Compares everything that is said of the present, and the whole past. */
  async expectPresent(): Promise<void> {
    await this.#expectBlocks()
    await this.#expectMoney()
    await this.#expectStakers()
    await this.#expectSubnets()
    await this.#expectL1Validators()
    await this.#expectTxs()
    const [tip] = await this.#sql<{ height: bigint }[]>`select height from serac.tip`
    await this.expectAt(tip!.height)
    await this.#expect(
      "utxos",
      "select addresses[1], tx_id, output_index, asset_id, amount, threshold from serac.utxos",
      this.#unspentAt(String(tip!.height)),
    )
    await this.#expect(
      "balances",
      "select address, asset_id, amount from serac.balances where amount <> 0",
      this.#balancesAt(String(tip!.height)),
    )
  }

  async #expectBlocks(): Promise<void> {
    const blocks = await this.#list("platform.getBlocks", "blocks")
    await this.#expect(
      "blocks",
      `select height, block_id, parent_id, kind, ${epoch("time")}, tx_count, size from serac.blocks where height > 0`,
      blocks.map(({ height, blockID, parentID, kind, timestamp, txIDs, size }) => {
        return [height, blockID, parentID, kind, seconds(timestamp), some(txIDs).length, size]
      }),
    )
    await this.#expect(
      "tip",
      `select height, block_id, ${epoch("time")} from serac.tip`,
      some((await this.#ask("platform.getBlocks", { limit: 1 })).blocks).map(({ height, blockID, timestamp }) => [
        height,
        blockID,
        seconds(timestamp),
      ]),
    )
    await this.#expect(
      "the order of transactions",
      "select height, tx_index, tx_id from serac.txs where height > 0",
      blocks.flatMap(({ height, txIDs }) => ((txIDs ?? []) as string[]).map((txID, i) => [height, i, txID])),
    )
    await this.#expect(
      "the bytes of blocks",
      "select height, encode(bytes, 'hex') from serac.blocks where height > 0",
      this.#ofEach(
        blocks.map(({ height }) => ({ height })),
        async (params) => {
          const { block } = await this.#ask("platform.getBlockByHeight", { ...params, encoding: "hex" } as Json)
          // The text begins with 0x, and ends with a checksum of four bytes.
          return [[(params as Answer).height, String(block).slice(2, -8)]]
        },
      ),
    )
    await this.#expect(
      "prices",
      "select height, gas_price, validator_price from serac.blocks where gas_price is not null",
      some((await this.#ask("platform.getFeeHistory", { limit: 1000 })).blocks).map(({ height, gasPrice, validatorPrice }) => {
        return [height, gasPrice, validatorPrice]
      }),
    )
    const txs = await this.#list("platform.getTxs", "txs")
    await this.#expect(
      "txs",
      `select tx_id, kind, height, ${epoch("time")} from serac.txs where height > 0`,
      txs.map(({ txID, kind, height, timestamp }) => [txID, kind, height, seconds(timestamp)]),
    )
  }

  async #expectTxs(): Promise<void> {
    const compare = (what: string, query: string, answers: Iterable<Line>) => this.#expect(what, query, answers)
    const txs = await this.#sql<{ tx_id: string }[]>`select distinct tx_id from serac.txs`
    await expectTxs(
      compare,
      this.#ask,
      txs.map(({ tx_id }) => tx_id),
      this.#durango,
    )
    const outputs = await this.#sql<{ tx_id: string; output_index: number }[]>`
      select tx_id, output_index from serac.outputs where created_by is null`
    await expectUntraced(
      compare,
      this.#ask,
      outputs.map(({ tx_id, output_index }) => [tx_id, output_index]),
    )
    // Rows say when their block was, and what is compared says which block it was.
    for (const table of allSqlTables) {
      if (!("height" in table.columns && "time" in table.columns)) continue
      await this.#expect(
        `times of ${table.name}`,
        `select * from serac.${table.name} t join serac.blocks b using (height) where t.time <> b.time`,
        [],
      )
    }
    for (const table of ["address_history", "subnet_changes", "l1_validator_events"]) {
      await this.#expect(
        `positions of ${table}`,
        `select * from serac.${table} e join serac.txs t using (tx_id, height) where e.tx_index <> t.tx_index`,
        [],
      )
    }
    await this.#expect(
      "transactions that ended stakers",
      `select e.tx_id from serac.staker_ends e join serac.txs t on t.tx_id = e.ended_by
       where t.height <> e.height or e.reason = 'rewarded' and t.status <> 'Committed' or e.reason = 'unrewarded' and t.status <> 'Aborted'`,
      [],
    )
  }

  async #expectMoney(): Promise<void> {
    await this.#expect(
      "address_history",
      `select address, height, tx_id, kind, ${epoch("time")}, asset_id, received, sent from serac.address_history
       where kind not in ('Genesis', 'Override')`,
      this.#ofEverybody(async (address) =>
        (await this.#list("platform.getTxsByAddress", "txs", { address })).flatMap(({ txID, kind, height, timestamp, effects }) =>
          some(effects)
            .filter((effect) => effect.address === address)
            .map(({ assetID, received, sent }) => [address, height, txID, kind, seconds(timestamp), assetID, received, sent]),
        ),
      ),
    )
    await this.#expect(
      "rewards",
      `select addresses[1], height, ${epoch("time")}, staker_tx_id, node_id, kind, amount from serac.rewards`,
      this.#ofEverybody(async (address) =>
        (await this.#list("platform.getRewardsByAddress", "rewards", { address })).map(
          ({ height, timestamp, stakerTxID, nodeID, kind, amount }) => {
            return [address, height, seconds(timestamp), stakerTxID, nodeID, kind, amount]
          },
        ),
      ),
    )
  }

  async #expectStakers(): Promise<void> {
    await this.#expect(
      "staking_periods",
      `select tx_id, role, node_id, subnet_id,
         case when ended_at is not null then 'ended' when term_start is null then 'pending' else 'active' end as state,
         case when ended_at is null then potential_reward end,
         case when ended_at is null then restaked_validation_rewards end,
         case when ended_at is null then restaked_delegatee_rewards end,
         (select coalesce(sum(amount), 0) from serac.rewards r where r.staker_tx_id = s.tx_id) as paid,
         case when ended_at is not null then ended_by end,
         ${epoch("coalesce(term_start, start_time)")}, ${epoch("coalesce(term_end, end_time)")}
       from serac.staking_periods s where cardinality(reward_addresses) > 0`,
      this.#ofEverybody(async (address) =>
        (await this.#list("platform.getStakesByAddress", "stakes", { address })).flatMap((stake) => {
          const { txID, role, nodeID, subnetID, state, potentialReward, paidReward, rewardTxID } = stake
          const { restakedValidationRewards: own, restakedDelegateeRewards: delegatee } = stake
          if (state === "aborted" || txID === undefined) return []
          return [
            [
              txID,
              role,
              nodeID,
              subnetID,
              state,
              potentialReward,
              own,
              delegatee,
              paidReward,
              state === "ended" ? rewardTxID : "-",
              seconds(stake.startTime),
              seconds(stake.endTime),
            ],
          ]
        }),
      ),
    )
    const subnets = [idText(PRIMARY_NETWORK_ID), ...(await this.#subnets())]
    const current = await this.#ofEach(
      subnets.map((subnetID) => ({ subnetID })),
      (params) => this.#currentStakers(params as { subnetID: string }),
    )
    await this.#expect(
      "the last terms of current stakers",
      `select subnet_id, tx_id, node_id, t.weight, ${epoch("t.start_time")}, ${epoch("t.end_time")},
         case when cardinality(reward_addresses) > 0 then t.potential_reward end,
         t.restaked_validation_rewards, t.restaked_delegatee_rewards
       from serac.stakers join (select distinct on (tx_id) * from serac.staking_terms order by tx_id, height desc) t using (tx_id)
       where tx_id not in (select tx_id from serac.staker_ends)`,
      current,
    )
    await this.#expect(
      "current stakers",
      `select subnet_id, tx_id, node_id, term_weight, ${epoch("term_start")}, ${epoch("term_end")},
         case when cardinality(reward_addresses) > 0 then potential_reward end,
         restaked_validation_rewards, restaked_delegatee_rewards
       from serac.staking_periods where ended_at is null and term_start is not null`,
      current,
    )
    await this.#expect(
      "staker_ends",
      `select subnet_id, node_id, s.tx_id, reason, e.height, ${epoch("time")} from serac.staker_ends e
       join serac.stakers s using (tx_id) where role = 'validator'
       union all select subnet_id, node_id, validation_id, event, height, ${epoch("time")} from serac.l1_validator_events where event = 'removed'`,
      this.#ofEach(
        subnets.map((subnetID) => ({ subnetID })),
        async (params) =>
          (await this.#list("platform.getFormerValidators", "validators", params)).map(
            ({ nodeID, txID, validationID, reason, height, timestamp }) => {
              return [(params as { subnetID: string }).subnetID, nodeID, txID ?? validationID, reason, height, seconds(timestamp)]
            },
          ),
      ),
    )
  }

  async #currentStakers({ subnetID }: { readonly subnetID: string }): Promise<Line[]> {
    const lines: Line[] = []
    for (const { nodeID, validationID } of some((await this.#ask("platform.getCurrentValidators", { subnetID })).validators)) {
      if (validationID !== undefined) continue
      // The delegators are only listed if one node is asked for.
      const { validators } = await this.#ask("platform.getCurrentValidators", { subnetID, nodeIDs: [nodeID as Json] })
      for (const staker of some(validators)) {
        for (const each of [staker, ...some(staker.delegators)]) {
          const { txID, weight, startTime, endTime, potentialReward } = each
          const { restakedValidationRewards: own, restakedDelegateeRewards: delegatee } = each
          lines.push([subnetID, txID, nodeID, weight, startTime, endTime, potentialReward, own, delegatee])
        }
      }
    }
    return lines
  }

  async #expectSubnets(): Promise<void> {
    const subnets = await this.#subnets()
    await this.#expect(
      "subnets",
      `select subnet_id, owner_addresses, owner_threshold,
         (select count(*) from serac.subnet_changes c where c.subnet_id = o.subnet_id and change = 'l1'),
         (select tx_id from serac.subnet_changes c where c.subnet_id = o.subnet_id and change = 'elastic'),
         (select manager_chain_id from serac.subnet_changes c where c.subnet_id = o.subnet_id and change = 'l1')
       from serac.subnet_owners o`,
      this.#ofEach(
        subnets.map((subnetID) => ({ subnetID })),
        async (params) => {
          const { subnetID } = params as { subnetID: string }
          const found = await this.#ask("platform.getSubnet", params as Json)
          const owner = (found.owner ?? { addresses: found.controlKeys, threshold: found.threshold }) as Answer
          const set = (id: Json | undefined) => (id === idText(PRIMARY_NETWORK_ID) ? undefined : id)
          const isL1 = set(found.conversionID) === undefined ? 0 : 1
          const manager = set(found.managerChainID)
          return [[subnetID, owner.addresses, owner.threshold, isL1, set(found.subnetTransformationTxID), manager]]
        },
      ),
    )
    const { blockchains } = await this.#ask("platform.getBlockchains", {})
    await this.#expect(
      "chains",
      "select chain_id, subnet_id, name, vm_id from serac.chains",
      some(blockchains).flatMap(({ id, subnetID, name, vmID }) =>
        subnetID === idText(PRIMARY_NETWORK_ID) ? [] : [[id, subnetID, name, vmID]],
      ),
    )
  }

  async #expectL1Validators(): Promise<void> {
    const subnets = await this.#subnets()
    await this.#expect(
      "l1_validator_states",
      `select subnet_id, validation_id, node_id, ${epoch("registered_at")}, s.weight, s.balance, active, inactive_since is null,
         encode(public_key, 'hex'), remaining_balance_addresses, deactivation_addresses
       from serac.l1_validator_states s join serac.l1_validators using (validation_id, subnet_id, node_id) where s.weight > 0`,
      this.#ofEach(
        subnets.map((subnetID) => ({ subnetID })),
        async (params) =>
          some((await this.#ask("platform.getCurrentValidators", params as Json)).validators).flatMap(
            ({ validationID, nodeID, startTime, weight, balance, publicKey, remainingBalanceOwner, deactivationOwner }) => {
              if (validationID === undefined) return []
              const { subnetID } = params as { subnetID: string }
              const isActive = balance !== "0"
              const owners = [remainingBalanceOwner, deactivationOwner].map((owner) => (owner as Answer | undefined)?.addresses)
              const key = String(publicKey).slice(2)
              return [[subnetID, validationID, nodeID, startTime, weight, balance, isActive, isActive, key, ...owners]]
            },
          ),
      ),
    )
    const rows = await this.#sql<{ validation_id: string }[]>`select validation_id from serac.l1_validators`
    await this.#expect(
      "the sums of l1_validator_states",
      `select validation_id, paid_in, paid_back, ${epoch("inactive_since")} from serac.l1_validator_states`,
      this.#ofEach(
        rows.map(({ validation_id: validationID }) => ({ validationID })),
        async (params) => {
          const events = await this.#list("platform.getL1ValidatorHistory", "events", params)
          const sum = (name: string) => events.reduce((total, event) => total + BigInt(String(event[name] ?? 0)), 0n)
          const last = events.find(({ event, added }) => event !== "weightSet" && !(event === "registered" && added === "0"))
          const isActive = last?.event === "increased" || last?.event === "registered"
          const since = isActive ? undefined : seconds((last ?? events.at(-1))?.timestamp)
          return [[(params as Answer).validationID, sum("added"), sum("refund"), since]]
        },
      ),
    )
    await this.#expect(
      "l1_validator_events",
      `select validation_id, subnet_id, node_id, height, ${epoch("time")}, tx_id, event, weight, paid_in, paid_back,
         row_number() over (partition by validation_id order by height, tx_index) from serac.l1_validator_events`,
      this.#ofEach(
        rows.map(({ validation_id: validationID }) => ({ validationID })),
        async (params) => {
          const { subnetID, nodeID } = await this.#ask("platform.getL1ValidatorHistory", { ...params, limit: 1 } as Json)
          const events = await this.#list("platform.getL1ValidatorHistory", "events", params)
          const { validationID } = params as { validationID: string }
          return events.map(({ height, timestamp, txID, event, weight, added, refund }, i) => {
            const place = [validationID, subnetID, nodeID, height, seconds(timestamp), txID]
            return [...place, event, weight, added ?? 0, refund ?? 0, events.length - i]
          })
        },
      ),
    )
  }

  #unspentAt(height: string): Promise<Line[]> {
    return this.#ofEverybody(async (address) =>
      (await this.#list("platform.getUTXOsAt", "utxos", { address, height })).map(
        ({ txID, outputIndex, assetID, amount, threshold }) => [address, txID, outputIndex, assetID, amount, threshold],
      ),
    )
  }

  #balancesAt(height: string): Promise<Line[]> {
    return this.#ofEverybody(async (address) =>
      some((await this.#ask("platform.getBalanceAt", { address, height })).balances).map(({ assetID, amount }) => [
        address,
        assetID,
        amount,
      ]),
    )
  }

  /** Compares what is said of the chain after the block of a height. */
  async expectAt(height: bigint): Promise<void> {
    const at = [String(height)]
    await this.#expect(
      `unspent outputs at ${height}`,
      `select addresses[1], o.tx_id, o.output_index, o.asset_id, o.amount, threshold from serac.outputs o
       left join serac.inputs i on i.tx_id = o.tx_id and i.output_index = o.output_index and i.height <= $1::bigint
       where o.height <= $1::bigint and i.tx_id is null`,
      this.#unspentAt(String(height)),
      at,
    )
    await this.#expect(
      `balances at ${height}`,
      `select address, asset_id, sum(received) - sum(sent) as amount from serac.address_history where height <= $1::bigint
       group by address, asset_id having sum(received) <> sum(sent)`,
      this.#balancesAt(String(height)),
      at,
    )
    const subnets = [idText(PRIMARY_NETWORK_ID), ...(await this.#subnets())]
    const sets = await this.#ofEach(
      subnets.map((subnetID) => ({ subnetID, height: at[0] })),
      async (params) => {
        const set = (await this.#ask("platform.getValidatorsAt", params as Json)) as Record<string, Answer>
        const { subnetID } = params as { subnetID: string }
        return Object.entries(set).map(([nodeID, { weight }]) => [subnetID, nodeID, weight])
      },
    )
    await this.#expect(
      `changes of validator sets until ${height}`,
      `select subnet_id, node_id, sum(weight_change) from serac.validator_set_changes where height <= $1::bigint
       group by subnet_id, node_id having sum(weight_change) <> 0`,
      sets,
      at,
    )
    await this.#expect(
      `validator sets at ${height}`,
      `select subnet_id, node_id, weight from (select distinct on (subnet_id, node_id) subnet_id, node_id, weight
         from serac.validator_weights where height <= $1::bigint order by subnet_id, node_id, height desc) newest where weight > 0`,
      sets,
      at,
    )
  }
}
