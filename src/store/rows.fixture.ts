import type { Random } from "../../test/fuzz/random.js"
import { toHex } from "../core/lib/bytes.js"
import { Diff } from "../core/state/diff.js"
import { tables } from "../core/state/tables.js"
import type { View } from "../core/state/view.js"
import { ADDRESS_SIZE, type Address } from "../core/types/address.js"
import { type ID, ID_SIZE } from "../core/types/id.js"
import type { Utxo } from "../core/types/utxo.js"

/** A few addresses, so that many rows share one. */
export const addresses = ["1a", "2b", "3c", "4d"].map((byte) => byte.repeat(ADDRESS_SIZE) as Address)

export const randomID = (random: Random): ID => toHex(random.bytes(ID_SIZE)) as ID

/** Makes a UTXO of some of the addresses, sometimes locked. */
export function randomUtxo(random: Random): Utxo {
  const owners = addresses.filter(() => random.below(3) === 0)
  const output = { kind: "TransferOutput", amount: random.u64(), locktime: 0n, threshold: 1, addresses: owners } as const
  const isLocked = random.below(8) === 0
  return {
    txID: randomID(random),
    outputIndex: random.below(4),
    assetID: randomID(random),
    output: isLocked ? { kind: "LockOut", locktime: 5n, output } : output,
  }
}

/**
 * Changes rows of the indexed tables and some others at random, as blocks would: rows are added, changed and deleted. There are few keys,
 * so that they recur.
 */
export function randomChanges(random: Random, state: View, changes: number): Diff {
  const diff = new Diff(state)
  const keys = Array.from({ length: 24 }, (_, i) => (i * 10 + 1).toString(16).padStart(2, "0").repeat(ID_SIZE) as ID)
  const [receiver, sender, subnetID] = [keys[0], keys[1], keys[2]] as [ID, ID, ID]
  const writes = [
    (key: ID) => write(diff, tables.utxos, key, randomUtxo(random), random),
    (key: ID) =>
      write(diff, tables.chains, key, { subnetID: random.pick([subnetID, sender]), chainName: "x", vmID: key }, random),
    (utxoID: ID) => {
      const traits = addresses.filter(() => random.below(2) === 0)
      write(diff, tables.atomicUtxos, { receiver, sender, utxoID }, { value: random.bytes(40), traits }, random)
    },
    (key: ID) => write(diff, tables.supplies, key, random.u64(), random),
    () => diff.put(tables.timestamp, null, random.u64()),
  ]
  for (let i = 0; i < changes; i++) random.pick(writes)(random.pick(keys))
  return diff
}

type Writable = Pick<Diff, "get" | "put" | "insert" | "delete">

function write<K, V>(diff: Writable, table: Parameters<typeof diff.put<K, V>>[0], key: K, value: V, random: Random): void {
  const isThere = diff.get(table, key) !== undefined
  if (random.below(3) === 0) diff.delete(table, key)
  else if (isThere || random.below(2) === 0) diff.put(table, key, value)
  else diff.insert(table, key, value)
}
