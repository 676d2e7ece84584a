import { grouped } from "../core/lib/grouped.js"
import { avaxText } from "../core/types/avaxText.js"

/** Formats the lines of an activity log for a person: IDs are shortened, fees are in AVAX. */
export const activityLines: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => string>> = {
  block: ({ height, blockID, blockKind, transactions, size }) =>
    `block ${grouped(height as bigint)}  ${short(blockID)}  ${blockKind}, ${transactions} transaction(s), ${grouped(size as number)} bytes`,
  transaction: ({ txID, txKind, fee, height, effect }) =>
    `${txKind} ${short(txID)}  block ${grouped(height as bigint)}  fee ${avaxText(fee as bigint)}${effect === "" ? "" : `  ${effect}`}`,
  "refused call": ({ method, reason }) => `refused ${method}: ${reason}`,
  "slow call": ({ method, milliseconds }) => `slow ${method}: ${grouped(milliseconds as number)} ms`,
  call: ({ method, milliseconds }) => `${method}: ${grouped(milliseconds as number)} ms`,
  "more refused calls": ({ calls }) => `and ${grouped(calls as number)} more refused call(s)`,
  "more blocks": ({ blocks, transactions }) =>
    `and ${grouped(blocks as number)} more block(s) with ${grouped(transactions as number)} transaction(s)`,
}

const short = (text: unknown): string => `${String(text).slice(0, 5)}…${String(text).slice(-4)}`
