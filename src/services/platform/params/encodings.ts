import type { JsonWriter } from "../../../core/codec/schema.js"
import type { Encoding } from "../../../core/types/hexText.js"
import { choice } from "../../../jsonrpc/schema/outputs.js"
import type { Context } from "../../context.js"
import { type EncodedBytes, encodedBytes } from "../../kinds.js"
import { platformError } from "../errors.js"

/** Refuses `json` if a value has no JSON form: always, or as AvalancheGo does only if there is something to encode. */
export function checkTextEncoding(encoding: Encoding, { dialect }: Context): void {
  if (encoding === "json" && dialect === "contract")
    throw platformError("platform.unsupported_encoding", { encoding, reference: "" })
}

/** Encodes bytes as text. `what` starts AvalancheGo's refusal of `json`. */
export function encodedAs(bytes: Uint8Array, encoding: Encoding, what: () => string): EncodedBytes {
  if (encoding === "json") throw platformError("platform.unsupported_encoding", { encoding, reference: what() })
  return { bytes, encoding }
}

/** A value as JSON, or its bytes in one of the other encodings. `description` replaces a JSON Schema of many pages. */
export function encodedOr<T extends object, J>(
  value: JsonWriter<T, J>,
  description: string,
): JsonWriter<T | EncodedBytes, J | string> {
  const either = choice((each: T | EncodedBytes): each is EncodedBytes => "encoding" in each, encodedBytes, value)
  return {
    ...either,
    wholeSchema: either.jsonSchema,
    jsonSchema: { anyOf: [encodedBytes.jsonSchema, { type: "object", description }] },
  }
}
