import { beforeAll, describe, expect, test } from "vitest"
import { blsKeyOf, keyOf, ownerOf, signTx } from "../../../test/fixtures/keys.js"
import { alice, carol, FUNDS, NOW, smallRules, smallState } from "../../../test/fixtures/smallChain.js"
import { AVAX, idOfByte, inputOf } from "../../../test/fixtures/txs.js"
import { balanced, toAlice, validFor } from "../../../test/fixtures/validFor.js"
import { bls } from "../../platform/backends.js"
import { hexToBytes } from "../lib/bytes.js"
import { neverPausing } from "../lib/pace.js"
import type { UpgradeName } from "../networks/upgrades.js"
import { addUtxo } from "../rules/spend.js"
import type { Diff } from "../state/diff.js"
import { txTypes } from "../txs/index.js"
import { signedTxOf, type Tx } from "../txs/tx.js"
import type { ID } from "../types/id.js"
import type { ProofOfPossession } from "../types/signer.js"
import { type AdmissionContext, verifyForAdmission } from "./admission.js"
import { Chain } from "./chain.js"
import { verifyWithPauses } from "./verifyWithPauses.js"

beforeAll(() => bls().preparePossession())

/** The events in their order: milliseconds that were charged ahead, proofs that were verified, signers that were recovered. */
type AdmissionStep = number | "proof" | "signer"

function contextAt(last: UpgradeName, state: Diff = smallState()): AdmissionContext & { readonly happened: AdmissionStep[] } {
  const chain = new Chain({ rules: smallRules(last), state: { latest: state, commit: () => {} }, checksImports: true })
  const blockContext = chain.blockContextAt(NOW)
  const happened: AdmissionStep[] = []
  const watched = {
    ...blockContext,
    verifyPossession: (publicKey: Uint8Array, proof: Uint8Array) => {
      happened.push("proof")
      bls().verifyPossession(publicKey, proof)
    },
    signerOf: (txID: ID, signature: Uint8Array, signingHash: () => Uint8Array) => {
      happened.push("signer")
      return blockContext.signerOf(txID, signature, signingHash)
    },
  }
  return { blockContext: watched, preferred: chain.state, pChainHeight: chain.lastAccepted.height, happened }
}

/** The verdict with pauses and the one at once, and the work of the first. */
async function judged(tx: Tx, last: UpgradeName = "granite", state?: Diff) {
  const context = contextAt(last, state)
  const pace = { ...neverPausing, charge: (milliseconds: number) => void context.happened.push(milliseconds) }
  const paused = await verifyWithPauses(tx, () => context, pace)
  return { paused, atOnce: verifyForAdmission(tx, contextAt(last, state)), happened: context.happened }
}

const proofOf = (number: number): ProofOfPossession => {
  const { publicKey, proofOfPossession } = blsKeyOf(number)
  return { publicKey, proofOfPossession }
}
const badProof = { ...proofOf(20), proofOfPossession: proofOf(21).proofOfPossession }

test("the verdict on every kind is the same in steps and at once, valid or signed by another", async () => {
  for (const { kind } of txTypes) {
    const { tx, signers, last } = validFor(kind)
    for (const by of [signers, signers.map(() => [carol])]) {
      const { paused, atOnce } = await judged(signTx(tx, by), last)
      expect([kind, paused]).toEqual([kind, atOnce])
    }
  }
})

describe("proofs of possession where credentials should be", () => {
  const INPUTS = 20
  const txIDs = Array.from({ length: INPUTS }, (_, i) => idOfByte(0x80 + i))
  const state = smallState()
  for (const txID of txIDs) {
    addUtxo(
      { diff: state },
      { txID, outputIndex: 0, assetID: AVAX, output: { ...ownerOf(alice), kind: "TransferOutput", amount: FUNDS } },
    )
  }
  const inputs = txIDs.map((txID) => inputOf(txID, 0, FUNDS, AVAX))
  const tx = balanced({ ...validFor("BaseTx").tx, inputs }, "granite")
  const withProofs = (proofs: readonly ProofOfPossession[]) =>
    signedTxOf(
      tx,
      proofs.map((proof) => ({ kind: "ProofOfPossession" as const, ...proof })),
    )
  const good = inputs.map((_, i) => proofOf(30 + i))

  test("are refused after one of them was verified, however many there are", async () => {
    const { paused, atOnce, happened } = await judged(withProofs(good), "granite", state)
    expect([paused.ok, paused]).toEqual([false, atOnce])
    expect(paused).toMatchObject({ error: { code: "rules.wrong_credential_type" } })
    expect(happened).toEqual([1, "proof"])
  })

  test("are verified once in a block, too", () => {
    const context = contextAt("granite", state)
    expect(verifyForAdmission(withProofs(good), context)).toMatchObject({ error: { code: "rules.wrong_credential_type" } })
    expect(context.happened).toEqual(["proof"])
  })

  test("are refused in AvalancheGo's words where the first does not hold", async () => {
    const { paused, atOnce } = await judged(withProofs([badProof, ...good.slice(1)]), "granite", state)
    expect(paused).toEqual(atOnce)
    expect(paused).toMatchObject({ error: { code: "crypto.bls_bad_possession" } })
  })
})

describe("a conversion with several validators", () => {
  const fixture = validFor("ConvertSubnetToL1Tx")
  const conversion = (proofs: readonly ProofOfPossession[], changes: Partial<typeof fixture.tx> = {}) => {
    const [first] = fixture.tx.validators
    const nodeID = (i: number) => hexToBytes((0x30 + i).toString(16).repeat(20))
    const validators = proofs.map((signer, i) => ({ ...first!, nodeID: nodeID(i), signer }))
    return signTx(balanced({ ...fixture.tx, outputs: [toAlice(1n)], validators, ...changes }, "granite"), fixture.signers)
  }
  const good = [13, 14, 15].map(proofOf)

  test("that is valid is charged for its proofs before they are verified, one in a step", async () => {
    const { paused, atOnce, happened } = await judged(conversion(good))
    expect([paused.ok, paused]).toEqual([true, atOnce])
    expect(happened.filter((each) => each !== "signer")).toEqual([3, "proof", "proof", "proof"])
  })

  test("of a subnet that does not exist is refused after one proof", async () => {
    const { paused, happened } = await judged(conversion(good, { subnetID: idOfByte(0x99) }))
    expect(paused).toMatchObject({ ok: false, error: { code: "rules.unknown_subnet" } })
    expect(happened.filter((each) => each !== "signer")).toEqual([1, "proof"])
  })

  test("with a bad proof anywhere is refused in AvalancheGo's words", async () => {
    for (const at of [0, 1, 2]) {
      const { paused, atOnce, happened } = await judged(conversion(good.with(at, badProof)))
      expect([at, paused]).toEqual([at, atOnce])
      expect(paused).toMatchObject({ error: { code: "crypto.bls_bad_possession" } })
      expect(happened.filter((each) => each === "proof")).toHaveLength(at + 1)
    }
  })
})

describe("an output of a hundred owners who all have to sign", () => {
  const owners = Array.from({ length: 100 }, (_, i) => keyOf(1000 + i)).sort((a, b) => (a.address < b.address ? -1 : 1))
  const txID = idOfByte(0x7f)
  const state = smallState()
  const output = { ...ownerOf(...owners), kind: "TransferOutput" as const, amount: FUNDS, threshold: owners.length }
  addUtxo({ diff: state }, { txID, outputIndex: 0, assetID: AVAX, output })
  const input = inputOf(txID, 0, FUNDS, AVAX)
  const signatureIndices = owners.map((_, i) => i)
  const inputs = [{ ...input, input: { kind: "TransferInput" as const, amount: FUNDS, signatureIndices } }]
  const tx = balanced({ ...validFor("BaseTx").tx, inputs }, "granite")

  test("is spent after all signatures were verified, in steps", async () => {
    const { paused, atOnce, happened } = await judged(signTx(tx, [owners]), "granite", state)
    expect([paused.ok, paused]).toEqual([true, atOnce])
    expect(happened[0]).toBe(2)
  })

  test("is not spent where one signature is another's, in AvalancheGo's words", async () => {
    const { paused, atOnce } = await judged(signTx(tx, [owners.with(99, alice)]), "granite", state)
    expect(paused).toEqual(atOnce)
    expect(paused).toMatchObject({ error: { code: "rules.wrong_signature" } })
  })

  test("is refused without a look at the signatures where the funds do not suffice", async () => {
    const more = {
      ...tx,
      outputs: [{ ...tx.outputs[0]!, output: { ...ownerOf(alice), kind: "TransferOutput" as const, amount: FUNDS + 1n } }],
    }
    const { paused, happened } = await judged(signTx(more, [owners]), "granite", state)
    expect(paused).toMatchObject({ ok: false, error: { code: "rules.insufficient_unlocked" } })
    expect(happened).toEqual([])
  })
})
