import { tables } from "../../../src/core/state/tables.js"
import type { UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import type { Address } from "../../../src/core/types/address.js"
import { EMPTY_ID, idText } from "../../../src/core/types/id.js"
import { unlockedInput } from "../../../src/core/types/input.js"
import { innerOutput } from "../../../src/core/types/output.js"
import { type Utxo, utxoID } from "../../../src/core/types/utxo.js"
import type { Row, Step, TxInBlock } from "./expectedRows.js"

/** AVAX on the recorded chains. */
type Amounts = readonly { readonly assetID: string; readonly amount: bigint; readonly owners: readonly Address[] }[]

/** The rows of transactions, of the outputs that they create and spend, and of the addresses that these belong to. */
export class MoneyRows {
  readonly #address: (value: Address) => string
  readonly #txs = new Map<string, Row>()
  readonly #outputs = new Map<string, Row>()
  readonly #inputs = new Map<string, Row>()
  readonly #transfers: Row[] = []
  #genesisTime = new Date(0)
  #unspent: ReadonlySet<string> = new Set()
  /** The asset that the first output of genesis holds. */
  #avax = ""

  constructor(address: (value: Address) => string) {
    this.#address = address
  }

  add(step: Step): void {
    if (step.height === 0n) this.#genesisTime = step.time
    const utxos = [...step.view.rows(tables.utxos)]
    if (step.height === 0n) this.#avax = utxos[0]?.[1].assetID ?? ""
    for (const placed of step.txs) this.#addTx(placed, step)
    for (const [id, utxo] of utxos) if (!this.#unspent.has(id)) this.#addOutput(utxo, step)
    this.#unspent = new Set(utxos.map(([id]) => id))
  }

  /** The output under a transaction's own ID behind those that it lists: the rest of an L1 validator's balance. */
  refundOf({ tx }: TxInBlock): bigint {
    const count = "outputs" in tx.unsignedTx ? tx.unsignedTx.outputs.length : 0
    return BigInt((this.#outputs.get(utxoID(tx.id, count))?.amount as string | undefined) ?? 0)
  }

  byTable(): Record<string, Iterable<Row>> {
    return {
      txs: this.#txs.values(),
      outputs: this.#outputs.values(),
      inputs: this.#inputs.values(),
      cross_chain_transfers: this.#transfers,
      address_history: this.#addressHistory(),
    }
  }

  #addTx({ tx, index, height, isCommitted }: TxInBlock, step: Step): void {
    const { unsignedTx } = tx
    const tx_id = idText(tx.id)
    this.#txs.set(tx_id, {
      tx_id,
      height,
      tx_index: index,
      time: step.time,
      kind: unsignedTx.kind,
      status: isCommitted ? "Committed" : "Aborted",
      fee: String(height === 0n ? 0n : this.#feeOf(unsignedTx)),
      memo: new Uint8Array("memo" in unsignedTx ? unsignedTx.memo : []),
      size: tx.bytes.length,
    })
    if (!("inputs" in unsignedTx)) return
    for (const [i, output] of unsignedTx.outputs.entries()) this.#addPassing({ ...output, txID: tx.id, outputIndex: i }, step)
    for (const [i, { txID, outputIndex, assetID, input }] of unsignedTx.inputs.entries()) {
      this.#inputs.set(utxoID(txID, outputIndex), {
        tx_id: idText(txID),
        output_index: outputIndex,
        spent_by: tx_id,
        input_index: i,
        height,
        asset_id: idText(assetID),
        amount: String(unlockedInput(input).amount),
      })
    }
    const { chain, direction, amounts } = transfersOf(unsignedTx)
    for (const [i, { assetID, amount, owners }] of amounts.entries()) {
      const asset_id = idText(assetID as typeof EMPTY_ID)
      const transfer = { tx_id, transfer_index: i, height, time: step.time, direction, chain_id: chain, asset_id }
      this.#transfers.push({ ...transfer, amount: String(amount), addresses: owners.map(this.#address) })
    }
  }

  /** An output that is spent in the block that creates it is in no state. */
  #addPassing(utxo: Utxo, step: Step): void {
    const id = utxoID(utxo.txID, utxo.outputIndex)
    const isSpent = step.txs.some(
      ({ tx }) =>
        "inputs" in tx.unsignedTx && tx.unsignedTx.inputs.some(({ txID, outputIndex }) => utxoID(txID, outputIndex) === id),
    )
    if (isSpent) this.#addOutput(utxo, step)
  }

  #addOutput(utxo: Utxo, step: Step): void {
    const { txID, outputIndex, assetID, output } = utxo
    const { amount, addresses, threshold, locktime } = innerOutput(output)
    const { creator, kind } = originOf(utxo, step)
    this.#outputs.set(utxoID(txID, outputIndex), {
      tx_id: idText(txID),
      output_index: outputIndex,
      height: creator?.height ?? step.height,
      created_by: creator ? idText(creator.tx.id) : null,
      kind,
      asset_id: idText(assetID),
      amount: String(amount),
      addresses: addresses.map(this.#address),
      threshold: BigInt(threshold),
      locktime: String(locktime),
      stakeable_locktime: String(output.kind === "LockOut" ? output.locktime : 0n),
    })
  }

  /** The AVAX that a transaction consumes and does not produce. */
  #feeOf(tx: UnsignedTx): bigint {
    if (!("inputs" in tx)) return 0n
    const sum = (amounts: Amounts) =>
      amounts.reduce((total, each) => total + (each.assetID === this.#avax ? each.amount : 0n), 0n)
    const given = [...tx.inputs, ...("importedInputs" in tx ? tx.importedInputs : [])]
    const taken = [...tx.outputs, ...("stake" in tx ? tx.stake : []), ...("exportedOutputs" in tx ? tx.exportedOutputs : [])]
    const balances = "validators" in tx ? tx.validators.map(({ balance }) => balance) : "balance" in tx ? [tx.balance] : []
    return (
      sum(
        given.map(({ assetID, input }) => {
          return { assetID, amount: unlockedInput(input).amount, owners: [] }
        }),
      ) -
      sum(
        taken.map(({ assetID, output }) => {
          const { amount, addresses } = innerOutput(output)
          return { assetID, amount, owners: addresses }
        }),
      ) -
      balances.reduce((total, balance) => total + balance, 0n)
    )
  }

  /** The sums of the outputs and inputs of each transaction, by address and asset. */
  #addressHistory(): Iterable<Row> {
    const rows = new Map<string, Row & { received: string; sent: string }>()
    const add = (place: Row, { addresses, asset_id, amount }: Row, way: "received" | "sent") => {
      for (const address of addresses as string[]) {
        const key = `${address} ${place.tx_id} ${asset_id} ${place.tx_index}`
        const row = rows.get(key) ?? { address, asset_id, ...place, received: "0", sent: "0" }
        rows.set(key, { ...row, [way]: String(BigInt(row[way]) + BigInt(amount as string)) })
      }
    }
    const genesis = { height: 0n, tx_index: -1, tx_id: idText(EMPTY_ID), time: this.#genesisTime, kind: "Genesis" }
    const placeOf = (tx: unknown): Row => {
      if (tx === null) return genesis
      const { height, tx_index, tx_id, time, kind } = this.#txs.get(tx as string) as Row
      return { height, tx_index, tx_id, time, kind }
    }
    for (const output of this.#outputs.values()) add(placeOf(output.created_by), output, "received")
    for (const [id, input] of this.#inputs) add(placeOf(input.spent_by), this.#outputs.get(id) as Row, "sent")
    return rows.values()
  }
}

function transfersOf(tx: UnsignedTx): { chain: string; direction: string; amounts: Amounts } {
  if (tx.kind === "ImportTx") {
    const amounts = tx.importedInputs.map(({ assetID, input }) => {
      return { assetID, amount: unlockedInput(input).amount, owners: [] }
    })
    return { chain: idText(tx.sourceChain), direction: "import", amounts }
  }
  if (tx.kind === "ExportTx") {
    const amounts = tx.exportedOutputs.map(({ assetID, output }) => {
      const { amount, addresses } = innerOutput(output)
      return { assetID, amount, owners: addresses }
    })
    return { chain: idText(tx.destinationChain), direction: "export", amounts }
  }
  return { chain: "", direction: "", amounts: [] }
}

/** The transaction that created an output, and why. Stake and rewards come back under the staker's transaction. */
function originOf({ txID, outputIndex }: Utxo, { height, txs, view }: Step): { creator?: TxInBlock | undefined; kind: string } {
  if (height === 0n) return { kind: "genesis" }
  const isRewarder = ({ unsignedTx }: TxInBlock["tx"]) =>
    (unsignedTx.kind === "RewardValidatorTx" || unsignedTx.kind === "RewardAutoRenewedValidatorTx") && unsignedTx.txID === txID
  const creator = txs.find(({ tx }) => tx.id === txID || isRewarder(tx))
  if (view.get(tables.rewardUtxos, { txID, outputIndex })) return { creator, kind: "reward" }
  const own = creator?.tx.id === txID ? creator.tx.unsignedTx : undefined
  if (!own || !("outputs" in own)) return { creator, kind: "returned" }
  if (outputIndex < own.outputs.length) return { creator, kind: "payment" }
  return { creator, kind: "stake" in own ? "returned" : "refund" }
}
