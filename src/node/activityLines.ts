import { groupThousands } from "../core/lib/groupThousands.js"
import { avaxText } from "../core/types/avaxText.js"

/** Formats the lines of an activity log for a person: IDs are shortened, fees are in AVAX. */
export const activityLines: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => string>> = {
  block: ({ height, blockID, blockKind, transactions, size }) =>
    `block ${groupThousands(height as bigint)}  ${short(blockID)}  ${blockKind}, ${counted(transactions, "transaction")}, ${groupThousands(size as number)} bytes`,
  transaction: ({ txID, txKind, fee, height, effect }) =>
    `${txKind} ${short(txID)}  block ${groupThousands(height as bigint)}  fee ${avaxText(fee as bigint)}${effect === "" ? "" : `  ${effect}`}`,
  "refused call": ({ method, reason }) => `refused ${method === "" ? "a request" : method}: ${reason}`,
  "call without an answer": ({ method, reason }) => `${method} gets no answer: ${reason}`,
  "slow call": ({ method, milliseconds }) => `slow ${method}: ${groupThousands(milliseconds as number)} ms`,
  call: ({ method, milliseconds }) => `${method}: ${groupThousands(milliseconds as number)} ms`,
  "more refused calls": ({ calls }) => `and ${counted(calls, "more refused call")}`,
  "more blocks": ({ blocks, transactions }) =>
    `and ${counted(blocks, "more block")} with ${counted(transactions, "transaction")}`,
}

const short = (text: unknown): string => `${String(text).slice(0, 5)}…${String(text).slice(-4)}`

/** Prints a count with its noun: `1 block`, `2 blocks`. */
const counted = (count: unknown, noun: string): string =>
  `${groupThousands(count as number)} ${noun}${Number(count) === 1 ? "" : "s"}`
