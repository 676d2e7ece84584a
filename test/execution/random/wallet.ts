import { LOCAL_ID } from "../../../src/networks/names.js"
import type { Base } from "../../../src/txs/base.js"
import { feeOf } from "../../../src/txs/execute.js"
import { burnedBy } from "../../../src/txs/flow.js"
import type { Tx } from "../../../src/txs/tx.js"
import type { UnsignedTx } from "../../../src/txs/unsignedTx.js"
import { P_CHAIN_ID } from "../../../src/types/id.js"
import { compareInputs, type TransferableInput } from "../../../src/types/input.js"
import { compareOutputs, type TransferableOutput } from "../../../src/types/output.js"
import { type Key, ownerOf, signTx } from "../../fixtures/keys.js"
import { AVAX } from "../../fixtures/txs.js"
import type { Coin, Model } from "./model.js"

/** A transaction that somebody means to issue: who pays it, with what, and who authorises it besides. */
export interface Draft {
  readonly tx: UnsignedTx
  readonly coins: readonly Coin[]
  readonly imported: readonly Coin[]
  readonly authorisedBy: Key | undefined
}

export const outputTo = (owner: Key, amount: bigint): TransferableOutput => ({
  assetID: AVAX,
  output: { ...ownerOf(owner), kind: "TransferOutput", amount },
})

export const inputOf = ({ txID, outputIndex, amount }: Coin): TransferableInput => ({
  txID,
  outputIndex,
  assetID: AVAX,
  input: { kind: "TransferInput", amount, signatureIndices: [0] },
})

/** What a draft asks for: a kind and its own fields, outputs besides the change, and who pays. */
export interface Wish {
  readonly payer: Key
  /** nAVAX that goes into stake, exports or balances. */
  readonly spends: bigint
  readonly outputs?: readonly TransferableOutput[]
  readonly authorisedBy?: Key
  readonly imported?: readonly Coin[]
  /** Makes the transaction around the fields that all have. */
  readonly make: (base: Base) => UnsignedTx
}

/** Pays for a wish with the payer's coins, the change going back; `undefined` where they do not suffice. */
export function draft(
  model: Model,
  price: bigint,
  { payer, spends, outputs = [], authorisedBy, imported = [], make }: Wish,
): Draft | undefined {
  const coins: Coin[] = []
  let have = imported.reduce((total, { amount }) => total + amount, 0n)
  const need =
    spends +
    outputs.reduce((total, { output }) => total + ("amount" in output ? output.amount : 0n), 0n) +
    1_000_000n * price +
    1n
  for (const coin of model.coins.values()) {
    if (have >= need) break
    if (coin.owner !== payer) continue
    coins.push(coin)
    have += coin.amount
  }
  if (have < need) return undefined
  const base = (change: bigint): Base => ({
    networkID: LOCAL_ID,
    blockchainID: P_CHAIN_ID,
    inputs: coins.map(inputOf).sort(compareInputs),
    outputs: [outputTo(payer, change), ...outputs].sort(compareOutputs),
    memo: new Uint8Array(0),
  })
  const rough = make(base(1n))
  const fee = model.isEtna ? feeOf(rough, model.rules, price) : 0n
  const tx = make(base(1n + burnedBy(rough, AVAX) - fee))
  return { tx, coins, imported, authorisedBy }
}

/** Signs a draft as it should be: for each input its owner, and the one who authorises. */
export function sign({ tx, coins, imported, authorisedBy }: Draft): Tx {
  return signTx(tx, signersOf({ tx, coins, imported, authorisedBy }))
}

export function signersOf({ coins, imported, authorisedBy }: Draft): (readonly Key[])[] {
  const inOrder = [...coins].sort((a, b) => compareInputs(inputOf(a), inputOf(b)))
  return [
    ...inOrder.map(({ owner }) => [owner]),
    ...imported.map(({ owner }) => [owner]),
    ...(authorisedBy ? [[authorisedBy]] : []),
  ]
}
