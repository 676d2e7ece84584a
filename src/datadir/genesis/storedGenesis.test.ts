import { expect, test } from "vitest"
import { decodeGenesis, type Genesis } from "../../core/genesis/genesis.js"
import { genesisFor } from "../../platform/genesis.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import { nodeTables, tablesBesideChain } from "../nodeTables.js"
import { genesisFactsText, hasBuiltInValidators, isOfGenesisFile, storedGenesis } from "./storedGenesis.js"

const genesis = genesisFor({ networkID: 12345, now: 0n, maxStakeDuration: 31_536_000n })
const other = genesisFor({ networkID: 1337, now: 0n, maxStakeDuration: 31_536_000n })

function storeWith(fileText?: string) {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const genesisFacts = genesisFactsText(genesis, fileText)
  store.putMeta({ genesis: genesis.bytes(), genesisID: genesis.block.id, genesisFacts })
  return store
}

const membersOf = (of: Genesis) => ({ ...of, bytes: of.bytes(), body: of.body() })

test("a stored genesis equals the one decoded from its bytes, in every member", () => {
  const decoded = decodeGenesis(genesis.bytes())
  expect(membersOf(storedGenesis(storeWith()))).toEqual(membersOf(decoded))
  const store = storeWith()
  store.putMeta({ genesisFacts: undefined })
  expect(membersOf(storedGenesis(store))).toEqual(membersOf(decoded))
})

test("the stored facts of a genesis are not used for another genesis that replaced it", () => {
  const store = storeWith("a file")
  const [before, unread] = [storedGenesis(store), storedGenesis(store)]
  expect(before.bytes()).toEqual(genesis.bytes())
  store.putMeta({ genesis: other.bytes(), genesisID: other.block.id })
  expect(membersOf(storedGenesis(store))).toEqual(membersOf(decodeGenesis(other.bytes())))
  expect(isOfGenesisFile(store, "a file")).toBe(false)
  expect(before.body().validators.map(({ id }) => id)).toEqual(genesis.body().validators.map(({ id }) => id))
  expect(() => unread.bytes()).toThrow("the store has another chain")
})

test("a genesis file is recognised by its text", () => {
  expect(["a file", "a file ", ""].map((text) => isOfGenesisFile(storeWith("a file"), text))).toEqual([true, false, false])
  expect(isOfGenesisFile(storeWith(), "a file")).toBe(false)
})

test("a store remembers whether its genesis has built-in validators, so that the genesis is decoded once", () => {
  const store = storeWith()
  const body = (): never => {
    throw new Error("the genesis was decoded")
  }
  const notDecoded = { ...genesis, body }
  expect(hasBuiltInValidators(store, notDecoded)).toBe(true)
})
