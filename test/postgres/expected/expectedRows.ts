import { type Block, txsOf } from "../../src/core/blocks/block.js"
import type { Staker } from "../../src/core/state/staker.js"
import { tables } from "../../src/core/state/tables.js"
import type { View } from "../../src/core/state/view.js"
import { addressText } from "../../src/core/types/address.js"
import { idText, nodeIDText } from "../../src/core/types/id.js"
import { unlockedInput } from "../../src/core/types/input.js"
import { unlocked } from "../../src/core/types/output.js"
import { type Utxo, utxoID } from "../../src/core/types/utxo.js"

type Rows = Map<string, Record<string, unknown>>

/**
 * The rows of a published chain as the states after each block show them, without the read model and the code that publishes: what
 * differs between the states before and after a block is what the block did.
 */
export class StateHistory {
  readonly outputs: Rows = new Map()
  readonly inputs: Rows = new Map()
  readonly stakers: Rows = new Map()
  readonly ends: Rows = new Map()
  readonly rewards: Rows = new Map()
  readonly setChanges: Rows = new Map()
  readonly txs: Rows = new Map()
  readonly #hrp: string
  #utxos = new Set<string>()
  #stakers = new Set<string>()
  #members = new Map<string, bigint>()
  #waiting: Block[] = []

  constructor(hrp: string, genesis: View) {
    this.#hrp = hrp
    this.#look(genesis, [], 0n, 0n)
  }

  /** Takes a block in, with the state after it. A proposal counts together with its option. */
  remember(block: Block, view: View): void {
    this.#waiting.push(block)
    if (block.kind.endsWith("ProposalBlock")) return
    const [first] = this.#waiting as [Block]
    this.#look(view, this.#waiting, first.height, block.height)
    this.#waiting = []
  }

  #look(view: View, blocks: readonly Block[], height: bigint, last: bigint): void {
    this.#lookAtTxs(view, blocks)
    this.#lookAtUtxos(view, height)
    this.#lookAtStakers(view, height)
    this.#lookAtMembers(view, last)
    for (const [, reward] of view.rows(tables.rewardUtxos)) {
      const key = placeOf(reward)
      if (!this.rewards.has(key)) this.rewards.set(key, { ...this.#amountOf(reward), height })
    }
  }

  #lookAtTxs(view: View, blocks: readonly Block[]): void {
    for (const block of blocks) {
      for (const [index, tx] of txsOf(block).entries()) {
        const status = view.get(tables.txs, tx.id)?.status === 4 ? "committed" : "aborted"
        const row = { tx_id: idText(tx.id), height: block.height, tx_index: index, kind: tx.unsignedTx.kind, status }
        this.txs.set(tx.id, row)
        if (!("inputs" in tx.unsignedTx)) continue
        for (const [i, output] of tx.unsignedTx.outputs.entries())
          this.#addPassing(blocks, { ...output, txID: tx.id, outputIndex: i }, block.height)
        for (const [i, { txID, outputIndex, assetID, input }] of tx.unsignedTx.inputs.entries()) {
          this.inputs.set(placeOf({ txID, outputIndex }), {
            tx_id: idText(txID),
            output_index: outputIndex,
            spent_by: idText(tx.id),
            input_index: i,
            height: block.height,
            asset_id: idText(assetID),
            amount: String(unlockedInput(input).amount),
          })
        }
      }
    }
  }

  /** An output that is spent in the block that creates it is in no state. */
  #addPassing(blocks: readonly Block[], utxo: Utxo, height: bigint): void {
    const isSpent = blocks
      .flatMap((each) => txsOf(each))
      .some(({ unsignedTx }) => "inputs" in unsignedTx && unsignedTx.inputs.some((each) => placeOf(each) === placeOf(utxo)))
    if (isSpent) this.outputs.set(placeOf(utxo), { ...this.#outputOf(utxo), height })
  }

  #lookAtUtxos(view: View, height: bigint): void {
    const now = new Set<string>()
    for (const [id, utxo] of view.rows(tables.utxos)) {
      now.add(id)
      if (!this.#utxos.has(id)) this.outputs.set(placeOf(utxo), { ...this.#outputOf(utxo), height })
    }
    this.#utxos = now
  }

  #lookAtStakers(view: View, height: bigint): void {
    const all = [...view.values(tables.currentStakers), ...view.values(tables.pendingStakers)]
    for (const staker of all) {
      if (!this.stakers.has(staker.txID)) this.stakers.set(staker.txID, { ...stakerOf(staker), height })
    }
    const now = new Set(all.map(({ txID }) => txID as string))
    for (const txID of this.#stakers) if (!now.has(txID)) this.ends.set(txID, { tx_id: idText(txID as never), height })
    this.#stakers = now
  }

  #lookAtMembers(view: View, height: bigint): void {
    const now = new Map<string, bigint>()
    for (const [{ subnetID, nodeID }, { weight }] of view.rows(tables.members)) {
      now.set(`${idText(subnetID)} ${nodeIDText(nodeID)}`, weight)
    }
    for (const key of new Set([...now.keys(), ...this.#members.keys()])) {
      const change = (now.get(key) ?? 0n) - (this.#members.get(key) ?? 0n)
      const [subnet_id, node_id] = key.split(" ")
      if (change !== 0n) this.setChanges.set(`${key} ${height}`, { subnet_id, node_id, height, weight_change: String(change) })
    }
    this.#members = now
  }

  #amountOf({ txID, outputIndex, assetID, output }: Utxo) {
    const { amount, addresses } = unlocked(output)
    return {
      tx_id: idText(txID),
      output_index: outputIndex,
      asset_id: idText(assetID),
      amount: String(amount),
      addresses: addresses.map((each) => addressText(each, this.#hrp)),
    }
  }

  #outputOf(utxo: Utxo) {
    const { threshold, locktime } = unlocked(utxo.output)
    const stakeable = utxo.output.kind === "LockOut" ? utxo.output.locktime : 0n
    return {
      ...this.#amountOf(utxo),
      threshold: BigInt(threshold),
      locktime: String(locktime),
      stakeable_locktime: String(stakeable),
    }
  }
}

const placeOf = ({ txID, outputIndex }: Pick<Utxo, "txID" | "outputIndex">): string => utxoID(txID, outputIndex)

function stakerOf({ txID, subnetID, nodeID, weight, startTime, endTime, publicKey, priority }: Staker) {
  const isValidator = [2, 4, 6, 7, 9, 11].includes(priority)
  return {
    tx_id: idText(txID),
    role: isValidator ? "validator" : "delegator",
    subnet_id: idText(subnetID),
    node_id: nodeIDText(nodeID),
    weight: String(weight),
    start_time: new Date(Number(startTime) * 1000),
    end_time: new Date(Number(endTime) * 1000),
    public_key: publicKey ? Buffer.from(publicKey) : null,
  }
}

/** The amounts that outputs gave to each address and inputs took from it, by height and asset. */
export function historySums(outputs: Rows, inputs: Rows): Map<string, { received: bigint; sent: bigint }> {
  const sums = new Map<string, { received: bigint; sent: bigint }>()
  const add = (height: unknown, output: Record<string, unknown> | undefined, way: "received" | "sent") => {
    for (const address of (output?.addresses as string[] | undefined) ?? []) {
      const key = `${address} ${height} ${output?.asset_id}`
      const sum = sums.get(key) ?? { received: 0n, sent: 0n }
      sum[way] += BigInt(output?.amount as string)
      sums.set(key, sum)
    }
  }
  for (const output of outputs.values()) add(output.height, output, "received")
  for (const [key, input] of inputs) add(input.height, outputs.get(key), "sent")
  return sums
}
