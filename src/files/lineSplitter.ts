/** Splits text that arrives in pieces into lines, in linear time: a line is assembled once, when it ends. */
export class LineSplitter {
  readonly #limit: number
  readonly #tooLong: (line: number) => Error
  /** The pieces of the unfinished line. */
  #open: string[] = []
  #openLength = 0
  /** The number of that line, counted from 1. */
  #line = 1

  /** A line of more than `limit` characters is refused with the error that `tooLong` makes from its number, counted from 1. */
  constructor(limit: number, tooLong: (line: number) => Error) {
    this.#limit = limit
    this.#tooLong = tooLong
  }

  /** Returns the lines that end in this piece, without their line feeds. */
  feed(piece: string): readonly string[] {
    const lines = piece.split("\n")
    const rest = lines.pop() as string
    for (let i = 0; i < lines.length; i++) {
      this.#add(lines[i] as string)
      lines[i] = this.end()
    }
    this.#add(rest)
    return lines
  }

  /** Returns the unfinished line, and starts the next. */
  end(): string {
    const line = this.#open.length === 1 ? (this.#open[0] as string) : this.#open.join("")
    this.#open = []
    this.#openLength = 0
    this.#line++
    return line
  }

  #add(part: string): void {
    this.#openLength += part.length
    if (this.#openLength > this.#limit) throw this.#tooLong(this.#line)
    this.#open.push(part)
  }
}
