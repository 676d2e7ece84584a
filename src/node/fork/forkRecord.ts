import { printJson } from "../../core/lib/json.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { idText } from "../../core/types/id.js"
import { nodeError } from "../errors.js"
import type { ForkBase } from "./forkBase.js"

/** The chain below a fork, as the fork's store remembers it. */
export interface ForkRecord {
  /** Its directory. */
  readonly dir: string
  /** Its last block: the height in decimal digits, and the ID. */
  readonly height: string
  readonly blockID: string
}

export const forkRecordOf = ({ dir, height, blockID }: ForkBase): ForkRecord => ({
  dir,
  height: height.toString(),
  blockID: idText(blockID),
})

export const printForkRecord = ({ dir, height, blockID }: ForkRecord): string => printJson({ dir, height, blockID })

export const readForkRecord = (text: string): ForkRecord => parseJson(text) as unknown as ForkRecord

/** Throws `node.other_fork` where the fork has another chain below it, and `node.fork_changed` where that chain has changed. */
export function checkForkRecord(kept: ForkRecord, found: ForkRecord): void {
  if (kept.dir !== found.dir) throw nodeError("node.other_fork", { expected: kept.dir, got: found.dir })
  if (kept.height === found.height && kept.blockID === found.blockID) return
  throw nodeError("node.fork_changed", { ...kept, found: { height: found.height, blockID: found.blockID } })
}
