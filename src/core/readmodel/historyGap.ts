import { Writer } from "../codec/writer.js"
import { Invalid } from "../lib/invalid.js"
import { Diff } from "../state/diff.js"
import type { View } from "../state/view.js"
import { type HistoryGap, readTables } from "./tables.js"
import { HISTORY_VERSION } from "./versions.js"

/** Returns the first block whose rows of the history are missing, and why; `undefined` if the history has no gap. */
export function historyGap(view: View): HistoryGap | undefined {
  return view.get(readTables.historyGap, null)
}

/** Adds the rows of the history for the blocks from a height on, unless it ended earlier. */
export function addHistory(diff: Diff, height: bigint, add: (rows: Diff) => void): void {
  if (!historyGap(diff)) addRows(diff, height, add)
}

/**
 * Adds rows for the blocks from a height on. If they cannot be made or encoded, none of them is added, the history ends before this height, and
 * the chain continues without them. A failure of the store is thrown.
 */
export function addRows(diff: Diff, height: bigint, add: (rows: Diff) => void): void {
  const error = tryRows(diff, add)
  if (!error || historyGap(diff)) return
  const reason = (error.stack ?? error.message).slice(0, MAX_REASON)
  diff.put(readTables.historyGap, null, { height, version: HISTORY_VERSION, reason })
}

/** Adds rows, or none of them if they cannot be made or encoded; returns the fault then. A failure of the store is thrown. */
export function tryRows(diff: Diff, add: (rows: Diff) => void): Error | undefined {
  const rows = new Diff(diff)
  try {
    add(rows)
    checkRows(rows)
  } catch (error) {
    if (!isFault(error)) throw error
    return error
  }
  rows.applyTo(diff)
  return undefined
}

/** The maximum length of a stored reason. */
const MAX_REASON = 1_000

/** Throws if the value of a row does not fit its codec. A store would throw when the block is committed. */
function checkRows(rows: Diff): void {
  const writer = new Writer()
  for (const [table, edits] of rows.edits) {
    for (const { value } of edits.values()) if (value !== undefined && value !== null) table.value.write(writer, value)
  }
}

/** Returns whether an error is a fault of the program. Refusals, and errors of the system and of LMDB, which have a number, are not. */
function isFault(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof Invalid) && !("errno" in error) && !isNumbered(error)
}

const isNumbered = (error: Error): boolean => typeof (error as { code?: unknown }).code === "number"
