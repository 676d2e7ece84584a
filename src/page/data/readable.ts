import { Cached } from "./cached.js"
import { decode, isObject, type JsonObject } from "./decoded.js"
import { type Json, platform } from "./rpc.js"

/** The number of elements from which a list of small numbers is bytes: the shortest, a public key, has 48. */
const BYTES = 32

/** Returns a value of the chain in the form for people: bytes as hex, node IDs and addresses as text, Warp messages decoded. */
export async function readable(value: Json, name = ""): Promise<Json> {
  if (Array.isArray(value)) {
    const items = value as readonly Json[]
    return isBytes(items) ? hexOf(items) : Promise.all(items.map((each) => readable(each, name)))
  }
  if (isObject(value)) return readableObject(value)
  if (typeof value !== "string") return value
  const isHex = value.startsWith("0x")
  if (isHex && (name === "message" || name === "payload")) return readableMessage(value, name)
  if (isHex && name === "nodeID") return formOf(value, "nodeID")
  // Messages write addresses as short IDs.
  return name === "addresses" && !value.includes("-") ? formOf(value, "address") : value
}

/** Returns an object of the chain in the form for people. */
export async function readableObject(value: JsonObject): Promise<JsonObject> {
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await readable(each, name)] as const)),
  )
}

const isBytes = (items: readonly Json[]): items is readonly number[] =>
  items.length >= BYTES && items.every((each) => typeof each === "number" && each < 256)

const hexOf = (bytes: readonly number[]): string => `0x${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`

/** Decodes a Warp message or its content; other bytes stay hex. */
async function readableMessage(hex: string, name: string): Promise<Json> {
  const found = await decode(hex, name === "message" ? "SignedMessage" : undefined).catch(() => undefined)
  return found ? { kind: found.kind, ...(await readableObject(found.value)) } : hex
}

const forms = new Cached<string>(4096)

/** Returns another form of a text that the node knows; the text itself if the node does not answer. */
function formOf(text: string, form: "nodeID" | "address"): Promise<string> {
  const ask = async () => {
    const answer = await platform("identify", { text })
    return answer.forms[form] ?? text
  }
  return forms.of(`${form} ${text}`, ask).catch(() => text)
}
