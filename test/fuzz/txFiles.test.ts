import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { reviewTxFile } from "../../src/client/txFile/reviewTxFile.js"
import { combineTxFiles, signedTxOfFile, signTxFile } from "../../src/client/txFile/txFile.js"
import { Invalid, valueOrInvalid } from "../../src/core/lib/invalid.js"
import { fromHexText, toHexText } from "../../src/core/types/hexText.js"
import { parsePrivateKey } from "../../src/core/types/privateKey.js"
import { root } from "../sources.js"
import { attempts, Random, seed } from "./random.js"

interface Vector {
  readonly unsigned: Json
  readonly signed: readonly Json[]
}
type Json = { readonly unsignedTx: string; readonly utxos: readonly string[]; readonly signatures: readonly object[] }

const vectors: readonly Vector[] = JSON.parse(readFileSync(join(root, "test/clients/txFiles.json"), "utf8"))
const secret = parsePrivateKey("PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN")

/** Hex with a right checksum of bytes of which some are wrong. */
function damaged(text: string, random: Random): string {
  const bytes = fromHexText(text).slice()
  for (let i = 0; i <= random.below(3); i++) bytes[random.below(bytes.length)] = random.below(256)
  return toHexText(random.below(8) === 0 ? bytes.subarray(0, random.below(bytes.length)) : bytes)
}

/** A file with damage inside its bytes, its UTXOs or its text. */
function spoiled(file: Json, random: Random): unknown {
  const utxos = file.utxos.map((utxo) => (random.below(3) === 0 ? damaged(utxo, random) : utxo))
  switch (random.below(5)) {
    case 0:
      return { ...file, unsignedTx: damaged(file.unsignedTx, random) }
    case 1:
      return { ...file, utxos }
    case 2:
      return { ...file, utxos: utxos.slice(random.below(2)), signatures: random.below(2) ? [] : [...file.signatures, []] }
    case 3:
      return { ...file, unsignedTx: damaged(file.unsignedTx, random), utxos, chain: random.pick(["P", "C", "X", null]) }
    default: {
      const text = JSON.stringify(file)
      const at = random.below(text.length)
      const other = text.slice(0, at) + random.pick(["0", "f", '"', "]", "null", "P", "é", ""]) + text.slice(at + 1)
      try {
        return JSON.parse(other)
      } catch {
        return other
      }
    }
  }
}

test("a damaged transaction file is refused, or reviewed and signed as what it is: it never ends a program", {
  timeout: 600_000,
}, () => {
  const random = new Random(seed("transaction files"))
  let [refused, taken] = [0, 0]
  for (let i = 0; i < attempts(20_000); i++) {
    const { unsigned, signed } = random.pick(vectors)
    const file = spoiled(random.pick([unsigned, ...signed]), random) as never
    const steps = [
      () => reviewTxFile(file, { now: 1_900_000_000n, known: [] }),
      () => signTxFile(file, secret),
      () => combineTxFiles([file, unsigned as never]),
      () => signedTxOfFile(file),
    ]
    const [review] = steps.map((step) => valueOrInvalid<unknown>(step))
    if (review instanceof Invalid) refused++
    else taken++
  }
  expect(refused).toBeGreaterThan(taken)
  expect(taken).toBeGreaterThan(0)
})
