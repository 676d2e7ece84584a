import { avaxText, durationText, utcText } from "./format.js"
import { wordsOf } from "./openrpc.js"
import { type Json, printJson, RpcError } from "./rpc.js"

/** What a person can do about an error, by the beginning of its code. */
const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^rpc\.bad_param$/, "Check that the text is complete, or search for it above."],
  [/^platform\.bad_address$/, "Addresses here begin with ADDRESS."],
  [/^(platform|tx)\.unknown_/, "It may belong to another network, wait for its block, or be gone after a revert."],
  [/funds/, "Fund the address in the Lab, or take another account."],
]

/** The error of a call in words for a person, and what to do about it. `address` is the beginning of addresses: `P-local1`. */
export function problemText(error: Error, address: string): string {
  if (!(error instanceof RpcError)) return sentences(error.message)
  const { code, data } = error
  const [what = ""] = error.message.split(" (")
  const advice = ADVICE.find(([of]) => of.test(code))?.[1].replace("ADDRESS", address)
  const words = code === "rpc.bad_param" ? `${wordsOf(String(data.param).replace(/s\.\d+$/, ""))} is not ${data.expected}` : what
  return [sentences([words, ...detailsOf(data)].join(": ")), advice].filter(Boolean).join(" ")
}

/** Members that say nothing to a person, because the sentence or the form does. */
const SILENT = /^(code|param|expected|txID|height|\w+ID|text|asCb58)$/

/** Members that are Unix seconds. */
const TIMES = /^(to|earliest|latest|time|expiry)$/

/** The members of an error in one text, amounts in AVAX and periods in days; none if there are none. */
function detailsOf(data: Readonly<Record<string, Json>>): readonly string[] {
  const shown = Object.entries(data).filter(([name]) => !SILENT.test(name))
  const isPeriod = "duration" in data
  const isAmount = !isPeriod && ("amount" in data || /^rules\.(weight|stake)_too|funds/.test(String(data.code)))
  const textOf = (name: string, value: Json): string => {
    if (typeof value !== "number" && typeof value !== "bigint") return typeof value === "string" ? value : printJson(value)
    if (TIMES.test(name)) return utcText(Number(value))
    if (isPeriod) return durationText(Number(value))
    return isAmount ? `${avaxText(BigInt(value), true)} AVAX` : String(value)
  }
  const texts = shown.map(([name, value]) => (name === "reason" ? textOf(name, value) : `${name} ${textOf(name, value)}`))
  return texts.length === 0 ? [] : [texts.join(", ")]
}

/** Begins with a capital letter and ends with a full stop; the node's messages do neither. */
const sentences = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[.…]?$/, (end) => end || ".")}`
