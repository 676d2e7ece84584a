import type { Json } from "../core/lib/json.js"
import { methodWith } from "./method.js"
import { type PrintedJson, printedJson } from "./printedJson.js"
import { nothing } from "./schema/object.js"
import { json } from "./schema/outputs.js"

/** Makes the method that is found on every path: the whole API in OpenRPC. */
export function discoverMethod(document: Json) {
  let printed: PrintedJson | undefined
  return methodWith<unknown>()({
    name: "rpc.discover",
    summary: "The description of this API in OpenRPC.",
    params: nothing,
    result: json,
    onlyIn: "contract",
    examples: [],
    // Printed once: it has a hundred kilobytes.
    handler: () => {
      printed ??= printedJson(json, document, {})
      return printed
    },
  })
}
