/** A string found in a JSON text, and the keys and positions that lead to it. */
export interface FoundString {
  readonly path: readonly (string | number)[]
  readonly value: string
}

/**
 * Finds the strings of a JSON text that comes in pieces, in constant memory. `wants` says which are worth keeping.
 * Meant for large files that a program wrote: what is no JSON at all is found by its reader's missing blocks.
 */
export class JsonStrings {
  readonly #wants: (path: readonly (string | number)[]) => boolean
  readonly #path: (string | number)[] = []
  readonly #isArray: boolean[] = []
  #inString = false
  #escaped = false
  #isKey = false
  #kept: string[] | undefined
  #failed = false

  constructor(wants: (path: readonly (string | number)[]) => boolean) {
    this.#wants = wants
  }

  /** Whether brackets did not fit so far, or (at the end) some are still open. */
  get isBroken(): boolean {
    return this.#failed || this.#isArray.length > 0 || this.#inString
  }

  *feed(text: string): Iterable<FoundString> {
    for (let at = 0; at < text.length; ) {
      if (this.#inString) {
        const end = this.#endOfString(text, at)
        this.#kept?.push(text.slice(at, end))
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

  /** Where the string that is open ends, or the text if it goes on in the next piece. */
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

  #structure(character: string): void {
    switch (character) {
      case '"':
        this.#inString = true
        this.#kept = this.#isKey || this.#wants(this.#path) ? [] : undefined
        break
      case "[":
        this.#isArray.push(true)
        this.#path.push(0)
        this.#isKey = false
        break
      case "{":
        this.#isArray.push(false)
        this.#path.push("")
        this.#isKey = true
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
