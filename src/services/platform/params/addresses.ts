import { toHex } from "../../../core/lib/bytes.js"
import { Invalid, valueOrUndefined } from "../../../core/lib/invalid.js"
import { ADDRESS_SIZE, type Address, parseShortID } from "../../../core/types/address.js"
import { fromBech32 } from "../../../core/types/bech32.js"
import { idText, P_CHAIN_ID } from "../../../core/types/id.js"
import type { Context } from "../../context.js"
import { platformError } from "../errors.js"
import { chainOf } from "./aliases.js"

/** Reads the addresses of a call: each once, in ascending order. Throws `platform.bad_address`. */
export function parseAddresses(texts: readonly string[], context: Pick<Context, "node">): readonly Address[] {
  if (texts.length === 1) return [readAddress(texts[0] as string, context)]
  return [...new Set(texts.map((text) => readAddress(text, context)))].sort()
}

/** AvalancheGo's message for more addresses than a method takes. */
type CountMessage = (addresses: number, limit: number) => string

const atMost: CountMessage = (addresses, limit) => `${addresses} addresses provided but this method can take at most ${limit}`

/** The message of the methods that list UTXOs. */
export const exceedsMaximum: CountMessage = (addresses, limit) =>
  `number of addresses given, ${addresses}, exceeds maximum, ${limit}`

/** Throws `platform.too_many_addresses` if a call has more than `limit` addresses. */
export function checkAddressCount(addresses: number, limit: number, message = atMost): void {
  if (addresses <= limit) return
  throw platformError("platform.too_many_addresses", { addresses, limit, reference: message(addresses, limit) })
}

/** Reads an address: 20 bytes in cb58, or a chain, a dash and bech32. Throws `platform.bad_address`. */
export function readAddress(text: string, context: Pick<Context, "node">): Address {
  // Base58 has no dash, so an address without one is in cb58.
  const dash = text.indexOf("-")
  if (dash < 0) return parseBare(text, context)
  return parseLocal(text, dash, context)
}

function parseBare(text: string, { node }: Pick<Context, "node">): Address {
  try {
    return parseShortID(text)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw platformError("platform.bad_address", {
      address: text,
      reason: bareReasonOf(text, node.hrp) ?? error.sentence,
      reference: "no separator found in address",
    })
  }
}

/** Describes a text without a dash that is an address elsewhere; `undefined` if it is none that this function knows. */
function bareReasonOf(text: string, hrp: string): string | undefined {
  if (/^0x[0-9a-f]{40}$/i.test(text))
    return `it is an address of EVM chains; those of the P-Chain begin with P-${hrp}1, also for the same key`
  if (valueOrUndefined(() => fromBech32(text))) return `it lacks the chain that it belongs to: P-${text}`
  return
}

function parseLocal(text: string, dash: number, context: Pick<Context, "node">): Address {
  const fail = (reason: string, reference: string) => platformError("platform.bad_address", { address: text, reason, reference })
  const expected = context.node.hrp
  const { hrp, bytes } = decoded(text.slice(dash + 1), expected, fail)
  const name = text.slice(0, dash)
  const chain = chainOf(context, name)
  if (chain === undefined) throw fail(`there is no chain ${name}`, `there is no ID with alias: ${name}`)
  if (hrp !== expected) {
    throw fail(`it belongs to another network: ${hrp}, not ${expected}`, `expected hrp "${expected}" but got "${hrp}"`)
  }
  if (bytes.length !== ADDRESS_SIZE) {
    const reference = `invalid hash length: expected ${ADDRESS_SIZE} bytes but got ${bytes.length}`
    throw fail(`it has ${bytes.length} bytes, not ${ADDRESS_SIZE}`, reference)
  }
  if (chain !== P_CHAIN_ID) {
    const reference = `mismatched chainIDs: expected "${idText(P_CHAIN_ID)}" but got "${idText(chain)}"`
    throw fail(`it belongs to another chain: ${name}`, reference)
  }
  return toHex(bytes) as Address
}

/** Number of characters of an address after its separator: 20 bytes and the checksum. */
const DATA_SIZE = 38

function decoded(text: string, expectedHrp: string, fail: (reason: string, reference: string) => Invalid) {
  try {
    return fromBech32(text)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw fail(reasonOf(text, expectedHrp, error.avalanchegoMessage), error.avalanchegoMessage)
  }
}

/** Describes the mistake in a text that is not an address. */
function reasonOf(text: string, expectedHrp: string, reference: string): string {
  const size = text.slice(text.lastIndexOf("1") + 1).length
  if (!text.includes("1") || size !== DATA_SIZE)
    return `it must be P-${expectedHrp}1 and ${DATA_SIZE} more characters: some are missing or too many`
  if (reference.startsWith("invalid checksum")) return "its checksum does not match: a character is wrong"
  if (text !== text.toLowerCase()) return "its letters must be lower case"
  return reference
}
