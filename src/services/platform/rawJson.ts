import { type Json, printJson } from "../../core/lib/json.js"
import { Raw } from "../../jsonrpc/method.js"

/** JSON as the bytes of an answer. */
export const rawOf = (json: Json): Raw => new Raw(Buffer.from(printJson(json)))
