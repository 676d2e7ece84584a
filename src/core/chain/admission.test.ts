import { expect, test } from "vitest"
import { admitNow } from "../../../test/fixtures/admitNow.js"
import { signTx } from "../../../test/fixtures/keys.js"
import { alice, carol, NOW, OTHER_NODE, SUBNET, smallRules, smallState } from "../../../test/fixtures/smallChain.js"
import { addCurrentStaker } from "../../../test/fixtures/stakers.js"
import { balanced, validFor } from "../../../test/fixtures/validFor.js"
import type { UpgradeName } from "../networks/upgrades.js"
import { Diff } from "../state/diff.js"
import { deleteCurrentStaker } from "../state/stakers.js"
import { tables } from "../state/tables.js"
import type { Tx } from "../txs/tx.js"
import type { TxKind } from "../txs/unsignedTx.js"
import { shortIDText } from "../types/address.js"
import { idText } from "../types/id.js"
import { type AdmissionContext, verifyForAdmission } from "./admission.js"
import { Chain } from "./chain.js"
import { Mempool } from "./mempool.js"

function contextAt(last: UpgradeName, now = NOW, state = smallState()): AdmissionContext {
  const chain = new Chain({ rules: smallRules(last), state: { latest: state, commit: () => {} }, checksImports: true })
  return { blockContext: chain.blockContextAt(now), preferred: chain.state, pChainHeight: chain.lastAccepted.height }
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

test("verification changes nothing: a second one has the same result", () => {
  const context = contextAt("granite")
  expect(verifyForAdmission(payment, context)).toEqual(verifyForAdmission(payment, context))
  expect(context.preferred.get(tables.txs, payment.id)).toBeUndefined()
})

test("a refusal names its stage, in the reference's words", () => {
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

test("kinds without a gas complexity are refused in every era, also while blocks may contain them", () => {
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

test("a waiting transaction stays, and a refused one is refused again without verification", async () => {
  const pool = new Mempool()
  const context = contextAt("granite")
  expect([await admitNow(pool, payment, context), await admitNow(pool, payment, context), pool.size]).toEqual([
    { ok: true },
    { ok: true },
    1,
  ])
  const first = await admitNow(pool, stolen, context)
  const second = await admitNow(pool, stolen, {
    ...context,
    get preferred(): never {
      throw new Error("it looked")
    },
  })
  expect(first).toMatchObject({ ok: false, answer: expect.stringMatching(/^failed verification: failed execution: /) })
  expect(second).toMatchObject({ ok: false, answer: expect.stringMatching(/^failed execution: /) })
})

test("a conflict with what waits is remembered too, and so is a pool without room", async () => {
  const pool = new Mempool(5_000n)
  const context = contextAt("granite")
  await admitNow(pool, payment, context)
  const conflicting = fixture("CreateSubnetTx")
  expect(await admitNow(pool, conflicting, context)).toMatchObject({ answer: "tx conflicts with other tx" })
  expect(pool.dropOf(conflicting.id)?.reason).toBe("tx conflicts with other tx")
  const small = new Mempool(1n)
  expect(await admitNow(small, payment, context)).toMatchObject({ answer: "not enough gas" })
  expect(small.dropOf(payment.id)?.reason).toBe("not enough gas")
})

/** The small chain on which Helicon comes at this time (Unix seconds). */
function contextBefore(helicon: bigint, now: bigint, state = smallState()): AdmissionContext {
  const context = contextAt("granite", now, state)
  const { upgrades } = context.blockContext
  return {
    ...context,
    blockContext: { ...context.blockContext, upgrades: { ...upgrades, times: { ...upgrades.times, helicon } } },
  }
}

test("a transaction above 256 KiB is let in from Helicon on, by the local clock", () => {
  const { tx, signers } = validFor("CreateChainTx")
  const large = signTx(balanced({ ...tx, genesisData: new Uint8Array(270_000) }, "granite"), signers)
  const reason = "transaction size exceeds max transaction size pre-Helicon"
  const answer = `failed verification: ${reason}`
  expect(verifyForAdmission(large, contextBefore(NOW + 1n, NOW))).toMatchObject({ ok: false, reason, answer })
  // The chain's time waits for a staker who is due, and is still before Helicon.
  expect(verifyForAdmission(large, contextBefore(NOW + 1n, NOW + 1n)).ok).toBe(true)
})

test("a validator may return in the block that removes it once the local clock has reached Helicon", () => {
  const state = smallState()
  const leaving = state.get(tables.currentValidators, { subnetID: SUBNET, nodeID: OTHER_NODE })!
  deleteCurrentStaker(state, leaving)
  addCurrentStaker(state, { ...leaving, endTime: NOW + 1n, nextTime: NOW + 1n }, { mayReturn: true })
  const due = state.first(tables.currentStakers)![1]
  deleteCurrentStaker(state, due)
  const { tx, signers } = validFor("AddSubnetValidatorTx")
  const again = signTx(balanced({ ...tx, validator: { ...tx.validator, nodeID: OTHER_NODE } }, "granite"), signers)
  const at = (helicon: bigint) => {
    const admission = verifyForAdmission(again, contextBefore(helicon, NOW + 5n, new Diff(state)))
    return admission.ok ? "let in" : admission.error.code
  }
  expect([at(NOW + 6n), at(NOW + 5n)]).toEqual(["state.staker_re_added", "let in"])
})
