import { wordsOf } from "./openrpc.js"
import { RpcError } from "./rpc.js"

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
  const { sentence, values } = partsOf(error)
  const advice = ADVICE.find(([of]) => of.test(code))?.[1].replace("ADDRESS", address)
  const words =
    code === "rpc.bad_param" ? `${wordsOf(String(data.param).replace(/s\.\d+$/, ""))} is not ${data.expected}` : sentence
  const shown = values
    .filter(([name]) => !SILENT.test(name))
    .map(([name, text]) => (name === "reason" ? text : `${name} ${text}`))
  const details = shown.length === 0 ? [] : [shown.join(", ")]
  return [sentences([words, ...details].join(": ")), advice].filter(Boolean).join(" ")
}

/** Members that say nothing to a person, because the sentence or the form does. */
const SILENT = /^(code|param|expected|txID|height|\w+ID|text|asCb58)$/

/** The sentence of a message, and its values by name as the node wrote them, with their units: `… (weight: 5 AVAX, minimum: 2,000 AVAX)`. */
function partsOf({ message, data }: RpcError): { sentence: string; values: readonly (readonly [string, string])[] } {
  const names = Object.keys(data).filter((name) => name !== "code")
  const start = message.indexOf(` (${names[0]}: `)
  if (start < 0) return { sentence: message, values: [] }
  let rest = message.slice(start + 2, -1)
  const values = names.map((name, i) => {
    const end = i + 1 < names.length ? rest.indexOf(`, ${names[i + 1]}: `) : rest.length
    const text = rest.slice(name.length + 2, end)
    rest = rest.slice(end + 2)
    return [name, text] as const
  })
  return { sentence: message.slice(0, start), values }
}

/** Begins with a capital letter and ends with a full stop; the node's messages do neither. */
const sentences = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[.…]?$/, (end) => end || ".")}`
