import { expect, test } from "vitest"
import { encode } from "../codec/decode.js"
import { compareBytes } from "../lib/bytes.js"
import type { Address } from "./address.js"
import { type ID, idOfName } from "./id.js"
import { compareOutputs, type Output, output, type TransferableOutput } from "./output.js"

const assets: readonly ID[] = [idOfName("a"), idOfName("b")]
const addresses = ["00".repeat(20), `${"00".repeat(19)}7f`, `80${"00".repeat(19)}`, "ff".repeat(20)] as Address[]

/** Outputs whose members are small, large, and equal in every combination. */
function* outputs(): Iterable<TransferableOutput> {
  for (const assetID of assets)
    for (const each of transfers()) yield* [each, locked(each, 1n), locked(each, 256n)].map((made) => ({ assetID, output: made }))
}

const locked = (output: Extract<Output, { kind: "TransferOutput" }>, locktime: bigint): Output => ({
  kind: "LockOut",
  locktime,
  output,
})

function* transfers(): Iterable<Extract<Output, { kind: "TransferOutput" }>> {
  for (const amount of [1n, 255n, 256n, 2n ** 63n])
    for (const locktime of [0n, 2n ** 40n])
      for (const threshold of [1, 256])
        for (const owners of [[], addresses.slice(0, 1), addresses.slice(1, 2), addresses.slice(2), addresses])
          yield { kind: "TransferOutput", amount, locktime, threshold, addresses: owners }
}

test("outputs are compared as the bytes of asset and output are", () => {
  const all = [...outputs()]
  const bytes = all.map((each) => encode(output, each.output))
  for (const [i, a] of all.entries()) {
    for (const [j, b] of all.entries()) {
      const expected = a.assetID === b.assetID ? compareBytes(bytes[i]!, bytes[j]!) : a.assetID < b.assetID ? -1 : 1
      if (Math.sign(compareOutputs(a, b)) !== Math.sign(expected))
        expect.fail(`${i} and ${j} are not compared as their bytes are`)
    }
  }
})
