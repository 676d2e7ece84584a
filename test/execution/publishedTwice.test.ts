import { expect, test } from "vitest"
import { type BlockBody, blockOf } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { neverPausing } from "../../src/core/lib/pace.js"
import { explorerTables } from "../../src/core/readmodel/explorer/tables.js"
import { project } from "../../src/core/readmodel/fold.js"
import { EXPLORER_VERSION } from "../../src/core/readmodel/versions.js"
import { rowsFrom } from "../../src/core/sql/blockRows.js"
import { ownerCache } from "../../src/core/sql/rowContext.js"
import { textsOf } from "../../src/core/sql/texts.js"
import { tables } from "../../src/core/state/tables.js"
import { idText } from "../../src/core/types/id.js"
import { nodeTables } from "../../src/datadir/nodeTables.js"
import { allRows } from "../../src/store/maintenance/copyRows.js"
import { MemoryStore } from "../../src/store/memory/memoryStore.js"
import { signTx } from "../fixtures/keys.js"
import { NOW, smallRules, smallState } from "../fixtures/smallChain.js"
import { idOfByte } from "../fixtures/txs.js"

test("an AdvanceTimeTx that was aborted and proposed again is published twice, with keys of its own", async () => {
  const rules = smallRules("apricotPhase5")
  const state = smallState()
  state.put(tables.timestamp, null, NOW - 3600n)
  state.put(explorerTables.progress, null, { version: EXPLORER_VERSION, height: 10n, time: NOW, isPaused: false })
  const store = new MemoryStore({ tables: nodeTables })
  store.commit(allRows(state, nodeTables))
  const chain = new Chain({ rules, state: store, project })
  const tx = signTx({ kind: "AdvanceTimeTx", time: NOW - 60n }, [])
  let parentID = idOfByte(0xee)
  const bodies = ["ApricotAbortBlock", "ApricotCommitBlock"].flatMap((kind) => [{ kind: "ApricotProposalBlock", tx }, { kind }])
  for (const [i, body] of bodies.entries()) {
    const block = blockOf({ ...body, parentID, height: 11n + BigInt(i) } as BlockBody)
    chain.verify(block, { now: NOW })
    chain.accept(block.id)
    parentID = block.id
  }
  chain.flush()
  const facts = { genesis: { timestamp: 0n, utxos: [], validators: [], chains: [] }, genesisEdits: new Map(), rules }
  const options = { ...facts, texts: textsOf("local"), owners: ownerCache(), limits: { blocks: 100, size: 1 << 20 } } as never
  const part = await rowsFrom(store.latest, 11n, options, neverPausing)
  const published = [...(part?.rows.tables() ?? [])].find(([table]) => table.name === "txs")
  const [table, bytes] = published ?? []
  const rows = Buffer.from(bytes ?? [])
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => Object.fromEntries(line.split("\t").map((value, i) => [Object.keys(table?.columns ?? {})[i], value])))
  expect(rows.map(({ height, status }) => [height, status])).toEqual([
    ["11", "Aborted"],
    ["13", "Committed"],
  ])
  const keys = rows.map((row) => table?.primaryKey.map((column) => row[column]).join())
  expect(keys).toEqual([`${idText(tx.id)},11`, `${idText(tx.id)},13`])
})
