import { utf8 } from "../../../src/core/lib/bytes.js"
import { LOCAL_ID } from "../../../src/core/networks/names.js"
import { burnedAvax } from "../../../src/core/txs/amounts.js"
import type { Base } from "../../../src/core/txs/base.js"
import { feeOf } from "../../../src/core/txs/execute.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import type { UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import { type ID, P_CHAIN_ID } from "../../../src/core/types/id.js"
import { compareInputs, type TransferableInput } from "../../../src/core/types/input.js"
import { compareOutputs, type TransferableOutput } from "../../../src/core/types/output.js"
import { type Key, ownerOf, signTx } from "../../fixtures/keys.js"
import { AVAX } from "../../fixtures/txs.js"
import { COIN, type Model } from "./model.js"
import type { Coin } from "./modelRows.js"

/** A transaction before it is signed: its payer, its inputs, and its other signers. */
export interface Draft {
  readonly tx: UnsignedTx
  readonly coins: readonly Coin[]
  readonly imported: readonly Coin[]
  readonly authorisedBy: Key | undefined
}

export const outputTo = (owner: Key, amount: bigint, assetID = AVAX): TransferableOutput => ({
  assetID,
  output: { ...ownerOf(owner), kind: "TransferOutput", amount },
})

export const inputOf = ({ assetID, txID, outputIndex, amount }: Coin): TransferableInput => ({
  txID,
  outputIndex,
  assetID,
  input: { kind: "TransferInput", amount, signatureIndices: [0] },
})

/** A request for a draft: a kind with its own fields, outputs besides the change, and the payer. */
export interface Wish {
  readonly payer: Key
  /** The amount for stake, exports or balances, nAVAX. */
  readonly spends: bigint
  /** The amount of the other asset for the same purposes. */
  readonly spendsCoins?: bigint
  readonly outputs?: readonly TransferableOutput[]
  readonly authorisedBy?: Key
  readonly imported?: readonly Coin[]
  /** Makes the transaction from the fields that all kinds have. */
  readonly make: (base: Base) => UnsignedTx
}

/** Pays for a wish with the payer's coins and returns the change to the payer; `undefined` if they do not suffice. */
export function draft(model: Model, price: bigint, wish: Wish): Draft | undefined {
  const { payer, spends, spendsCoins = 0n, outputs = [], authorisedBy, imported = [], make } = wish
  const given = outputs.reduce((total, { output }) => total + ("amount" in output ? output.amount : 0n), 0n)
  const money = gather(model, payer, AVAX, spends + given + 1_000_000n * price + 1n - total(imported))
  const others = gather(model, payer, COIN, spendsCoins)
  if (!money || !others) return undefined
  const coins = [...money, ...others]
  const rest = total(others) - spendsCoins
  const base = (change: bigint): Base => ({
    networkID: LOCAL_ID,
    blockchainID: P_CHAIN_ID,
    inputs: coins.map(inputOf).sort(compareInputs),
    outputs: [outputTo(payer, change), ...(rest > 0n ? [outputTo(payer, rest, COIN)] : []), ...outputs].sort(compareOutputs),
    // Durango forbids memos.
    memo: model.isDurango ? new Uint8Array(0) : utf8(String(spends)),
  })
  const rough = make(base(1n))
  const fee = model.isEtna ? feeOf(rough, model.rules, price) : 0n
  const tx = make(base(1n + burnedAvax(rough, AVAX) - fee))
  return { tx, coins, imported, authorisedBy }
}

/** Coins of an asset that together have at least this amount. */
function gather(model: Model, owner: Key, assetID: ID, need: bigint): Coin[] | undefined {
  const coins: Coin[] = []
  for (const coin of model.coins.values()) {
    if (total(coins) >= need) break
    if (coin.owner === owner && coin.assetID === assetID) coins.push(coin)
  }
  return total(coins) >= need ? coins : undefined
}

const total = (coins: readonly Coin[]): bigint => coins.reduce((sum, { amount }) => sum + amount, 0n)

/** Signs a draft with the owner of each input, and with the key that authorises it. */
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
