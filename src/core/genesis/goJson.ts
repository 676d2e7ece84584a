import { foldedName, wellFormed } from "../lib/goText.js"
import { Invalid } from "../lib/invalid.js"
import { type Json, parseJson, printJson } from "../lib/json.js"
import { genesisError } from "./errors.js"

/**
 * A value of a file as Go's JSON reader takes it, and the name of its place (`allocations[3].ethAddr`). Unknown members are
 * ignored, missing ones and null are zero, names match in any case, and of doubled ones the last counts.
 */
export class GoValue {
  readonly #json: Json | undefined
  readonly #field: string

  private constructor(json: Json | undefined, field: string) {
    this.#json = json ?? undefined
    this.#field = field
  }

  /** The one value of a text; throws `genesis.malformed` with the offset of what is wrong. */
  static parse(text: string): GoValue {
    try {
      return new GoValue(parseJson(text, { number: plainDigits, object: foldedMembers }), "")
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      throw genesisError("genesis.malformed", { reason: error.sentence, ...error.data })
    }
  }

  get isAbsent(): boolean {
    return this.#json === undefined
  }

  member(name: string): GoValue {
    const json = this.#json ?? {}
    if (typeof json !== "object" || Array.isArray(json)) throw this.fail("not an object")
    const members = json as { readonly [name: string]: Json }
    return new GoValue(members[foldedName(name)], this.#field === "" ? name : `${this.#field}.${name}`)
  }

  items(): GoValue[] {
    const json = this.#json ?? []
    if (!Array.isArray(json)) throw this.fail("not an array")
    return json.map((item: Json, i) => new GoValue(item, `${this.#field}[${i}]`))
  }

  text(): string {
    const json = this.#json ?? ""
    if (typeof json !== "string") throw this.fail("not a string")
    return wellFormed(json)
  }

  integer(limit: bigint): bigint {
    const json = this.#json ?? 0n
    if (typeof json !== "bigint") throw this.fail("not an integer in plain digits")
    if (json > limit) throw this.fail(`above ${limit}`)
    return json
  }

  /** What `read` makes of the text; what it refuses is a fault of this field. `stage` is where the reference finds it. */
  parsed<T>(read: (text: string) => T, stage: "unable to parse config" | "could not unmarshal genesis JSON"): T {
    const text = this.text()
    try {
      return read(text)
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      throw this.fail(error.sentence, `${stage}: ${error.avalanchegoMessage}`)
    }
  }

  fail(reason: string, reference?: string): Invalid {
    const got = printJson(this.#json)
    return genesisError("genesis.bad_field", {
      field: this.#field,
      reason,
      got: got.length > 80 ? `${got.slice(0, 80)}…` : got,
      ...(reference === undefined ? {} : { reference }),
    })
  }
}

/** Integers in plain digits become bigints, so that they can be told from 1.0, 1e3 and -0. */
function plainDigits(text: string): Json {
  return /^\d+$/.test(text) ? BigInt(text) : Number(text)
}

function foldedMembers(entries: [string, Json][]): Json {
  const members: Record<string, Json> = Object.create(null)
  for (const [key, value] of entries) {
    const name = foldedName(key)
    // As in Go, a later null empties a list or object and leaves a number or text alone.
    if (value !== null || typeof members[name] === "object") members[name] = value
  }
  return members
}
