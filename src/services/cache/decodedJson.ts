import type { JsonWriter, TextFormat } from "../../core/codec/schema.js"
import type { MaybeWork, Work } from "../../core/lib/work.js"
import { type PrintedJson, printedJson, printedJsonInSteps } from "../../jsonrpc/printedJson.js"
import { type CacheSlot, cachedOr } from "./answerCache.js"

/** The maximum size of a transaction or block that is decoded and printed at once, bytes. It takes a few milliseconds. */
const MAX_BYTES_AT_ONCE = 1 << 14

/** A result that is decoded from bytes, with its printer. */
export interface DecodedResult<T, J> {
  readonly bytes: Uint8Array
  decode(bytes: Uint8Array): T
  readonly schema: JsonWriter<T, J>
  readonly as: TextFormat
}

/** Returns the JSON of a decoded result: from the cache, or made at once if it is small, or in steps. */
export function decodedJson<T, J>(slot: CacheSlot<PrintedJson>, result: DecodedResult<T, J>): MaybeWork<PrintedJson> {
  const { bytes, decode, schema, as } = result
  if (slot.value || bytes.length > MAX_BYTES_AT_ONCE) return cachedOr(slot, () => decodedJsonInSteps(result))
  return slot.store(printedJson(schema, decode(bytes), as))
}

function* decodedJsonInSteps<T, J>({ bytes, decode, schema, as }: DecodedResult<T, J>): Work<PrintedJson> {
  const value = decode(bytes)
  yield
  return yield* printedJsonInSteps(schema, value, as)
}
