import { utf8 } from "../../core/lib/bytes.js"
import { type Json, printJson } from "../../core/lib/json.js"
import { EscapedText, entriesOf, JsonMembers } from "../../jsonrpc/schema/jsonMembers.js"
import { badParam, type Param } from "../../jsonrpc/schema/param.js"
import { hexParam } from "./params.js"

/** A file of a VM: a JSON object, or a text with its content, or `0x` and hex. */
export const vmFile: Param<Uint8Array | undefined, string | { readonly [member: string]: unknown }, string> = {
  jsonSchema: { type: "string" },
  inputSchema: { type: ["object", "string"] },
  zero: undefined,
  writeJson: (sink, value) => sink.json(Buffer.from(value ?? []).toString("utf8")),
  fromJson(json, _as, path) {
    const plain = plainJson(json)
    if (typeof plain === "string") return plain.startsWith("0x") ? hexParam(path ?? "", plain) : utf8(plain)
    if (typeof plain !== "object" || plain === null || Array.isArray(plain)) {
      throw badParam(path, "an object, a text, or hex with `0x`")
    }
    return utf8(printJson(plain))
  },
}

/** Returns a value of a request as plain JSON. */
function plainJson(value: unknown): Json {
  if (value instanceof EscapedText) return value.value
  if (Array.isArray(value)) return value.map(plainJson)
  const isObject = value instanceof JsonMembers || (typeof value === "object" && value !== null)
  return isObject
    ? Object.fromEntries(entriesOf(value, undefined).map(([name, each]) => [name, plainJson(each)]))
    : (value as Json)
}
