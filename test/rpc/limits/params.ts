import { type Json, printJson } from "../../../src/core/lib/json.js"
import { addressText } from "../../../src/core/types/address.js"
import { type ID, idText, type NodeID, nodeIDText, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import type { AnyMethod } from "../../../src/jsonrpc/method.js"

/** The objects of a large chain that clients may request. */
export interface KnownObjects {
  readonly addresses: readonly string[]
  readonly nodeIDs: readonly NodeID[]
  readonly txIDs: readonly ID[]
  readonly height: number
}

/** Parameters of a call, and a description of what is unusual about them. */
export interface NamedParams {
  readonly what: string
  /** Returns the JSON text, which may be large. */
  params(): string
}

type Schema = { readonly properties?: Record<string, { readonly type?: string }> }

/** The parameters of a method's first example, with the largest that the chain has for them. */
export function usualParams(schema: unknown, examples: AnyMethod["examples"], known: KnownObjects): Record<string, Json> {
  const usual = { ...examples[0]?.params } as Record<string, Json>
  for (const name of Object.keys((schema as Schema).properties ?? {})) {
    const value = knownValue(name, known)
    if (value !== undefined) usual[name] = value
  }
  return usual
}

/**
 * Yields the parameters with one member after the other replaced by strange values of `size` bytes: by all of them if `thorough`, otherwise by one,
 * each time the next.
 */
export function* strangeParams(
  schema: unknown,
  usual: Record<string, Json>,
  known: KnownObjects,
  bytes: number,
  thorough: boolean,
): Iterable<NamedParams> {
  for (const [index, [name, { type }]] of Object.entries((schema as Schema).properties ?? {}).entries()) {
    const others = Object.entries(usual).filter(([other]) => other !== name)
    const members = () => others.map(([other, value]) => `"${other}":${printJson(value)}`)
    const texts = strangeTexts(name, type, known, bytes)
    for (const [what, text] of thorough ? texts : oneOf([...texts], index + name.length)) {
      yield { what: `${name} ${what}`, params: () => `{${[...members(), `"${name}":${text()}`].join()}}` }
    }
  }
}

const oneOf = <T>(all: readonly T[], turn: number): readonly T[] => all.slice(turn % all.length).slice(0, 1)

/** The largest value of the chain for a parameter of this name. */
function knownValue(name: string, { addresses, nodeIDs, txIDs, height }: KnownObjects): Json | undefined {
  const texts = addresses.map((address) => addressText(address as never, "local"))
  switch (name) {
    case "addresses":
      return texts.slice(0, 256)
    case "address":
      return texts[0]
    case "nodeIDs":
      return nodeIDs.map(nodeIDText)
    case "nodeID":
      return nodeIDText(nodeIDs[0] as NodeID)
    case "txID":
      return idText(txIDs[0] as ID)
    case "subnetID":
      return idText(PRIMARY_NETWORK_ID)
    case "height":
      return height
    case "size":
      return 65_535
    case "limit":
      return 1024
    case "encoding":
      return "json"
    default:
      return undefined
  }
}

/** JSON texts of `bytes` bytes that are as large or as unusual as a parameter can be. */
function* strangeTexts(
  name: string,
  type: string | undefined,
  known: KnownObjects,
  bytes: number,
): Iterable<readonly [string, () => string]> {
  const times = (text: string) => text.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(text))))
  const items = (item: string) => `[${times(`${item},`)}${item}]`
  if (type === "array") {
    yield ["of all that there are", () => printJson(allOf(name, known).slice(0, bytes / 60))]
    yield ["of one ID over and over", () => items('"11111111111111111111111111111111LpoYY"')]
    yield ["of zeroes", () => items("0")]
    yield ["of empty lists", () => items("[]")]
    yield ["of long texts", () => items(`"${"z".repeat(2000)}"`)]
  }
  if (type === "boolean") yield ["true", () => "true"]
  yield ["of <", () => `"${times("<")}"`]
  yield ["of soft hyphens", () => `"${times("\u00ad")}"`]
  yield ["of escapes", () => `"${times("\\u0001")}"`]
  yield ["of base58", () => `"${"z".repeat(Math.min(bytes, 8192))}"`]
  yield ["of hex", () => `"0x${times("00")}"`]
  yield ["of bech32", () => `"P-local1${times("q")}"`]
  yield ["of digits", () => times("9")]
  yield ["of 65535", () => "65535"]
  yield ["below zero", () => "-1e999"]
  yield ["of objects", () => `{"a":${'{"a":'.repeat(14)}1${"}".repeat(15)}`]
  yield ["nothing", () => "null"]
}

/** All items of a list that the chain has. */
function allOf(name: string, known: KnownObjects): readonly Json[] {
  if (name === "addresses") return known.addresses.map((each) => addressText(each as never, "local"))
  if (name === "ids") return known.txIDs.map(idText)
  const usual = knownValue(name, known)
  return Array.isArray(usual) ? usual : []
}
