import { nodeError } from "../../chaindata/errors.js"
import { printJson } from "../../core/lib/json.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { idText } from "../../core/types/id.js"
import type { Store } from "../../store/store.js"
import type { ForkBase } from "./forkBase.js"

/** The chain that was forked, as the fork's store records it. */
export interface ForkRecord {
  /** Its directory, or the URL from which it was copied. */
  readonly from: string
  /** The last block before the fork: the height in decimal digits, and the ID. */
  readonly height: string
  readonly blockID: string
}

export const forkRecordText = (from: string, { height, blockID }: ForkBase): string =>
  printJson({ from, height: height.toString(), blockID: idText(blockID) })

/** Returns the record of a fork's store; `undefined` if the store is new. */
export function forkRecordIn(store: Store | undefined): ForkRecord | undefined {
  const text = store?.getMeta("fork")
  return text === undefined ? undefined : (parseJson(text) as unknown as ForkRecord)
}

/** Throws `node.other_fork` if the fork belongs to another chain or height than the requested one. */
export function checkSameFork(record: ForkRecord, from: string | undefined, height: bigint | undefined): void {
  if (from !== undefined && from !== record.from) throw nodeError("node.other_fork", { expected: record.from, got: from })
  if (height !== undefined && height.toString() !== record.height) {
    throw nodeError("node.other_fork", { from: record.from, expected: record.height, got: height })
  }
}

/** Throws `node.fork_changed` if the chain below a fork has changed. */
export function checkUnchanged(record: ForkRecord, { height, blockID }: ForkBase): void {
  if (record.height === height.toString() && record.blockID === idText(blockID)) return
  throw nodeError("node.fork_changed", { ...record, found: { height, blockID: idText(blockID) } })
}
