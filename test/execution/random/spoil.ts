import type { Tx } from "../../../src/core/txs/tx.js"
import type { UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import { signTx } from "../../fixtures/keys.js"
import { withAmount } from "../../fixtures/validFor.js"
import type { Random } from "../../fuzz/random.js"
import { people } from "./attempt.js"
import { type Draft, signersOf } from "./draft.js"
import type { Model } from "./model.js"

/** A valid draft of any kind with one fault, and the code of its refusal. */
export function spoiled(draft: Draft, model: Model, random: Random): { tx: Tx; code: string } {
  const tx = draft.tx as Extract<UnsignedTx, { kind: "BaseTx" }>
  const signers = signersOf(draft)
  const other = (key: (typeof people)[number]) => random.pick(people.filter((each) => each !== key))
  const ways: (() => { tx: Tx; code: string })[] = [
    () => ({ tx: signTx({ ...tx, networkID: 1 } as UnsignedTx, signers), code: "tx.wrong_network" }),
    () => ({
      tx: signTx({ ...tx, memo: new Uint8Array(model.isDurango ? 1 : 257) } as UnsignedTx, signers),
      code: "tx.memo_too_long",
    }),
    () => ({
      tx: signTx({ ...tx, outputs: [withAmount(tx.outputs[0]!, () => 0n), ...tx.outputs.slice(1)] } as UnsignedTx, signers),
      code: "types.zero_output",
    }),
  ]
  if (draft.coins.length > 0) {
    ways.push(
      () => ({ tx: signTx(tx, [[other(signers[0]![0]!)], ...signers.slice(1)]), code: "rules.wrong_signature" }),
      () => ({ tx: signTx(tx, signers.slice(1)), code: "rules.credential_count" }),
    )
  }
  if (draft.authorisedBy) {
    const { authorisedBy } = draft
    ways.push(() => ({ tx: signTx(tx, [...signers.slice(0, -1), [other(authorisedBy)]]), code: "rules.unauthorized" }))
  }
  if (tx.outputs.length === 1) {
    const outputs = [withAmount(tx.outputs[0]!, (amount) => amount + 1n)]
    ways.push(() => ({ tx: signTx({ ...tx, outputs } as UnsignedTx, signers), code: "rules.insufficient_unlocked" }))
  }
  return random.pick(ways)()
}
