import { BOUND_FORMS, type ChainBound } from "../../../core/lib/chainBound.js"
import { printRfc3339 } from "../../../core/lib/go/rfc3339.js"
import { type ChainPart, heightAtTime, heightsOf, type MomentRange } from "../../../core/readmodel/explorer/moments.js"
import { hasExplorerRows } from "../../../core/readmodel/explorer/projectExplorer.js"
import { historyGap } from "../../../core/readmodel/historyGap.js"
import type { PastReader, View } from "../../../core/state/view.js"
import { txTypes } from "../../../core/txs/index.js"
import type { Address } from "../../../core/types/address.js"
import { described, list, oneOf, optional, string, withDefault } from "../../../jsonrpc/schema/kinds.js"
import type { Context } from "../../context.js"
import { chainBound } from "../../kinds.js"
import { platformError } from "../errors.js"
import { checkAddressCount, parseAddresses } from "./addresses.js"
import { limitOf, pageParams, placeOf } from "./cursors.js"
import { requireReached } from "./heights.js"

/** The parameter that limits a list to some kinds of what it lists. */
export const kindsParam = <const T extends string>(what: string, names: readonly T[]) =>
  described(withDefault(list(oneOf<T>(...names)), []), `Only ${what} of these kinds; all kinds by default.`)

/** The parameter that limits a list to some kinds of transactions. */
export const txKindsParam = kindsParam(
  "transactions",
  txTypes.map(({ kind }) => kind),
)

/** The maximum number of addresses in one call. */
const MAX_ADDRESSES = 64

/** Parameters of the methods about the past of addresses. */
export const addressParams = {
  address: described(withDefault(string, ""), "An address."),
  addresses: described(withDefault(list(string), []), `Several addresses, at most ${MAX_ADDRESSES} together with \`address\`.`),
}

/** Reads the addresses of a call, each once. Throws `platform.no_addresses`, `platform.too_many_addresses` and `platform.bad_address`. */
export function addressesOf(
  { address, addresses }: { readonly address: string; readonly addresses: readonly string[] },
  context: Context,
): readonly Address[] {
  const texts = address === "" ? addresses : [address, ...addresses]
  if (texts.length === 0) throw platformError("platform.no_addresses")
  checkAddressCount(texts.length, MAX_ADDRESSES)
  return parseAddresses(texts, context)
}

/** Parameters that limit a list to a part of the chain. */
export const periodParams = {
  from: described(
    optional(chainBound("from")),
    `The first block: ${BOUND_FORMS} from 1000000000 on. A smaller number is a height, also if it looks like a year.`,
  ),
  to: described(optional(chainBound("to")), "The last block, in the same forms; a date includes the whole day, in UTC."),
}

/** Parameters of a list of the past. */
export const listParams = { ...periodParams, ...pageParams }

/** The values of these parameters. */
interface ListCall extends ChainPart {
  readonly limit: number
  readonly cursor: string
}

/** A page of a list, newest first. */
export interface Page extends MomentRange {
  readonly limit: number
}

/**
 * Reads the page of a list; `undefined` if the chain has no block of it. `check` gets the highest height of the list. Throws
 * `platform.bad_cursor` and what `check` throws.
 */
export async function pageOf(
  { limit, cursor, from, to }: ListCall,
  past: PastReader,
  context: Context,
  check: typeof requireHistory = requireHistory,
): Promise<Page | undefined> {
  const page = { limit: limitOf(limit), ...placeOf(cursor) }
  const heights = await heightsOf({ from, to }, past, context.height)
  check(context, heights?.to)
  return heights && { ...page, ...heights }
}

/** The parameter for the block after which a state of the past is returned. */
export const heightParam = (what: string) =>
  described(
    chainBound("to"),
    `The block after which ${what} returned: ${BOUND_FORMS} from 1000000000 on; a date is its last second.`,
  )

/** Returns the height of such a block. Throws `platform.future_height`, `platform.before_genesis` and as `requireHistory`. */
export async function pastHeight({ kind, value }: ChainBound, past: PastReader, context: Context): Promise<bigint> {
  if (kind === "height") requireReached(value, context)
  const height = kind === "height" ? value : await heightAtTime(past, value, context.height)
  if (height === undefined) throw platformError("platform.before_genesis", { time: printRfc3339(value) })
  requireHistory(context, height)
  return height
}

/**
 * Checks that the rows for explorers include the blocks up to a height, by default all. Throws `platform.no_history` and
 * `platform.history_incomplete`.
 */
export function requireHistory(context: Pick<Context, "view" | "height">, upTo = context.height): void {
  requireNoGap(context, upTo)
  if (!hasHistory(context, upTo)) throw platformError("platform.no_history")
}

/** Returns whether the rows for explorers include the blocks up to a height. Rows without a gap that do not include the last block are not used. */
export function hasHistory({ view, height }: Pick<Context, "view" | "height">, upTo = height): boolean {
  return hasExplorerRows(view, historyGap(view) ? upTo : height)
}

/** Checks that the history has no gap up to a height, by default up to the last block. Throws `platform.history_incomplete`. */
export function requireNoGap({ view, height }: { readonly view: View; readonly height: bigint }, upTo = height): void {
  const gap = historyGap(view)
  if (gap && upTo >= gap.height) throw platformError("platform.history_incomplete", { missingFrom: gap.height })
}
