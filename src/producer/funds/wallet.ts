import { hrpOf } from "../../core/networks/names.js"
import type { Rules } from "../../core/rules/context.js"
import { tables } from "../../core/state/tables.js"
import type { IndexedView } from "../../core/state/view.js"
import { feeOf } from "../../core/txs/execute.js"
import type { Tx } from "../../core/txs/tx.js"
import type { UnsignedTx } from "../../core/txs/unsignedTx.js"
import { addressText } from "../../core/types/address.js"
import type { ID } from "../../core/types/id.js"
import type { TransferableInput } from "../../core/types/input.js"
import { innerOutput, type TransferableOutput } from "../../core/types/output.js"
import { type Utxo, utxoID } from "../../core/types/utxo.js"
import { producerError } from "../errors.js"
import { signTx } from "../keys/credentials.js"
import type { SigningKey } from "../keys/key.js"
import { inputOfUtxo, type Parts, type Payment, partsOf, unsignedPayment } from "./payment.js"

/** The maximum number of UTXOs of a key that are read from a state, which takes a few milliseconds. */
const MAX_UTXOS = 4096

/** The maximum number of UTXOs that may be spent, the largest ones. A transaction with more would not fit into a block. */
const MAX_INPUTS = 128

/** Selects the UTXOs of a purse. */
export interface PurseOptions {
  /** The time of the clock, Unix seconds. */
  readonly now: bigint
  /** Returns true for a UTXO that another transaction is about to spend. */
  isTaken?(utxoID: string): boolean
  /** Returns true for UTXOs to be spent first. */
  isPreferred?(utxo: Utxo): boolean
}

/** The rules that payments depend on. */
export type PurseRules = Pick<Rules, "networkID" | "avaxAssetID" | "params">

function* utxosOf(view: IndexedView, { address: owner }: SigningKey): Iterable<Utxo> {
  for (const [{ utxoID: id }] of view.rows(tables.utxosByOwner, { under: { owner } })) {
    const utxo = view.get(tables.utxos, id)
    if (utxo) yield utxo
  }
}

/**
 * The unlocked AVAX of one key. A transaction that the purse makes spends from it, and the change returns to it, so that several can be
 * made before the first one is accepted.
 */
export class Purse {
  readonly key: SigningKey
  readonly #rules: PurseRules
  #utxos: Utxo[]
  /** The AVAX that other transactions are about to spend, nAVAX. */
  #held = 0n

  /** `source` is a state, or the UTXOs of the key themselves. */
  constructor(
    source: IndexedView | readonly Utxo[],
    key: SigningKey,
    rules: PurseRules,
    { now, isTaken, isPreferred }: PurseOptions,
  ) {
    this.key = key
    this.#rules = rules
    this.#utxos = []
    const most = "hasIndexes" in source ? MAX_UTXOS : Number.POSITIVE_INFINITY
    for (const utxo of "hasIndexes" in source ? utxosOf(source, key) : source) {
      if (!this.#isSpendable(utxo, now)) continue
      if (isTaken?.(utxoID(utxo.txID, utxo.outputIndex))) this.#held += amountOf(utxo)
      else this.#utxos.push(utxo)
      if (this.#utxos.length === most) break
    }
    const rank = (utxo: Utxo) => (isPreferred?.(utxo) ? 0 : 1)
    this.#utxos.sort((a, b) => rank(a) - rank(b) || (amountOf(a) > amountOf(b) ? -1 : 1))
    this.#utxos.splice(MAX_INPUTS)
  }

  /** The address in bech32. */
  get address(): string {
    return addressText(this.key.address, hrpOf(this.#rules.networkID))
  }

  /** The balance in nAVAX. */
  get balance(): bigint {
    return this.#utxos.reduce((sum, utxo) => sum + amountOf(utxo), 0n)
  }

  /** Makes and signs a transaction at a price of gas (nAVAX). Throws `producer.insufficient_funds` and `producer.funds_wait`. */
  pay(payment: Payment, price: bigint): Tx {
    const unsigned = unsignedPayment(payment, {
      networkID: this.#rules.networkID,
      inputs: this.#utxos.map(inputOf),
      changeOf: (change) => this.outputOf(change),
      feeOf: (tx) => feeOf(tx, this.#rules, price),
    })
    if (unsigned) return this.#sign(unsigned)
    const { amount } = payment
    const data = { amount, balance: this.balance, address: this.address }
    if (this.#held > 0n && data.balance + this.#held > amount) {
      throw producerError("producer.funds_wait", { ...data, held: this.#held })
    }
    throw producerError("producer.insufficient_funds", data)
  }

  /** Makes and signs a transaction that takes a UTXO of the key which another chain has put, and pays a fee (nAVAX) from it. */
  importOf(sourceChain: ID, utxo: Utxo, fee: bigint): Tx {
    return this.#sign(this.#unsignedImport(sourceChain, utxo, fee))
  }

  /** Returns the fee of such a transaction, nAVAX. */
  feeOfImport(sourceChain: ID, utxo: Utxo, price: bigint): bigint {
    return feeOf(this.#unsignedImport(sourceChain, utxo, 0n), this.#rules, price)
  }

  #unsignedImport(sourceChain: ID, utxo: Utxo, fee: bigint): UnsignedTx {
    const parts = this.#parts([], [this.outputOf(amountOf(utxo) - fee)])
    return { kind: "ImportTx", ...parts, sourceChain, importedInputs: [inputOf(utxo)] }
  }

  /** Returns the fee of a payment of this shape that spends all UTXOs and has no change, nAVAX. */
  feeOfAll({ outputs = [], make }: Payment, price: bigint): bigint {
    return feeOf(make(this.#parts(this.#utxos.map(inputOf), outputs)), this.#rules, price)
  }

  /** Returns the gas of a payment of this shape that spends one UTXO and has change. */
  gasOf({ outputs = [], make }: Payment): bigint {
    const inputs = this.#utxos.slice(0, 1).map(inputOf)
    return feeOf(make(this.#parts(inputs, [...outputs, ...this.#changeOf(1n)])), this.#rules, 1n)
  }

  /** Makes an output to the purse's own key. */
  outputOf(amount: bigint): TransferableOutput {
    const owner = { locktime: 0n, threshold: 1, addresses: [this.key.address] }
    return { assetID: this.#rules.avaxAssetID, output: { kind: "TransferOutput", amount, ...owner } }
  }

  #changeOf(amount: bigint): TransferableOutput[] {
    return amount === 0n ? [] : [this.outputOf(amount)]
  }

  #isSpendable({ assetID, output }: Utxo, now: bigint): boolean {
    if (assetID !== this.#rules.avaxAssetID || (output.kind === "LockOut" && output.locktime > now)) return false
    const { locktime, threshold, addresses } = output.kind === "LockOut" ? output.output : output
    return locktime <= now && threshold === 1 && addresses.length === 1
  }

  #parts(inputs: readonly TransferableInput[], outputs: readonly TransferableOutput[]): Parts {
    return partsOf(this.#rules.networkID, inputs, outputs)
  }

  #sign(unsigned: UnsignedTx): Tx {
    const { inputs, outputs } = unsigned as UnsignedTx & Parts
    const tx = signTx(unsigned, this.key)
    const spent = new Set(inputs.map(({ txID, outputIndex }) => utxoID(txID, outputIndex)))
    this.#utxos = this.#utxos.filter(({ txID, outputIndex }) => !spent.has(utxoID(txID, outputIndex)))
    for (const [outputIndex, { assetID, output }] of outputs.entries()) {
      const utxo = { txID: tx.id, outputIndex, assetID, output }
      // The change is put first, because a series of payments continues with it.
      if (output.kind === "TransferOutput" && this.#isMine(output)) this.#utxos.unshift(utxo)
    }
    return tx
  }

  #isMine({ locktime, threshold, addresses }: { locktime: bigint; threshold: number; addresses: readonly string[] }): boolean {
    return locktime === 0n && threshold === 1 && addresses.length === 1 && addresses[0] === this.key.address
  }
}

const amountOf = ({ output }: Utxo): bigint => innerOutput(output).amount

const inputOf = (utxo: Utxo): TransferableInput => inputOfUtxo(utxo, [0])
