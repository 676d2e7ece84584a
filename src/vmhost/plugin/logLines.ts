/** The number of lines that are kept to explain an end. */
const MAX_LINES = 20
const MAX_LINE = 2000

/** Splits the output of a plugin into lines without colours, and keeps the last ones. Hidden lines are left out. */
export class LogLines {
  readonly #onLine: (line: string) => void
  readonly #isHidden: (line: string) => boolean
  #rest = ""
  #last: string[] = []

  constructor(onLine: (line: string) => void, isHidden: (line: string) => boolean = () => false) {
    this.#onLine = onLine
    this.#isHidden = isHidden
  }

  /** The last lines, oldest first, with an unfinished one. */
  get last(): readonly string[] {
    return this.#rest === "" ? this.#last : [...this.#last, plain(this.#rest)]
  }

  add(text: string): void {
    const lines = (this.#rest + text).split("\n")
    this.#rest = (lines.pop() as string).slice(-MAX_LINE)
    for (const line of lines.map(plain)) {
      if (line === "" || this.#isHidden(line)) continue
      this.#last = [...this.#last.slice(1 - MAX_LINES), line]
      this.#onLine(line)
    }
  }
}

/** The colours and the other control characters of a line, except tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must go
const CONTROLS = /\x1b\[[\d;]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]/g

const plain = (line: string): string => line.replace(CONTROLS, "").trimEnd().slice(0, MAX_LINE)
