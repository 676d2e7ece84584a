import { expect, test } from "vitest"
import { genesisFor } from "../core/genesis/forNetwork.js"
import { decodeGenesis } from "../core/genesis/genesis.js"
import { MemoryStore } from "../store/memoryStore.js"
import { genesisFactsText, isOfGenesisFile, keptGenesis } from "./keptGenesis.js"
import { nodeTables, tablesBesideChain } from "./nodeTables.js"

const genesis = genesisFor({ networkID: 12345, now: 0n, maxStakeDuration: 31_536_000n })
const other = genesisFor({ networkID: 1337, now: 0n, maxStakeDuration: 31_536_000n })

function storeWith(fileText?: string) {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const genesisFacts = genesisFactsText(genesis, fileText)
  store.putMeta({ genesis: genesis.bytes, genesisID: genesis.block.id, genesisFacts })
  return store
}

test("a genesis that was kept is the one that its bytes are, in every member", () => {
  const decoded = decodeGenesis(genesis.bytes)
  expect({ ...keptGenesis(storeWith()) }).toEqual(decoded)
  const store = storeWith()
  store.putMeta({ genesisFacts: undefined })
  expect(keptGenesis(store)).toEqual(decoded)
})

test("the facts of a genesis are not taken for those of another one that took its place", () => {
  const store = storeWith("a file")
  const before = keptGenesis(store)
  store.putMeta({ genesis: other.bytes, genesisID: other.block.id })
  expect(keptGenesis(store)).toEqual(decodeGenesis(other.bytes))
  expect(isOfGenesisFile(store, "a file")).toBe(false)
  expect(before.validators.map(({ id }) => id)).toEqual(genesis.validators.map(({ id }) => id))
})

test("a genesis file is known again by its text", () => {
  expect(["a file", "a file ", ""].map((text) => isOfGenesisFile(storeWith("a file"), text))).toEqual([true, false, false])
  expect(isOfGenesisFile(storeWith(), "a file")).toBe(false)
})
