import { expect, test } from "vitest"
import { signTx } from "../../../test/fixtures/keys.js"
import { NOW, smallRules, smallState } from "../../../test/fixtures/smallChain.js"
import { idOfByte } from "../../../test/fixtures/txs.js"
import { nodeTables } from "../../chaindata/nodeTables.js"
import { allRows } from "../../store/maintenance/copyRows.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import { type BlockBody, blockOf } from "../blocks/block.js"
import { Chain } from "../chain/chain.js"
import { neverPausing } from "../lib/pace.js"
import { explorerTables } from "../readmodel/explorer/tables.js"
import { project } from "../readmodel/fold.js"
import { EXPLORER_VERSION } from "../readmodel/versions.js"
import { tables } from "../state/tables.js"
import { idText } from "../types/id.js"
import { rowsFrom } from "./blockRows.js"
import { ownerCache } from "./rowContext.js"
import { textsOf } from "./texts.js"

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
    ["11", "aborted"],
    ["13", "committed"],
  ])
  const keys = rows.map((row) => table?.primaryKey.map((column) => row[column]).join())
  expect(keys).toEqual([`${idText(tx.id)},11`, `${idText(tx.id)},13`])
})
