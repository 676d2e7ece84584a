import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Diff } from "../src/core/state/diff.js"
import { TxStatus, tables } from "../src/core/state/tables.js"
import { valuesOf } from "../src/core/state/view.js"
import type { Address } from "../src/core/types/address.js"
import type { ID } from "../src/core/types/id.js"
import type { Utxo } from "../src/core/types/utxo.js"
import { openLmdbStore } from "../src/store/lmdb/openLmdbStore.js"
import { MemoryStore } from "../src/store/memory/memoryStore.js"
import type { Store } from "../src/store/store.js"
import type { Bench, Work } from "./harness.js"

let chance = randomBytes(0)
let used = 0

/** A new ID; cheap, since it is not measured. */
function freshID(): ID {
  if (used >= chance.length) {
    chance = randomBytes(32 * 4096)
    used = 0
  }
  used += 32
  return chance.toString("hex", used - 32, used) as ID
}

const addresses = Array.from({ length: 1000 }, () => freshID().slice(0, 40) as Address)
const assetID = freshID()
const txBytes = new Uint8Array(300)
const blockBytes = new Uint8Array(400)

/** A store with many UTXOs, and the IDs of those that are unspent. */
interface FilledStore {
  readonly store: Store
  readonly unspent: ID[]
  height: bigint
}

const openers = { memory: () => new MemoryStore(), lmdb: openOnDisk }
type Kind = keyof typeof openers
const filled = new Map<string, FilledStore>()

function openOnDisk(): Store {
  const dir = mkdtempSync(join(tmpdir(), "serac-bench-"))
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }))
  return openLmdbStore({ dir })
}

/** Makes the store once for all benches that use it. */
function storeWith(kind: Kind, utxos: number): FilledStore {
  const found = filled.get(`${kind} ${utxos}`)
  if (found) return found
  const made: FilledStore = { store: openers[kind](), unspent: [], height: 0n }
  while (made.unspent.length < utxos) {
    const diff = new Diff(made.store.latest)
    for (let i = 0; i < Math.min(utxos, 25_000); i++) produce(diff, made)
    made.store.commit(diff.edits)
  }
  filled.set(`${kind} ${utxos}`, made)
  return made
}

function produce(diff: Diff, { unspent }: FilledStore): void {
  const id = freshID()
  const owner = addresses[unspent.length % addresses.length] as Address
  const output = { kind: "TransferOutput", amount: 1_000_000n, locktime: 0n, threshold: 1, addresses: [owner] } as const
  const utxo: Utxo = { txID: freshID(), outputIndex: 0, assetID, output }
  diff.insert(tables.utxos, id, utxo)
  unspent.push(id)
}

/** The changes of a block with one small transaction: one UTXO removed, two added, and the block's own rows. */
function writeBlock(diff: Diff, made: FilledStore): void {
  const spent = Math.floor(Math.random() * made.unspent.length)
  diff.delete(tables.utxos, made.unspent[spent] as ID)
  made.unspent[spent] = made.unspent.pop() as ID
  produce(diff, made)
  produce(diff, made)
  const id = freshID()
  made.height++
  diff.insert(tables.txs, freshID(), { status: TxStatus.committed, height: made.height, bytes: txBytes })
  diff.insert(tables.blocks, id, blockBytes)
  diff.insert(tables.blockIDs, made.height, id)
  diff.put(tables.lastAccepted, null, { id, height: made.height })
  diff.put(tables.timestamp, null, made.height)
  diff.put(tables.gas, null, { capacity: made.height, excess: 0n })
}

function committing(kind: Kind, utxos: number, blocks: number): Work {
  const made = storeWith(kind, utxos)
  const run = () => {
    const diff = new Diff(made.store.latest)
    for (let i = 0; i < blocks; i++) writeBlock(diff, made)
    made.store.commit(diff.edits)
  }
  return blocks === 1 ? { run } : { run, note: `${blocks.toLocaleString("en")} a commit` }
}

function getting(kind: Kind, utxos: number): Work {
  const { store, unspent } = storeWith(kind, utxos)
  return { run: () => store.latest.get(tables.utxos, unspent[Math.floor(Math.random() * unspent.length)] as ID) }
}

function walking(kind: Kind, utxos: number): Work {
  const { store } = storeWith(kind, utxos)
  const run = () => {
    const view = store.view()
    const owner = addresses[Math.floor(Math.random() * addresses.length)] as Address
    let found = 0
    for (const _ of valuesOf(view.rows(tables.utxosByOwner, { under: { owner } }))) {
      if (++found === 100) break
    }
    view.release()
    return found
  }
  return { run, note: "at most 100" }
}

const sizes = [10_000, 1_000_000]
const kinds: readonly Kind[] = ["memory", "lmdb"]
const of = (utxos: number) => `${utxos.toLocaleString("en")} UTXOs`

/** The stores: committing what blocks change, and reading, as the number of UTXOs grows. */
export const store: readonly Bench[] = kinds.flatMap((kind) =>
  sizes.flatMap((utxos): Bench[] => [
    { name: `store: ${kind}, ${of(utxos)}, get one`, prepare: () => getting(kind, utxos) },
    { name: `store: ${kind}, ${of(utxos)}, those of an address`, prepare: () => walking(kind, utxos) },
    { name: `store: ${kind}, ${of(utxos)}, a block`, prepare: () => committing(kind, utxos, 1) },
    { name: `store: ${kind}, ${of(utxos)}, blocks`, prepare: () => committing(kind, utxos, 5000) },
  ]),
)
