import { expect, test } from "vitest"
import { amountOf } from "../../../test/fixtures/amountOf.js"
import { Random } from "../../../test/fuzz/random.js"
import { decode, encode } from "../codec/decode.js"
import { bytesOfLatin1, hexOfLatin1, toHex } from "../lib/bytes.js"
import { MAX64 } from "../lib/math64.js"
import { ADDRESS_SIZE, type Address } from "./address.js"
import { toHexText } from "./hexText.js"
import { EMPTY_ID, type ID, ID_SIZE } from "./id.js"
import type { Output } from "./output.js"
import {
  AmountReader,
  outputIndexIn,
  packedUtxo,
  packUtxo,
  packUtxoBytes,
  txIDIn,
  utxoIDIn,
  utxoIn,
  withoutUtxoChecksum,
} from "./packedUtxo.js"
import { topLevelUtxo, type Utxo, utxoID } from "./utxo.js"

const random = new Random(1)
const anID = () => toHex(random.bytes(ID_SIZE)) as ID
const addresses = (count: number) => Array.from({ length: count }, () => toHex(random.bytes(ADDRESS_SIZE)) as Address).sort()

const numbers = [0n, 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 63n, MAX64]
const plain = (amount: bigint, locktime: bigint, owners: number) => ({
  kind: "TransferOutput" as const,
  amount,
  locktime,
  threshold: owners === 0 ? 0 : 1,
  addresses: addresses(owners),
})

/** Every kind of output with few and many owners, and numbers of all sizes. */
function* outputs(): Iterable<Output> {
  for (const owners of [0, 1, 2, 16, 300]) {
    for (const number of numbers) {
      yield plain(number, random.pick(numbers), owners)
      yield { kind: "LockOut", locktime: random.pick(numbers), output: plain(number, random.pick(numbers), owners) }
    }
  }
}

const utxos: readonly Utxo[] = [...outputs()].flatMap((output) => [
  { txID: anID(), outputIndex: random.below(2 ** 31) * 2 + 1, assetID: anID(), output },
  { txID: EMPTY_ID, outputIndex: 0, assetID: EMPTY_ID, output },
])

test("a packed UTXO has the bytes that the API shows", () => {
  for (const utxo of utxos) {
    const packed = packUtxo(utxo)
    const plain = encode(topLevelUtxo, utxo)
    expect(`0x${hexOfLatin1(packed)}`).toBe(toHexText(plain))
    expect(bytesOfLatin1(withoutUtxoChecksum(packed))).toEqual(plain)
    expect(packUtxoBytes(plain)).toBe(packed)
  }
})

test("a UTXO is the same when it was stored", () => {
  for (const utxo of utxos) {
    const packed = packUtxo(utxo)
    const stored = encode(packedUtxo, packed)
    expect([stored, utxoIn(decode(packedUtxo, stored))]).toEqual([bytesOfLatin1(packed), utxo])
  }
})

test("the fields of a UTXO that are read from the packed one are those of the decoded UTXO", () => {
  const reader = new AmountReader()
  for (const utxo of utxos) {
    const packed = packUtxo(utxo)
    expect(reader.read(packed)).toEqual(amountOf(utxo))
    expect([txIDIn(packed), outputIndexIn(packed)]).toEqual([utxo.txID, utxo.outputIndex])
    expect(utxoIDIn(packed)).toBe(utxoID(utxo.txID, utxo.outputIndex))
  }
})
