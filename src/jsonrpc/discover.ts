import { type Json, printJson } from "../core/lib/json.js"
import { methodWith, Raw } from "./method.js"
import { answer } from "./result.js"
import { nothing } from "./schema/kinds.js"

/** Makes the method that is found on every path: the whole API in OpenRPC. */
export function discoverMethod(document: Json) {
  let printed: Raw | undefined
  return methodWith<unknown>()({
    name: "rpc.discover",
    summary: "The description of this API in OpenRPC.",
    params: nothing,
    result: answer.json,
    onlyIn: "contract",
    examples: [],
    // Printed once: it has a hundred kilobytes.
    handler: () => {
      printed ??= new Raw(Buffer.from(printJson(document)))
      return printed
    },
  })
}
