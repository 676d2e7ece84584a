import { grouped } from "../core/lib/grouped.js"
import { avaxText } from "../core/types/avaxText.js"

/** Formats the lines of an activity log for a person: IDs are shortened, fees are in AVAX. */
export const activityLines: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => string>> = {
  block: ({ height, blockID, blockKind, transactions, size }) =>
    `block ${grouped(height as bigint)}  ${short(blockID)}  ${blockKind}, ${counted(transactions, "transaction")}, ${grouped(size as number)} bytes`,
  transaction: ({ txID, txKind, fee, height, effect }) =>
    `${txKind} ${short(txID)}  block ${grouped(height as bigint)}  fee ${avaxText(fee as bigint)}${effect === "" ? "" : `  ${effect}`}`,
  "refused call": ({ method, reason }) => `refused ${method === "" ? "a request" : method}: ${reason}`,
  "call without an answer": ({ method, reason }) => `${method} gets no answer: ${reason}`,
  "slow call": ({ method, milliseconds }) => `slow ${method}: ${grouped(milliseconds as number)} ms`,
  call: ({ method, milliseconds }) => `${method}: ${grouped(milliseconds as number)} ms`,
  "more refused calls": ({ calls }) => `and ${counted(calls, "more refused call")}`,
  "more blocks": ({ blocks, transactions }) =>
    `and ${counted(blocks, "more block")} with ${counted(transactions, "transaction")}`,
}

const short = (text: unknown): string => `${String(text).slice(0, 5)}…${String(text).slice(-4)}`

/** Prints a count with its noun: `1 block`, `2 blocks`. */
const counted = (count: unknown, noun: string): string => `${grouped(count as number)} ${noun}${Number(count) === 1 ? "" : "s"}`
