import { describe, expect, test } from "vitest"
import { unmarshalText } from "../../src/core/codec/errors.js"
import { possessionCache } from "../../src/core/crypto/bls.js"
import { Invalid } from "../../src/core/lib/invalid.js"
import { decodeTx } from "../../src/core/txs/tx.js"
import { checkTx } from "../../src/core/txs/unsignedTx.js"
import { fromHexText } from "../../src/core/types/hexText.js"
import { bls } from "../../src/platform/backends.js"
import { context } from "../fixtures/txs.js"
import { readRecording } from "../recordings/recordings.js"
import { changedRefusals } from "./changedRefusals.js"

interface RecordedRefusal {
  readonly name: string
  readonly kind: string
  readonly tx: string
  readonly error: string
  readonly answer: { readonly error: { readonly message: string } }
}

const versions = ["v1.13.0", "v1.14.2"]

/** Most of the transactions have one of a few proofs of possession. */
const checked = { ...context, verifyPossession: possessionCache(bls, 1_000) }

/** The refusal of a transaction by decoding it and by the checks without state. */
function refusalOf(text: string): Invalid | undefined {
  try {
    checkTx(decodeTx(fromHexText(text)).unsignedTx, checked)
  } catch (error) {
    if (error instanceof Invalid) return error
    throw error
  }
  return undefined
}

interface Record {
  readonly refusals: readonly RecordedRefusal[]
  readonly accepted: readonly RecordedRefusal[]
}

/** The recorded refusals that need no state. */
function refusedIn({ refusals }: Record) {
  return refusals.flatMap((recorded) => {
    const refusal = refusalOf(recorded.tx)
    return refusal ? [{ recorded, refusal }] : []
  })
}

describe.each(versions)("what AvalancheGo %s refused", (version) => {
  const record = readRecording<Record>(`golden/refusals-${version}.json`)
  const refused = refusedIn(record)

  test("a transaction that breaks a rule by itself is refused with the same text", () => {
    const ours = refused.map(({ recorded, refusal }) => [recorded.kind, recorded.name, refusal.avalanchegoMessage])
    const theirs = ({ kind, name, error }: RecordedRefusal) => changedRefusals[`${kind}: ${name}`]?.error ?? error
    expect(ours).toEqual(refused.map(({ recorded }) => [recorded.kind, recorded.name, theirs(recorded)]))
    expect(ours.length).toBe(119)
  })

  test("bytes that cannot be decoded are refused with a text that begins as that of AvalancheGo", () => {
    const decoding = refused.filter(({ recorded }) => recorded.answer.error.message.startsWith("couldn't parse tx: "))
    const ours = decoding.map(({ refusal }) => `couldn't parse tx: couldn't parse tx: ${unmarshalText(refusal)}`)
    const theirs = ({ kind, name, answer }: RecordedRefusal) =>
      changedRefusals[`${kind}: ${name}`]?.answer ?? answer.error.message
    expect(ours).toEqual(decoding.map(({ recorded }) => theirs(recorded)))
    expect(ours.length).toBe(18)
  })

  test("transactions that AvalancheGo accepted are decoded and pass their checks", () => {
    const issued = record.accepted.filter(({ tx }) => tx !== undefined)
    expect(issued.length).toBeGreaterThan(20)
    for (const { name, tx } of issued) expect([name, refusalOf(tx)?.code]).toEqual([name, undefined])
  })
})
