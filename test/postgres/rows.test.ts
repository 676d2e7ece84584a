import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { services } from "../../src/client/services.js"
import type { Genesis } from "../../src/core/genesis/genesis.js"
import { tables } from "../../src/core/state/tables.js"
import { idText, PRIMARY_NETWORK_ID } from "../../src/core/types/id.js"
import type { StoredChain } from "../../src/datadir/storedChain.js"
import type { Database } from "../../src/postgres/connection.js"
import { sqlExamples } from "../docs/sqlExamples.js"
import { askOf } from "../fixtures/explorerAsk.js"
import { goldenChains } from "../fixtures/goldenChain.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { published, startPublisher } from "../fixtures/publishedChain.js"
import { type ReadChain, replayGolden } from "../fixtures/readModel.js"
import { testNode } from "../fixtures/rpcNode.js"
import { root } from "../sources.js"
import { expectEveryRow } from "./everyRow.js"
import { ExpectedRows } from "./expected/expectedRows.js"

const dataOf = ({ genesis, rules }: Pick<ReadChain, "rules"> & { genesis: Genesis }): StoredChain => ({
  genesis,
  rules,
  ruleFlags: {},
  isNew: false,
  isProven: true,
})

/** Compares the answers to the example queries of docs/sql.md with recorded ones. */
async function expectExamples(sql: Database): Promise<void> {
  const answers: Record<string, unknown> = {}
  for (const { title, query } of sqlExamples) answers[title] = [...(await sql.unsafe(query))]
  const text = JSON.stringify(answers, (_, value) => (typeof value === "bigint" ? String(value) : value), 2)
  await expect(`${text}\n`).toMatchFileSnapshot(join(root, "test/postgres/exampleAnswers.json"))
}

/** The parts of a plan, with those below them. */
interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: readonly Plan[]
}

const scansOf = (plan: Plan): string[] => [
  ...(plan["Node Type"] === "Seq Scan" ? [plan["Relation Name"] ?? ""] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
]

/** The example queries about an address read no table whole. The server prefers that in small tables, so it is told not to. */
async function expectIndexes(sql: Database): Promise<void> {
  const examples = sqlExamples.filter(({ query }) => query.includes("'P-"))
  expect(examples.length).toBe(7)
  const scans = await sql.begin(async (transaction) => {
    await transaction.unsafe("set local enable_seqscan = off")
    const plans = examples.map(({ query }) =>
      transaction.unsafe<{ "QUERY PLAN": [{ Plan: Plan }] }[]>(`explain (format json) ${query}`),
    )
    return (await Promise.all(plans)).flatMap(([row]) => scansOf(row!["QUERY PLAN"][0].Plan))
  })
  expect(scans).toEqual([])
}

/** Compares the potential rewards of the view staking_periods with those that the API shows of all current stakers. */
async function expectPotentialRewards(sql: Database, { store, rules, genesis }: ReadChain): Promise<void> {
  const ask = askOf(testNode({ store, rules, genesis, methods: services.platform.methods }))
  const subnets = [PRIMARY_NETWORK_ID, ...[...store.latest.rows(tables.transformations)].map(([subnetID]) => subnetID)]
  const expected: string[] = []
  for (const subnetID of subnets.map((id) => idText(id))) {
    const all = (await ask("platform.getCurrentValidators", { subnetID })).validators as unknown as ListedValidator[]
    // The delegators are only listed if one node is asked for.
    for (const { nodeID } of all) {
      const { validators } = await ask("platform.getCurrentValidators", { subnetID, nodeIDs: [nodeID] })
      for (const validator of validators as unknown as ListedValidator[]) {
        for (const { txID, weight, endTime, potentialReward } of [validator, ...(validator.delegators ?? [])])
          if (potentialReward !== undefined) expected.push([txID, weight, endTime, potentialReward].join(" "))
      }
    }
  }
  const statement = `select tx_id, term_weight, extract(epoch from term_end)::bigint as ended, potential_reward
    from serac.staking_periods where ended_at is null and subnet_id = any($1) and term_start is not null`
  const found = await sql.unsafe(statement, [subnets.map((id) => idText(id))])
  expect(found.map((row) => Object.values(row).join(" ")).sort()).toEqual(expected.sort())
  expect(found.length).toBeGreaterThan(0)
}

interface ListedStaker {
  readonly txID: string
  readonly weight: string
  readonly endTime: string
  readonly potentialReward?: string
}
interface ListedValidator extends ListedStaker {
  readonly nodeID: string
  readonly delegators?: readonly ListedStaker[] | null
}

describe("every published row is what the states of the chain show", needsPostgres, () => {
  test.each(goldenChains)("%s", async (folder) => {
    let expected: ExpectedRows | undefined
    const replayed = replayGolden(
      folder,
      ({ store }, block) => expected?.remember(block, store.latest),
      ({ store, rules, genesis }) => {
        expected = new ExpectedRows(rules, genesis, store.latest)
      },
    )
    const database = await newDatabase()
    const data = dataOf(replayed)
    const publisher = startPublisher(
      { store: replayed.store, data },
      { url: database.url, limits: { blocks: 17, size: 1 << 20 } },
    )
    try {
      await published(publisher, replayed.chain.lastAccepted.height)
      const counts = await expectEveryRow(database.sql, expected as ExpectedRows, replayed.store.latest, data)
      expect(counts.blocks).toBe(Number(replayed.chain.lastAccepted.height) + 1)
      await expectPotentialRewards(database.sql, replayed)
      await expectIndexes(database.sql)
      if (folder === "local-v1.14.2") await expectExamples(database.sql)
    } finally {
      await publisher.stop()
      await database.close()
    }
  })
})
