import { expect, test } from "vitest"
import { upgradesFor } from "../core/networks/index.js"
import { UNSCHEDULED, type Upgrades, upTo } from "../core/networks/upgrades.js"
import { Diff } from "../core/state/diff.js"
import { tables } from "../core/state/tables.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import { keepUpgrades, upgradesOfChain, upgradesText } from "./upgradesOfChain.js"

const HELICON = 1_790_089_200n
const mainnet = upgradesFor(1)
/** Mainnet's schedule as a version before Helicon wrote it down. */
const before: Upgrades = { ...mainnet, times: { ...mainnet.times, helicon: UNSCHEDULED } }

function storeWith(upgrades: Upgrades, chainTime: bigint): MemoryStore {
  const store = new MemoryStore()
  const diff = new Diff(store.latest)
  diff.put(tables.timestamp, null, chainTime)
  store.commit(diff.edits, { meta: { upgrades: upgradesText(upgrades) } })
  return store
}

test("a private chain keeps the upgrade schedule it was made with, also when new chains have another", () => {
  for (const upgrades of [upTo("granite"), upTo("helicon")]) {
    expect(upgradesOfChain(storeWith(upgrades, HELICON), 12345)).toEqual(upgrades)
  }
})

test("Mainnet's chain follows an upgrade that was scheduled after it was begun", () => {
  const store = storeWith(before, HELICON - 1n)
  expect(upgradesOfChain(store, 1)).toBe(mainnet)
  keepUpgrades(store, 1)
  expect(store.getMeta("upgrades")).toBe(upgradesText(mainnet))
  expect(upgradesOfChain(storeWith(mainnet, HELICON), 1)).toBe(mainnet)
})

test("a Mainnet chain that passed an upgrade under the older rules is read by those rules, and not extended", () => {
  const store = storeWith(before, HELICON)
  expect(upgradesOfChain(store, 1)).toEqual(before)
  expect(() => keepUpgrades(store, 1)).toThrow(
    expect.objectContaining({ code: "node.missed_upgrade", data: { network: "mainnet", upgrade: "helicon" } }),
  )
})
