import { Duplex } from "node:stream"
import { concatBytes } from "../../core/lib/bytes.js"
import { CLOSE, CONTROL, FrameFinder, type FramePart, textFrame, unmasked } from "../../core/lib/webSocketFrames.js"

/** The largest message of a client that is looked at for a word, bytes. A larger one is the VM's. */
const MAX_MESSAGE = 1 << 20

/** The most bytes of messages that wait for the end of a word. */
const MAX_WAITING = 1 << 20

/** The largest head of the VM's answer to the handshake, bytes. */
const MAX_HEAD = 1 << 16

/** The time that a client has to leave after the VM has, milliseconds. */
const LAST_MILLISECONDS = 2000

/** Answers a message of a client; `undefined`, at once or later, if the VM answers it. */
export type AnswerMessage = (message: Uint8Array) => Promise<Uint8Array | undefined> | undefined

/** Bytes of the client in their order; a whole message also without its frames. */
interface Item {
  readonly bytes: Uint8Array
  readonly message?: Uint8Array
}

/**
 * The WebSocket of an EVM chain. A message with a word is answered by the node, between two messages of the VM; everything else passes as it is.
 * Messages of a client are handled in their order. A VM that ends because of a word ends the connection after the answer.
 */
export class WordSocket extends Duplex {
  readonly #vm: Duplex
  readonly #answer: AnswerMessage
  readonly #onFault: (error: unknown) => void
  readonly #ofClient = new FrameFinder()
  /** The parts of a message that is not whole; `undefined` while a message is passed on without a look at it. */
  #gathered: FramePart[] | undefined = []
  readonly #items: Item[] = []
  #isHandling = false
  #isAnswering = false
  /** Called when the client may send more. */
  #taken = () => {}
  readonly #ofVM = new FrameFinder()
  /** What the VM says: the head of its answer to the handshake, then frames, or anything if it opens no WebSocket. */
  #phase: "head" | "frames" | "other" = "head"
  #head: Uint8Array = new Uint8Array(0)
  #isInMessage = false
  #isBetween = false
  /** The answers that wait for the end of a message of the VM. */
  readonly #answers: Uint8Array[] = []
  /** What the VM says at its end, while a word is answered. */
  readonly #last: Uint8Array[] = []
  #hasVMEnded = false
  #isOver = false

  constructor(vm: Duplex, answer: AnswerMessage, onFault: (error: unknown) => void) {
    super()
    this.#vm = vm
    this.#answer = answer
    this.#onFault = onFault
    vm.on("data", (bytes: Uint8Array) => this.#takeOfVM(bytes))
    for (const end of ["end", "close"]) vm.on(end, () => this.#vmEnded())
    vm.on("error", (error) => this.destroy(error))
  }

  override _write(bytes: Uint8Array, _encoding: string, callback: () => void): void {
    for (const part of this.#ofClient.parts(bytes)) this.#takeOfClient(part)
    this.#handle().catch((error) => {
      this.#onFault(error)
      this.destroy()
    })
    const waiting = this.#items.reduce((sum, item) => sum + item.bytes.length, 0)
    if (waiting <= MAX_WAITING) callback()
    else this.#taken = callback
  }

  override _final(callback: () => void): void {
    this.#vm.end()
    callback()
  }

  override _read(): void {
    this.#vm.resume()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#vm.destroy()
    callback(error)
  }

  #takeOfClient(part: FramePart): void {
    const { header, bytes, isEnd } = part
    if (header.opcode >= CONTROL) {
      // The VM wants to hear that the client is there while a word takes its time.
      if (this.#isAnswering) this.#vm.write(bytes)
      else this.#items.push({ bytes })
      return
    }
    if (!this.#gathered) this.#items.push({ bytes })
    else {
      this.#gathered.push(part)
      const isUnread = header.isExtended || sizeOf(this.#gathered) > MAX_MESSAGE
      const isWhole = isEnd && header.isFinal
      if (!isUnread && !isWhole) return
      const message = isUnread ? {} : { message: concatBytes(...this.#gathered.map(unmasked)) }
      this.#items.push({ bytes: concatBytes(...this.#gathered.map((each) => each.bytes)), ...message })
      this.#gathered = undefined
    }
    if (isEnd && header.isFinal) this.#gathered = []
  }

  /** Handles what the client has sent, one after the other. */
  async #handle(): Promise<void> {
    if (this.#isHandling) return
    this.#isHandling = true
    for (let item = this.#items.shift(); item && !this.destroyed && !this.#isOver; item = this.#items.shift()) {
      const answered = item.message && this.#answer(item.message)
      const isAnswered = answered !== undefined && (await this.#hasAnswered(answered))
      if (!isAnswered && !this.#vm.write(item.bytes)) await this.#drained()
      this.#taken()
      this.#taken = () => {}
    }
    this.#isHandling = false
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => this.#vm.once("drain", resolve).once("close", resolve))
  }

  async #hasAnswered(answered: Promise<Uint8Array | undefined>): Promise<boolean> {
    this.#isAnswering = true
    const answer = await answered
    this.#isAnswering = false
    if (answer) this.#answers.push(textFrame(answer))
    this.#giveAnswers()
    for (const bytes of this.#last.splice(0)) this.push(bytes)
    if (this.#hasVMEnded) this.#vmEnded()
    return answer !== undefined
  }

  #giveAnswers(): void {
    if (!this.#isBetween || this.#isOver) return
    for (const frame of this.#answers.splice(0)) this.push(frame)
  }

  #takeOfVM(given: Uint8Array): void {
    const bytes = this.#phase === "head" ? this.#afterHead(given) : given
    const hasRoom = this.#phase === "frames" ? this.#giveFrames(bytes) : bytes.length === 0 || this.push(bytes)
    if (!hasRoom) this.#vm.pause()
  }

  /** Gives the client the frames of the VM. Returns false if the client is slow. */
  #giveFrames(bytes: Uint8Array): boolean {
    let hasRoom = true
    for (const { header, bytes: part, isEnd } of this.#ofVM.parts(bytes)) {
      if (this.#isAnswering && (header.opcode === CLOSE || this.#last.length > 0)) {
        this.#last.push(part)
        continue
      }
      hasRoom = this.push(part)
      if (header.opcode < CONTROL) this.#isInMessage = !isEnd || !header.isFinal
      this.#isBetween = isEnd && !this.#isInMessage
      this.#giveAnswers()
    }
    return hasRoom
  }

  /** Returns what is to be given of the bytes: those after the head, which is given here, or all if this is no answer that opens a WebSocket. */
  #afterHead(bytes: Uint8Array): Uint8Array {
    const head = Buffer.from(concatBytes(this.#head, bytes))
    const size = head.indexOf("\r\n\r\n") + 4
    this.#head = head
    if (size < 4 && head.length <= MAX_HEAD) return new Uint8Array(0)
    const isOpen = size >= 4 && head.toString("latin1", 0, 12) === "HTTP/1.1 101"
    this.#phase = isOpen ? "frames" : "other"
    if (!isOpen) return head
    this.push(head.subarray(0, size))
    this.#isBetween = true
    return head.subarray(size)
  }

  #vmEnded(): void {
    this.#hasVMEnded = true
    if (this.#isAnswering || this.#isOver || this.destroyed) return
    this.#isOver = true
    this.push(null)
    setTimeout(() => this.destroy(), LAST_MILLISECONDS).unref()
  }
}

const sizeOf = (parts: readonly FramePart[]): number => parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
