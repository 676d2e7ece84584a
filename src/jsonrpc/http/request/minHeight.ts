import type { Dialect } from "../../schema/param.js"
import { errorText, type HttpResponse, heightHeader } from "../response/send.js"
import type { Exchange } from "./exchange.js"

/** The request header with the minimum height of the answer, as Node spells it. */
export const MIN_HEIGHT = "serac-min-height"

/** The time that a request waits for its `Serac-Min-Height`, milliseconds. */
export const MAX_HEIGHT_WAIT = 2000

const MAX_HEIGHT = (1n << 64n) - 1n

/** Reads the header `Serac-Min-Height` of a request, and refuses a text that is not a height. */
export function readMinHeight(exchange: Exchange): HttpResponse | undefined {
  const text = exchange.request.headers[MIN_HEIGHT]
  if (text === undefined) return undefined
  const isHeight = typeof text === "string" && /^\d{1,20}$/.test(text) && BigInt(text) <= MAX_HEIGHT
  if (!isHeight) return errorText(400, "the header Serac-Min-Height must be one height in decimal digits, such as 1234")
  exchange.minHeight = BigInt(text)
  return undefined
}

/**
 * Returns whether the answer has the header `Serac-Height`. It always does in Serac's own dialect. In AvalancheGo's dialect, which repeats
 * its answers header by header, it does only if the request names a height.
 */
export function sendsHeight({ route, minHeight }: Exchange): boolean {
  return minHeight !== undefined || (route?.kind === "rpc" && route.endpoint.dialect === "contract")
}

/** Returns the same for a stream of events. */
export const sendsStreamHeight = ({ minHeight }: Exchange, dialect: Dialect): boolean =>
  dialect === "contract" || minHeight !== undefined

/** The answer to a request whose height the server did not reach in time. */
export function tooLow(height: bigint, minHeight: bigint): HttpResponse {
  const answer = errorText(
    503,
    `the height of this server is ${height}, below the Serac-Min-Height ${minHeight}: ask again later`,
  )
  return { ...answer, headers: [...answer.headers, ...heightHeader(height), "Retry-After", "1"] }
}
