import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { ChainData } from "../../src/chaindata/chainData.js"
import type { Genesis } from "../../src/core/genesis/genesis.js"
import { hrpOf } from "../../src/core/networks/names.js"
import type { Database } from "../../src/postgres/connection.js"
import { sqlExamples } from "../docs/sqlExamples.js"
import { goldenChains } from "../fixtures/goldenChain.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { published, startPublisher } from "../fixtures/publishedChain.js"
import { type ReadChain, replayGolden } from "../fixtures/readModel.js"
import { root } from "../sources.js"
import { expectEveryRow } from "./everyRow.js"
import { ExpectedRows } from "./expected/expectedRows.js"

const dataOf = ({ genesis, rules }: Pick<ReadChain, "rules"> & { genesis: Genesis }): ChainData => ({
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
  expect(examples.length).toBe(5)
  const scans = await sql.begin(async (transaction) => {
    await transaction.unsafe("set local enable_seqscan = off")
    const plans = examples.map(({ query }) =>
      transaction.unsafe<{ "QUERY PLAN": [{ Plan: Plan }] }[]>(`explain (format json) ${query}`),
    )
    return (await Promise.all(plans)).flatMap(([row]) => scansOf(row!["QUERY PLAN"][0].Plan))
  })
  expect(scans).toEqual([])
}

describe("every published row is what the states of the chain show", needsPostgres, () => {
  test.each(goldenChains)("%s", async (folder) => {
    let expected: ExpectedRows | undefined
    const replayed = replayGolden(
      folder,
      ({ store }, block) => expected?.remember(block, store.latest),
      ({ store, rules, genesis }) => {
        expected = new ExpectedRows(hrpOf(rules.networkID), genesis, store.latest)
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
      await expectIndexes(database.sql)
      if (folder === "local-v1.14.2") await expectExamples(database.sql)
    } finally {
      await publisher.stop()
      await database.close()
    }
  })
})
