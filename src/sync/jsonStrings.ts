import { syncError } from "./errors.js"

/** The maximum depth of brackets. No JSON that a program wrote is deeper. */
const MAX_DEPTH = 1000

/** A string found in a JSON text, and the keys and positions that lead to it. */
export interface FoundString {
  readonly path: readonly (string | number)[]
  readonly value: string
}

/**
 * Finds the strings of a JSON text that arrives in pieces, in constant memory and linear time. `wants` selects the strings; keys and
 * selected strings may have `limit` characters (`sync.line_too_long`). It is meant for large files that a program wrote: for text that is
 * not JSON, its reader finds no blocks.
 */
export class JsonStrings {
  readonly #wants: (path: readonly (string | number)[]) => boolean
  readonly #path: (string | number)[] = []
  readonly #isArray: boolean[] = []
  #inString = false
  #escaped = false
  #isKey = false
  #kept: string[] | undefined
  #keptLength = 0
  #failed = false
  readonly #limit: number

  constructor(wants: (path: readonly (string | number)[]) => boolean, limit: number) {
    this.#wants = wants
    this.#limit = limit
  }

  /** True if brackets did not match so far, or (at the end) if some are still open. */
  get isBroken(): boolean {
    return this.#failed || this.#isArray.length > 0 || this.#inString
  }

  *feed(text: string): Iterable<FoundString> {
    for (let at = 0; at < text.length; ) {
      if (this.#inString) {
        const end = this.#endOfString(text, at)
        this.#keep(text.slice(at, end))
        at = end
        if (at < text.length) {
          at++
          const found = this.#closeString()
          if (found) yield found
        }
      } else {
        this.#structure(text[at++] as string)
      }
    }
  }

  #keep(piece: string): void {
    if (this.#kept === undefined) return
    this.#keptLength += piece.length
    if (this.#keptLength > this.#limit) throw syncError("sync.line_too_long", { limit: this.#limit })
    this.#kept.push(piece)
  }

  /** Returns the end of the open string, or of the text if the string continues in the next piece. */
  #endOfString(text: string, from: number): number {
    let at = from
    if (this.#escaped) {
      at++
      this.#escaped = false
    }
    for (; at < text.length; at++) {
      if (text[at] === '"') return at
      if (text[at] === "\\") {
        if (at + 1 === text.length) this.#escaped = true
        at++
      }
    }
    return text.length
  }

  #closeString(): FoundString | undefined {
    this.#inString = false
    const value = this.#kept?.join("")
    this.#kept = undefined
    if (value === undefined) return undefined
    if (this.#isKey) {
      this.#path[this.#path.length - 1] = value
      return undefined
    }
    return { path: [...this.#path], value }
  }

  #open(isArray: boolean): void {
    if (this.#path.length >= MAX_DEPTH) throw syncError("sync.bad_json", { depth: MAX_DEPTH })
    this.#isArray.push(isArray)
    this.#path.push(isArray ? 0 : "")
    this.#isKey = !isArray
  }

  #structure(character: string): void {
    switch (character) {
      case '"':
        this.#inString = true
        this.#kept = this.#isKey || this.#wants(this.#path) ? [] : undefined
        this.#keptLength = 0
        break
      case "[":
        this.#open(true)
        break
      case "{":
        this.#open(false)
        break
      case "]":
      case "}":
        if (this.#isArray.pop() !== (character === "]")) this.#failed = true
        this.#path.pop()
        this.#isKey = false
        break
      case ",":
        if (this.#isArray.at(-1)) this.#path[this.#path.length - 1] = Number(this.#path.at(-1)) + 1
        else this.#isKey = true
        break
      case ":":
        this.#isKey = false
        break
    }
  }
}
