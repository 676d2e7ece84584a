import { foldedName, replaceLoneSurrogates } from "../lib/go/goText.js"
import { type Invalid, valueOrThrow } from "../lib/invalid.js"
import { type Json, printJson } from "../lib/json.js"
import { parseJson } from "../lib/parseJson.js"
import { genesisError } from "./errors.js"

/**
 * A value of a genesis file as Go's reader reads it, and its path (`allocations[3].ethAddr`). Unknown members are ignored, missing members and
 * null are zero, names match in any case, and the last of several equal names counts.
 */
export class GoValue {
  readonly #json: Json | undefined
  readonly #parent: GoValue | undefined
  /** The name or the index in the parent. */
  readonly #name: string | number

  private constructor(json: Json | undefined, parent?: GoValue, name: string | number = "") {
    this.#json = json ?? undefined
    this.#parent = parent
    this.#name = name
  }

  /** Parses a text that is one JSON value. Throws `genesis.malformed` with the offset of the mistake. */
  static parse(text: string): GoValue {
    return valueOrThrow(
      () => new GoValue(parseJson(text, { number: plainDigits, put: putFolded })),
      ({ sentence: reason, data }) => genesisError("genesis.malformed", { reason, ...data }),
    )
  }

  get isAbsent(): boolean {
    return this.#json === undefined
  }

  member(name: string): GoValue {
    const json = this.#json ?? {}
    if (typeof json !== "object" || Array.isArray(json)) throw this.fail("not an object")
    const members = json as { readonly [name: string]: Json }
    return new GoValue(members[foldedName(name)], this, name)
  }

  /**
   * Returns the same as `member(name).integer(limit)` without an intermediate object, because a genesis has hundreds of thousands of
   * numbers.
   */
  integerOf(name: string, limit: bigint): bigint {
    const json = this.#json
    const found = typeof json === "object" && !Array.isArray(json) ? (json as Record<string, Json>)[foldedName(name)] : undefined
    return typeof found === "bigint" && found <= limit ? found : this.member(name).integer(limit)
  }

  items(): GoValue[] {
    const json = this.#json ?? []
    if (!Array.isArray(json)) throw this.fail("not an array")
    return json.map((item: Json, i) => new GoValue(item, this, i))
  }

  text(): string {
    const json = this.#json ?? ""
    if (typeof json !== "string") throw this.fail("not a string")
    return replaceLoneSurrogates(json)
  }

  integer(limit: bigint): bigint {
    const json = this.#json ?? 0n
    if (typeof json !== "bigint") throw this.fail("not an integer in plain digits")
    if (json > limit) throw this.fail(`above ${limit}`)
    return json
  }

  /** Converts the text with `read`, whose refusal becomes a refusal of this field. `stage` starts AvalancheGo's message. */
  parsed<T>(read: (text: string) => T, stage: "unable to parse config" | "could not unmarshal genesis JSON"): T {
    const text = this.text()
    return valueOrThrow(
      () => read(text),
      (refusal) => this.fail(refusal.sentence, `${stage}: ${refusal.avalanchegoMessage}`),
    )
  }

  fail(reason: string, reference?: string): Invalid {
    const got = printJson(this.#json)
    return genesisError("genesis.bad_field", {
      field: this.#place(),
      reason,
      got: got.length > 80 ? `${got.slice(0, 80)}…` : got,
      ...(reference === undefined ? {} : { reference }),
    })
  }

  #place(): string {
    if (!this.#parent) return ""
    const place = this.#parent.#place()
    if (typeof this.#name === "number") return `${place}[${this.#name}]`
    return place === "" ? this.#name : `${place}.${this.#name}`
  }
}

/** The number of digits up to which a number is exact, and the conversion through it is faster. */
const EXACT_DIGITS = 15

/** Reads integers in plain digits as bigints, which distinguishes them from 1.0, 1e3 and -0. */
function plainDigits(text: string): Json {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < DIGIT_0 || code > DIGIT_9) return Number(text)
  }
  return text.length <= EXACT_DIGITS ? BigInt(Number(text)) : BigInt(text)
}

const [DIGIT_0, DIGIT_9] = [0x30, 0x39]

function putFolded(members: Record<string, Json>, key: string, value: Json): void {
  const name = foldedName(key)
  // No field has this name, and assigning it would change the prototype.
  if (name === "__proto__") return
  // As in Go, a later null empties a list or object and leaves a number or text alone.
  if (value !== null || typeof members[name] === "object") members[name] = value
}
