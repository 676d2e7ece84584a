import { type Block, txsOf } from "../../../src/core/blocks/block.js"
import type { Genesis } from "../../../src/core/genesis/genesis.js"
import { hrpOf } from "../../../src/core/networks/names.js"
import type { Rules } from "../../../src/core/rules/context.js"
import { priceOf } from "../../../src/core/rules/gas.js"
import { tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import { type Address, addressText } from "../../../src/core/types/address.js"
import { EMPTY_ID, idText } from "../../../src/core/types/id.js"
import { MoneyRows } from "./moneyRows.js"
import { StakingRows } from "./stakingRows.js"
import { SubnetRows } from "./subnetRows.js"

/** A row as the client library reads it. */
export type Row = Record<string, unknown>

/** A transaction of a block. */
export interface TxInBlock {
  readonly tx: Tx
  readonly index: number
  readonly height: bigint
  readonly isCommitted: boolean
}

/** Blocks that were accepted together, a proposal with its option, and the state after them. */
export interface Step {
  /** The height of the first of them. */
  readonly height: bigint
  /** The height of the last of them. */
  readonly last: bigint
  readonly txs: readonly TxInBlock[]
  /** The time of the chain after them. */
  readonly time: Date
  readonly view: View
}

const dateOf = (seconds: bigint): Date => new Date(Number(seconds) * 1000)

/**
 * The rows of a published chain as its blocks and the states after them show them, without the read model and the code that publishes: the
 * effects of a block are the differences between the states before and after it.
 */
export class ExpectedRows {
  readonly blocks: Row[] = []
  readonly money: MoneyRows
  readonly staking: StakingRows
  readonly subnets: SubnetRows
  #waiting: Block[] = []

  readonly #rules: Rules
  /** The prices after the last block. */
  #prices: Row

  constructor(rules: Rules, { block, timestamp, body }: Genesis, view: View) {
    this.#rules = rules
    this.#prices = this.#pricesOf(view)
    const hrp = hrpOf(rules.networkID)
    const { validators, chains } = body()
    const address = (value: Address) => addressText(value, hrp)
    this.money = new MoneyRows(address)
    this.staking = new StakingRows(address)
    this.subnets = new SubnetRows(address)
    const time = dateOf(timestamp)
    this.blocks.push({ ...blockRow({ ...block, height: 0n, kind: "Genesis" }, 0, time), ...this.#prices })
    const txs = [...validators, ...chains].map((tx, index) => ({ tx, index, height: 0n, isCommitted: true }))
    this.#add({ height: 0n, last: 0n, txs, time, view })
  }

  /** Adds the rows of a block with the state after it. A proposal counts together with its option. */
  remember(block: Block, view: View): void {
    this.#waiting.push(block)
    if (block.kind.endsWith("ProposalBlock")) return
    const blocks = this.#waiting
    const time = dateOf(view.get(tables.timestamp, null) as bigint)
    const isCommitted = (tx: Tx) => view.get(tables.txs, tx.id)?.status === 4
    const txs = blocks.flatMap((each) =>
      txsOf(each).map((tx, index) => ({ tx, index, height: each.height, isCommitted: isCommitted(tx) })),
    )
    for (const each of blocks) {
      // A proposal changes nothing until it is decided.
      if (each === block) this.#prices = this.#pricesOf(view)
      this.blocks.push({ ...blockRow(each, txsOf(each).length, time), ...this.#prices })
    }
    this.#add({ height: (blocks[0] as Block).height, last: block.height, txs, time, view })
    this.#waiting = []
  }

  #pricesOf(view: View): Row {
    const { dynamicFee, validatorFee } = this.#rules.params
    const [excess, validatorExcess] = [view.get(tables.gas, null)?.excess ?? 0n, view.get(tables.l1Excess, null) ?? 0n]
    return {
      gas_price: String(priceOf(dynamicFee, excess)),
      validator_price: String(priceOf(validatorFee, validatorExcess)),
    }
  }

  #add(step: Step): void {
    this.money.add(step)
    this.staking.add(step)
    this.subnets.add(step, this.money)
  }

  /** The rows of every table, in any order. */
  byTable(): Readonly<Record<string, Iterable<Row>>> {
    return { blocks: this.blocks, ...this.money.byTable(), ...this.staking.byTable(), ...this.subnets.byTable() }
  }
}

function blockRow(
  { height, id, parentID, kind, bytes }: Pick<Block, "height" | "id" | "parentID" | "bytes"> & { kind: string },
  txs: number,
  time: Date,
): Row {
  return {
    height,
    block_id: idText(id),
    parent_id: idText(parentID ?? EMPTY_ID),
    time,
    kind,
    tx_count: txs,
    size: bytes.length,
    bytes: new Uint8Array(bytes),
    wrapper_id: null,
    wrapper_head: null,
    wrapper_tail: null,
    warp_height: null,
  }
}
