import { describe, expect, onTestFinished, test } from "vitest"
import { silentLog } from "../../src/core/lib/log.js"
import { hrpOf } from "../../src/core/networks/names.js"
import { allSqlTables } from "../../src/core/sql/tables.js"
import { textsOf } from "../../src/core/sql/texts.js"
import { heightOf, tables } from "../../src/core/state/tables.js"
import { EMPTY_ID, idText } from "../../src/core/types/id.js"
import { publishedOverrides } from "../../src/datadir/openPublisher.js"
import { Publisher } from "../../src/postgres/publisher.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { privateEras } from "../execution/random/eras.js"
import { genesisOfChain } from "../execution/random/genesis.js"
import { PrivateRandomChain } from "../execution/random/privateChain.js"
import type { RandomChain } from "../execution/random/randomChain.js"
import { askOf } from "../fixtures/explorerAsk.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { testNode } from "../fixtures/rpcNode.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { LikeApi } from "./likeApi.js"

const first = seed("published random chains")

/** A random chain has no chains besides its own. */
const NO_CHAINS = { xChainID: EMPTY_ID, cChainID: EMPTY_ID, avaxAssetID: EMPTY_ID }

function publisherOf({ store, rules, genesis, genesisEdits }: RandomChain, url: string): Publisher {
  const hrp = hrpOf(rules.networkID)
  const row = {
    network_id: BigInt(rules.networkID),
    network: "local",
    genesis_id: idText(genesisOfChain.id),
    genesis: new Uint8Array(0),
    upgrades: "{}",
    rules: "{}",
    avax_asset_id: idText(rules.avaxAssetID),
    hrp,
    kind: "private",
    identity: "random",
  }
  const facts = { genesis, genesisEdits, rules, texts: textsOf(hrp) }
  return new Publisher({
    url,
    store,
    claim: { row, replaces: false },
    facts,
    canRevert: true,
    overridesOf: publishedOverrides,
    log: silentLog,
  })
}

/** Columns that the API does not have: the rows of read servers, and what only other chains have, which other tests compare. */
const NOT_IN_API: Readonly<Record<string, readonly string[] | "all">> = {
  ...{ chain: "all", removed_blocks: "all", overrides: "all", history: "all", snapshots: "all" },
  tip: ["reverts", "overrides", "overrides_id", "accrued_fee"],
  blocks: ["wrapper_id", "wrapper_head", "wrapper_tail", "warp_height"],
  // The balances of l1_validator_states, which are compared, follow from it.
  l1_validator_events: ["accrued_fee"],
}

/** Returns the columns that occur in no query whose rows were compared. */
function uncompared(queries: ReadonlySet<string>): Readonly<Record<string, readonly string[]>> {
  const left = allSqlTables.map(({ name, columns }) => {
    const own = [...queries].filter((query) => new RegExp(`serac\\.${name}\\b`).test(query))
    const missing = Object.keys(columns).filter((column) => !own.some((query) => new RegExp(`\\b${column}\\b`).test(query)))
    return [name, NOT_IN_API[name] === "all" ? [] : missing.filter((column) => !NOT_IN_API[name]?.includes(column))] as const
  })
  return Object.fromEntries(left.filter(([, missing]) => missing.length > 0))
}

describe("a published private chain says after every block what the API says", needsPostgres, () => {
  for (let i = 0; i < attempts(25, 5); i++) {
    const [era, upgrades, shapes] = privateEras[i % privateEras.length]!
    test(`random chain ${i} ${era}`, async () => {
      const { url, sql, close } = await newDatabase()
      onTestFinished(close)
      const made = new PrivateRandomChain(new Random(first + i), upgrades, shapes)
      const { store, rules } = made.chain
      const publisher = publisherOf(made.chain, url)
      onTestFinished(() => publisher.stop())
      publisher.start()
      /** Waits until the database has the last block and all overrides. */
      const reached = async () => {
        publisher.wake()
        const [overrides, id] = [publishedOverrides(store.latest).length, idText(store.latest.get(tables.lastAccepted, null)!.id)]
        for (;;) {
          const { problem } = publisher.status
          if (problem) throw problem
          const [tip] = await sql`select block_id, overrides from serac.tip`.catch(() => [])
          if (tip?.block_id === id && tip.overrides === BigInt(overrides)) return
        }
      }
      // A node without the answers of an earlier state.
      const compared = () => {
        const ask = askOf(testNode({ store, rules, genesis: NO_CHAINS, methods: platformMethods }))
        return new LikeApi({ sql, ask, hrp: hrpOf(rules.networkID), durango: rules.upgrades.times.durango })
      }
      await made.grow(20, async () => {
        await reached()
        const like = compared()
        await like.expectPresent()
        expect(uncompared(like.queries)).toEqual({})
      })
      expect([...made.occurred].filter(([, times]) => times === 0)).toEqual([])
      for (let height = 0n; height <= heightOf(store.latest); height++) await compared().expectAt(height)
    }, 300_000)
  }
})
