import { expect, test } from "vitest"
import { readStore } from "../../../test/fixtures/readModel.js"
import { AVAX, addressOfByte } from "../../../test/fixtures/txs.js"
import { addUtxo } from "../rules/spend.js"
import { Diff } from "../state/diff.js"
import { tables } from "../state/tables.js"
import type { Address } from "../types/address.js"
import { type ID, idOf } from "../types/id.js"
import { type Utxo, utxoID } from "../types/utxo.js"
import { listedOwners } from "./ownerGroups.js"
import { type UtxoPlace, utxoPage, utxoPages } from "./utxos.js"

type MemoryStore = ReturnType<typeof readStore>

const addresses = [0x11, 0x22, 0x33, 0x44].map(addressOfByte)

/** Numbers that look random and are the same every time. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** Adds a UTXO of some of the addresses, and returns its ID. */
function add(store: MemoryStore, number: number, owners: readonly Address[]): ID {
  const diff = new Diff(store.latest)
  const txID = idOf(Buffer.from(`${number}`))
  const output = { kind: "TransferOutput" as const, amount: 1n, locktime: 0n, threshold: 1, addresses: owners }
  addUtxo({ diff }, { txID, outputIndex: 0, assetID: AVAX, output })
  listedOwners(diff, owners)
  store.commit(diff.edits)
  return utxoID(txID, 0)
}

function spend(store: MemoryStore, id: ID): void {
  const diff = new Diff(store.latest)
  diff.delete(tables.utxos, id)
  store.commit(diff.edits)
}

const idOfUtxo = ({ txID, outputIndex }: Utxo): ID => utxoID(txID, outputIndex)

/** All pages one after the other; `between` is called after each. */
function allPages(store: MemoryStore, asked: readonly Address[], limit: number, between: () => void = () => {}): ID[] {
  const ids: ID[] = []
  for (let after: UtxoPlace | undefined; ; ) {
    const { utxos, end } = utxoPage(store.latest, { addresses: asked, limit, ...(after ? { after } : {}) })
    ids.push(...utxos.map(idOfUtxo))
    expect(utxos.length).toBeLessThanOrEqual(limit)
    if (utxos.length < limit) return ids
    after = end as UtxoPlace
    between()
  }
}

test("pages contain every UTXO once, for every page size and shared owners", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const next = random(seed)
    const store = readStore()
    const all: [ID, readonly Address[]][] = []
    for (let i = 0; i < 30; i++) {
      const owners = addresses.filter(() => next(3) === 0)
      all.push([add(store, i, owners), owners])
    }
    for (const asked of [addresses, addresses.slice(1, 3), [addresses[2] as Address]]) {
      const expected = all.filter(([, owners]) => owners.some((each) => asked.includes(each))).map(([id]) => id)
      for (const limit of [1, 2, 5, 7, 100]) {
        const got = allPages(store, asked, limit)
        expect([seed, limit, [...got].sort()]).toEqual([seed, limit, [...expected].sort()])
      }
      expect([...utxoPages(store.latest, asked)].flat().map(idOfUtxo)).toEqual(allPages(store, asked, 3))
    }
  }
})

test("a UTXO that stays is neither lost nor repeated while others are added and removed", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const next = random(seed)
    const store = readStore()
    const some = () => addresses.filter(() => next(2) === 0)
    const lasting = Array.from({ length: 20 }, (_, i) => add(store, i, [addresses[i % 4] as Address, ...some()].sort()))
    const passing = Array.from({ length: 20 }, (_, i) => add(store, 100 + i, some()))
    let added = 1000
    const got = allPages(store, addresses, 1 + next(4), () => {
      const gone = passing.pop()
      if (gone) spend(store, gone)
      if (added < 1020) add(store, added++, some())
    })
    expect([...new Set(got)]).toEqual(got)
    expect(lasting.filter((id) => !got.includes(id))).toEqual([])
  }
})

test("the end of a page is the last place that was looked at", () => {
  const store = readStore()
  const [a, b, c] = addresses as [Address, Address, Address]
  const first = add(store, 1, [a])
  const page = (asked: readonly Address[], after?: UtxoPlace) =>
    utxoPage(store.latest, { addresses: asked, limit: 10, ...(after ? { after } : {}) }).end
  expect(page([a])).toEqual({ address: a, utxoID: first })
  expect(page([a, b])).toEqual({ address: b, utxoID: first })
  expect(page([b, c])).toEqual({ address: c })
  expect(page([a], { address: a, utxoID: first })).toEqual({ address: a, utxoID: first })
})

test("a UTXO of more than 8 owners is listed once, and each of them finds it among its others", () => {
  const store = readStore()
  const many = Array.from({ length: 12 }, (_, i) => addressOfByte(0x11 + i))
  const shared = [1, 2, 3].map((number) => add(store, number, many))
  const own = [4, 5].map((number) => add(store, number, [many[7] as Address]))
  expect([...store.latest.rows(tables.utxosByOwner)]).toHaveLength(5)
  expect(allPages(store, [many[7] as Address], 2)).toEqual([...shared, ...own].sort())
  expect(allPages(store, [many[0] as Address], 2)).toEqual([...shared].sort())
  expect(allPages(store, many, 2).sort()).toEqual([...shared, ...own].sort())
  spend(store, shared[1] as ID)
  expect(allPages(store, [many[3] as Address], 1)).toEqual([shared[0], shared[2]].sort())
})
