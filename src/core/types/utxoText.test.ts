import { expect, test } from "vitest"
import { Random } from "../../../test/strangers/random.js"
import { decode, encode } from "../codec/decode.js"
import { toHex } from "../lib/bytes.js"
import { MAX64 } from "../lib/math64.js"
import { ADDRESS_SIZE, type Address } from "./address.js"
import { toHexText } from "./hexText.js"
import { EMPTY_ID, type ID, ID_SIZE, idText } from "./id.js"
import { type Output, unlocked } from "./output.js"
import { topLevelUtxo, type Utxo, utxoID } from "./utxo.js"
import {
  addressesIn,
  assetIDIn,
  coinIn,
  hexIn,
  outputIndexIn,
  txIDIn,
  uncheckedHexIn,
  utxoIDIn,
  utxoText,
  utxoTextOf,
} from "./utxoText.js"

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

test("a text is what the API shows of a UTXO", () => {
  for (const utxo of utxos) {
    const text = utxoTextOf(utxo)
    const bytes = encode(topLevelUtxo, utxo)
    expect([txIDIn(text), `0x${hexIn(text)}`, `0x${uncheckedHexIn(text)}`]).toEqual([
      idText(utxo.txID),
      toHexText(bytes),
      toHexText(bytes, "hexnc"),
    ])
  }
})

test("what is read from a text is what the UTXO has", () => {
  for (const utxo of utxos) {
    const text = utxoTextOf(utxo)
    const inner = unlocked(utxo.output)
    const { high, low, locktime, stakeableLocktime } = coinIn(text)
    expect([outputIndexIn(text), assetIDIn(text), addressesIn(text)]).toEqual([utxo.outputIndex, utxo.assetID, inner.addresses])
    expect(utxoIDIn(text)).toBe(utxoID(utxo.txID, utxo.outputIndex))
    expect((BigInt(high) << 32n) + BigInt(low)).toBe(inner.amount)
    expect(locktime).toBe(Number(inner.locktime))
    expect(stakeableLocktime).toBe(utxo.output.kind === "LockOut" ? Number(utxo.output.locktime) : 0)
  }
})

test("a text is the same when it was stored", () => {
  for (const utxo of utxos) {
    const text = utxoTextOf(utxo)
    const bytes = encode(utxoText, text)
    expect([decode(utxoText, bytes), bytes.length]).toEqual([text, text.length])
  }
})
