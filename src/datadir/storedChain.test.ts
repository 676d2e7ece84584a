import { expect, test } from "vitest"
import { configToJson } from "../core/genesis/configJson.js"
import { localConfig } from "../core/genesis/local.js"
import { printJson } from "../core/lib/json.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import { nodeTables, tablesBesideChain } from "./nodeTables.js"
import { openCopy, storedChain } from "./storedChain.js"

const NETWORK = 9_876
const START = 1_794_600_000n

const textOf = (message: string): string => printJson(configToJson({ ...localConfig(NETWORK, START), message }))

function open(store: MemoryStore, genesisText: string) {
  return openCopy(store, { networkID: NETWORK, genesisText, now: START + 1000n })
}

test("a chain opens again with its genesis file", () => {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const [created, reopened] = [open(store, textOf("one")), open(store, textOf("one"))]
  expect([created.isNew, reopened.isNew]).toEqual([true, false])
  expect(reopened.genesis.block.id).toBe(created.genesis.block.id)
})

test("a store whose first start was ended before its genesis was written has no chain to read, and gets one at the next start", () => {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  expect(() => storedChain(store)).toThrow(expect.objectContaining({ code: "node.no_chain" }))
  const { genesis } = open(store, textOf("one"))
  expect(storedChain(store).genesis.block.id).toBe(genesis.block.id)
})

test("a changed genesis file is refused, and a differently written one with the same content is not", () => {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const created = open(store, textOf("one"))
  // A genesis whose proofs do not hold may be replaced.
  store.putMeta({ unprovenGenesis: undefined })
  expect(() => open(store, textOf("two"))).toThrow(expect.objectContaining({ code: "node.other_genesis" }))
  const spaced = open(store, `${textOf("one")}\n`)
  expect(spaced.genesis.block.id).toBe(created.genesis.block.id)
})
