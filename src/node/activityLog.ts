import { type Block, txsOf } from "../core/blocks/block.js"
import { type DescribeOptions, describeTx } from "../core/txs/describeTx.js"
import { burnedBy } from "../core/txs/flow.js"
import type { Tx } from "../core/txs/tx.js"
import { idText } from "../core/types/id.js"
import type { AcceptedEvent } from "../services/context.js"
import { LineBudget } from "./lineBudget.js"
import type { Log } from "./log.js"

/** How many lines about blocks and transactions are written in a second; the others are counted. */
const BLOCK_LINES_PER_SECOND = 50

/** What an activity log is made with. */
export interface ActivityLogOptions extends DescribeOptions {
  readonly log: Log
  /** Unix milliseconds. */
  now(): number
}

/** Writes a line to the log for each accepted block and each of its transactions. */
export class ActivityLog {
  readonly #options: ActivityLogOptions
  readonly #budget: LineBudget
  #blocksLeftOut = 0

  constructor(options: ActivityLogOptions) {
    this.#options = options
    this.#budget = new LineBudget(BLOCK_LINES_PER_SECOND, options.now, (lines) => {
      options.log.info("more blocks", { blocks: this.#blocksLeftOut, transactions: lines - this.#blocksLeftOut })
      this.#blocksLeftOut = 0
    })
  }

  /** Reports a change of the chain. */
  accepted(event: AcceptedEvent): void {
    const { log } = this.#options
    if (!log.isEnabled("info")) return
    if (event.kind === "revert") log.info("revert", { height: event.height, blockID: idText(event.id) })
    if (event.kind === "block") this.#block(event.block)
  }

  /** Reports what was left out so far. */
  flush(): void {
    this.#budget.flush()
  }

  #block(block: Block): void {
    const txs = txsOf(block)
    for (const tx of txs) this.#transaction(tx, block)
    if (!this.#budget.take()) {
      this.#blocksLeftOut++
      return
    }
    this.#options.log.info("block", {
      height: block.height,
      blockID: idText(block.id),
      blockKind: block.kind,
      transactions: txs.length,
      size: block.bytes.length,
    })
  }

  #transaction({ id, unsignedTx }: Tx, { height }: Block): void {
    if (!this.#budget.take()) return
    this.#options.log.info("transaction", {
      txID: idText(id),
      txKind: unsignedTx.kind,
      fee: burnedBy(unsignedTx, this.#options.avaxAssetID),
      height,
      effect: describeTx(unsignedTx, this.#options),
    })
  }
}
