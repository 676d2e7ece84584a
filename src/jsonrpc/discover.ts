import type { Json } from "../core/lib/json.js"
import { LruCache } from "../core/lib/lruCache.js"
import { methodWith } from "./method.js"
import { type PrintedJson, printedJson } from "./printedJson.js"
import { nothing } from "./schema/object.js"
import { json } from "./schema/outputs.js"

/** Returns the description of an API as JSON text, for a server at this address. */
export type PrintedDescription = (serverUrl: string) => PrintedJson

/** Number of addresses for which the description is cached. Each description has about a hundred kilobytes. */
const MAX_ADDRESSES = 8

/** Prints a description of an API once for each of the addresses at which clients reach the server. */
export function printedDescription(describe: (serverUrl: string) => Json): PrintedDescription {
  const printed = new LruCache<PrintedJson>(MAX_ADDRESSES)
  return (serverUrl) => {
    const found = printed.get(serverUrl)
    if (found) return found
    const made = printedJson(json, describe(serverUrl), {})
    printed.set(serverUrl, made)
    return made
  }
}

/** Makes `rpc.discover`, the method that every path has: it returns the description of the whole API in OpenRPC. */
export function discoverMethod(description: PrintedDescription) {
  return methodWith<unknown>()({
    name: "rpc.discover",
    summary: "Returns the OpenRPC description of this API.",
    params: nothing,
    result: json,
    examples: [],
    handler: (_params, _context, { serverUrl = "" }) => description(serverUrl),
  })
}
