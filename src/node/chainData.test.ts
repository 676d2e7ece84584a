import { expect, test } from "vitest"
import { configToJson } from "../core/genesis/configJson.js"
import { localConfig } from "../core/genesis/local.js"
import { printJson } from "../core/lib/json.js"
import { MemoryStore } from "../store/memoryStore.js"
import { openChainData } from "./chainData.js"
import type { GenesisFile } from "./genesis/genesisFile.js"
import { nodeTables, tablesBesideChain } from "./nodeTables.js"

const NETWORK = 9_876
const START = 1_794_600_000n

const textOf = (message: string): string => printJson(configToJson({ ...localConfig(NETWORK, START), message }))

function open(store: MemoryStore, genesisText: string | GenesisFile) {
  return openChainData(store, { networkID: NETWORK, genesisText, now: START + 1000n })
}

test("a chain opens again with its genesis file, which is not read while it has the same mark", () => {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const text = textOf("one")
  const created = open(store, { mark: "1", text: () => text })
  const unread = () => {
    throw new Error("the file was read")
  }
  const reopened = open(store, { mark: "1", text: unread })
  expect([created.isNew, reopened.isNew]).toEqual([true, false])
  expect(reopened.genesis.block.id).toBe(created.genesis.block.id)
  expect(() => open(store, { mark: "2", text: unread })).toThrow("the file was read")
})

test("a changed genesis file is refused, and a differently written one with the same content is not", () => {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const created = open(store, { mark: "1", text: () => textOf("one") })
  // A genesis whose proofs do not hold may be replaced.
  store.putMeta({ unprovenGenesis: undefined })
  expect(() => open(store, { mark: "2", text: () => textOf("two") })).toThrow(
    expect.objectContaining({ code: "node.other_genesis" }),
  )
  expect(() => open(store, textOf("two"))).toThrow(expect.objectContaining({ code: "node.other_genesis" }))
  const spaced = open(store, { mark: "3", text: () => `${textOf("one")}\n` })
  expect(spaced.genesis.block.id).toBe(created.genesis.block.id)
})
