import { isActive } from "../networks/upgrades.js"
import { Diff } from "../state/diff.js"
import { TxStatus } from "../state/tables.js"
import { txError } from "../txs/errors.js"
import { executeTx, withTxStep } from "../txs/execute.js"
import { tx } from "../txs/tx.js"
import { commonFields, defineBlock } from "./defineBlock.js"
import { blockError } from "./errors.js"
import { executionBeforeBanff, recordTx, requireState } from "./steps.js"

/** Executes one import or export. Until Apricot Phase 5, which has its own refusal after the check of the height. */
export const apricotAtomicBlock = defineBlock({
  kind: "ApricotAtomicBlock",
  typeID: 4,
  fields: { ...commonFields, tx },
  txs: (block) => [block.tx],

  execute({ tx, height }, parent, blockContext) {
    const { timestamp } = parent
    if (isActive(blockContext.upgrades, "apricotPhase5", timestamp)) {
      throw blockError("block.atomic_after_phase_5", { timestamp, phase5: blockContext.upgrades.times.apricotPhase5 })
    }
    const { kind } = tx.unsignedTx
    return withTxStep("atomic", tx, () => {
      if (kind !== "ImportTx" && kind !== "ExportTx") throw txError("tx.wrong_place", { kind })
      const diff = new Diff(requireState(parent))
      const imports = executeTx(tx, diff, executionBeforeBanff(blockContext))
      recordTx(diff, tx, height, TxStatus.committed)
      return { kind: "decided", diff, imports } as const
    })
  },
})
