import { describe, expect, test } from "vitest"
import { encode } from "../../src/core/codec/decode.js"
import { toHex } from "../../src/core/lib/bytes.js"
import { neverPausing } from "../../src/core/lib/pace.js"
import { hrpOf } from "../../src/core/networks/names.js"
import { historyTables } from "../../src/core/readmodel/historyTables.js"
import { rowsFrom } from "../../src/core/sql/blockRows.js"
import { ownerCache } from "../../src/core/sql/rowContext.js"
import { sqlTables } from "../../src/core/sql/tables.js"
import { textsOf } from "../../src/core/sql/texts.js"
import { type AnyPrimaryTable, isPrimary } from "../../src/core/state/table.js"
import { genesisEdits } from "../../src/datadir/storedChain.js"
import { goldenChains } from "../fixtures/goldenChain.js"
import { goldenTip } from "../fixtures/readModel.js"

describe.each(goldenChains)("%s", (folder) => {
  const { store, genesis, rules } = goldenTip(folder)

  /** The published rows as `number key value`, from parts of `blocks` blocks; a row that is written again has its last value. */
  async function published(blocks: number): Promise<string[]> {
    const options = {
      texts: textsOf(hrpOf(rules.networkID)),
      limits: { blocks, size: 1 << 24 },
      owners: ownerCache(),
      genesis,
      genesisEdits: genesisEdits({ genesis, rules }),
      avaxAssetID: rules.avaxAssetID,
      upgrades: rules.upgrades,
      rules,
    }
    const rows = new Map<string, { readonly height: bigint; readonly value: string }>()
    for (let from = 0n; ; ) {
      const part = await rowsFrom(store.latest, from, options, neverPausing)
      if (!part) break
      for (const [table, bytes] of part.rows.tables()) {
        if (table !== sqlTables.history) continue
        for (const line of Buffer.from(bytes).toString().trimEnd().split("\n")) {
          const [number, key, height, value] = line.replaceAll("\\\\x", "").split("\t") as [string, string, string, string]
          const place = `${number} ${key}`
          const at = BigInt(height)
          expect(at <= part.last.height).toBe(true)
          const before = rows.get(place)
          if (!before || before.height <= at) rows.set(place, { height: at, value })
        }
      }
      from = part.last.height + 1n
    }
    return [...rows].map(([place, { value }]) => `${place} ${value}`).sort()
  }

  const expected = [...historyTables].flatMap(([table, number]) =>
    rowsOf(table as AnyPrimaryTable).map(([key, value]) => `${number} ${key} ${value}`),
  )

  function rowsOf(table: AnyPrimaryTable): [string, string][] {
    expect(isPrimary(table)).toBe(true)
    return [...store.latest.rows(table)].map(([key, value]) => [table.key.toText(key), toHex(encode(table.value, value))])
  }

  test.each([1, 7, 100_000])("the rows of parts of %i blocks are all rows of the tables that grow", async (blocks) => {
    expect(await published(blocks)).toEqual(expected.toSorted())
  })
})
