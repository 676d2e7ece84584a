import { expect, test } from "vitest"
import { signTx } from "../../../test/fixtures/keys.js"
import { alice, carol, NOW, smallRules, smallState } from "../../../test/fixtures/smallChain.js"
import { validFor } from "../../../test/fixtures/validFor.js"
import type { UpgradeName } from "../networks/upgrades.js"
import { tables } from "../state/tables.js"
import type { Tx } from "../txs/tx.js"
import type { TxKind } from "../txs/unsignedTx.js"
import { shortIDText } from "../types/address.js"
import { idText } from "../types/id.js"
import { type AdmissionContext, admit, verifyForAdmission } from "./admission.js"
import { Chain } from "./chain.js"
import { Mempool } from "./mempool.js"

function contextAt(last: UpgradeName, now = NOW, state = smallState()): AdmissionContext {
  const chain = new Chain({ rules: smallRules(last), state: { latest: state, commit: () => {} }, checksImports: true })
  return { env: chain.envAt(now), preferred: chain.state, pChainHeight: chain.lastAccepted.height }
}

function fixture(kind: TxKind): Tx {
  const { tx, signers } = validFor(kind)
  return signTx(tx, signers)
}

const payment = fixture("BaseTx")
const stolen = signTx(validFor("BaseTx").tx, [[carol]])

test("a valid transaction is let in with its fee, complexity, gas and what it burns", () => {
  expect(verifyForAdmission(payment, contextAt("granite"))).toEqual({
    ok: true,
    fee: 4099n,
    complexity: { bandwidth: 299n, dbRead: 1n, dbWrite: 2n, compute: 200n },
    gas: 4099n,
    burned: 4099n,
  })
})

test("judging changes nothing: the same is said again", () => {
  const context = contextAt("granite")
  expect(verifyForAdmission(payment, context)).toEqual(verifyForAdmission(payment, context))
  expect(context.preferred.get(tables.txs, payment.id)).toBeUndefined()
})

test("a refusal says where it came up, in the reference's words", () => {
  const inExecution = (tx: Tx) => `failed execution: standard tx ${idText(tx.id)} failed execution: `
  const refused = verifyForAdmission(stolen, contextAt("granite"))
  const [expected, got] = [alice, carol].map(({ address }) => shortIDText(address))
  const wrong = `failed to verify transfer: wrong signature: expected signature from ${expected} but got from ${got}`
  expect(refused).toMatchObject({ ok: false, error: { code: "rules.wrong_signature" }, reason: inExecution(stolen) + wrong })
  expect(refused).toMatchObject({ answer: `failed verification: ${inExecution(stolen)}${wrong}` })

  const state = smallState()
  state.put(tables.gas, null, { capacity: 4_000n, excess: 0n })
  expect(verifyForAdmission(payment, contextAt("granite", NOW, state))).toMatchObject({
    error: { code: "chain.tx_above_capacity" },
    reason: "tx exceeds current gas capacity: 4099 > 4000",
  })
  expect(verifyForAdmission(fixture("RewardValidatorTx"), contextAt("granite"))).toMatchObject({
    reason: "failed to calculate tx complexity: unsupported transaction type",
  })
})

test("kinds that cannot be metered are refused in every era, though their time has not ended", () => {
  expect(verifyForAdmission(fixture("AddValidatorTx"), contextAt("cortina"))).toMatchObject({
    error: { code: "tx.unmetered" },
    reason: "failed to meter tx: unsupported transaction type",
    answer: "failed to meter tx: unsupported transaction type",
  })
})

test("a Warp message must hold at the height that the next block would name", () => {
  const tx = fixture("SetL1ValidatorWeightTx")
  expect(verifyForAdmission(tx, contextAt("granite"))).toMatchObject({ ok: true })
  const state = smallState()
  // Before height 10 the L1 had no validators.
  for (const [{ subnetID, nodeID }, { weight }] of [...state.rows(tables.members)]) {
    state.put(tables.weightDiffs, { subnetID, nodeID, height: 10n }, { decrease: false, amount: weight })
  }
  const early = { ...contextAt("granite", NOW, state), pChainHeight: 9n }
  expect(verifyForAdmission(tx, early)).toMatchObject({
    error: { code: "rules.warp_unknown_signer" },
    reason: "failed verifying warp messages: unknown validator: NumIndices (0) >= NumFilteredValidators (0)",
  })
})

test("what waits already stays, and what was refused is refused again without a look", () => {
  const pool = new Mempool()
  const context = contextAt("granite")
  expect([admit(pool, payment, context), admit(pool, payment, context), pool.size]).toEqual([{ ok: true }, { ok: true }, 1])
  const first = admit(pool, stolen, context)
  const second = admit(pool, stolen, {
    ...context,
    get preferred(): never {
      throw new Error("it looked")
    },
  })
  expect(first).toMatchObject({ ok: false, answer: expect.stringMatching(/^failed verification: failed execution: /) })
  expect(second).toMatchObject({ ok: false, answer: expect.stringMatching(/^failed execution: /) })
})

test("a conflict with what waits is remembered too, and so is a pool without room", () => {
  const pool = new Mempool(5_000n)
  const context = contextAt("granite")
  admit(pool, payment, context)
  const conflicting = fixture("CreateSubnetTx")
  expect(admit(pool, conflicting, context)).toMatchObject({ answer: "tx conflicts with other tx" })
  expect(pool.dropOf(conflicting.id)?.reason).toBe("tx conflicts with other tx")
  const small = new Mempool(1n)
  expect(admit(small, payment, context)).toMatchObject({ answer: "not enough gas" })
  expect(small.dropOf(payment.id)?.reason).toBe("not enough gas")
})
