import type { ServerResponse } from "node:http"
import type { HeaderList } from "./cors.js"

/** The text of a response's status line and headers until it is sent. Node's types do not declare it. */
export interface UnsentHead {
  _header: string | null
}

/** The head of an answer with a short body. */
export interface AnswerHead {
  readonly status: number
  /** Headers of this kind of answer. A list that is the same object has the same content. */
  readonly headers: HeaderList
  /** Headers of every answer. */
  readonly common: HeaderList
  /** Bytes of the body. */
  readonly length: number
}

/** A head that Node printed in a second: its text before and after the length of the body. */
interface PrintedHead extends AnswerHead {
  readonly second: number
  readonly before: string
  readonly after: string
}

/**
 * Writes the heads of short answers. Node checks and prints every header of every answer, which takes longer than to answer a short call. An
 * answer that differs from the last one only in the length of its body gets the text that Node printed for the last one. The text
 * has the date, so it is used for one second.
 */
export class AnswerHeads {
  readonly #now: () => number
  #last: PrintedHead | undefined

  /** `now`: the clock of the dates, in milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Writes the status line and headers of a response. The connection stays open if the client wants it to. */
  write(response: ServerResponse, head: AnswerHead): void {
    const second = Math.floor(this.#now() / 1000)
    const last = this.#last
    if (last?.second === second && isSameKind(last, head) && response.shouldKeepAlive && !response.headersSent) {
      ;(response as ServerResponse & UnsentHead)._header = last.before + head.length + last.after
      return
    }
    const { status, headers, common, length } = head
    response.writeHead(status, [...headers, ...common, "Content-Length", String(length)])
    this.#last = response.shouldKeepAlive ? printedHead(response, head, second) : undefined
  }
}

const isSameKind = (a: AnswerHead, b: AnswerHead): boolean =>
  a.headers === b.headers && a.common === b.common && a.status === b.status

/** Takes a head apart; `undefined` where Node printed another date than that of the second, or keeps heads in another way. */
function printedHead(response: ServerResponse, head: AnswerHead, second: number): PrintedHead | undefined {
  const { _header: text } = response as ServerResponse & UnsentHead
  const name = "\r\nContent-Length: "
  const at = text?.indexOf(`${name}${head.length}\r\n`) ?? -1
  const date = new Date(second * 1000).toUTCString()
  if (typeof text !== "string" || at < 0 || !text.includes(`\r\nDate: ${date}\r\n`)) return undefined
  const before = text.slice(0, at + name.length)
  return { ...head, second, before, after: text.slice(before.length + String(head.length).length) }
}
