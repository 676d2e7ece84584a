import type { ChargedPace } from "../../core/lib/pace.js"
import type { LoopScheduler, Task } from "./loopScheduler.js"

/** Thrown by a pause if the work is not continued, because the client has disconnected or the server has closed. */
export class Abandoned extends Error {}

/** The request whose work a pace belongs to. */
export interface PacedRequest {
  readonly scheduler: LoopScheduler
  /** Returns milliseconds of a monotonic clock. */
  now(): number
  /** Returns a function that charges the time since this call to the client. */
  measure(): () => void
  /** Charges milliseconds that were spent elsewhere. */
  spend(milliseconds: number): void
  /** Returns true if the client has disconnected. */
  isGone(): boolean
}

/**
 * The pace of a handler's asynchronous work. The time between two pauses is charged to the client, and at a pause the clients that wait have
 * their turn first.
 */
export class RequestPace implements ChargedPace {
  readonly #request: PacedRequest
  /** The queue in which the work waits for its turn: the client, or one of its own. */
  #queue: string
  #waiting: Task | undefined
  #started: number
  /** Charges the present piece; `undefined` while the work waits, and before `begin`, when the caller measures. */
  #charge: (() => void) | undefined

  constructor(client: string, request: PacedRequest) {
    this.#queue = client
    this.#request = request
    this.#started = request.now()
  }

  /** Called when the work has not ended at once: from now on its time is measured here. */
  begin(): void {
    if (this.#waiting || this.#charge) return
    this.#started = this.#request.now()
    this.#charge = this.#request.measure()
    this.#request.scheduler.open++
  }

  /** Called at the end of a piece of the work. */
  end(): void {
    if (!this.#charge) return
    this.#request.scheduler.open--
    this.#charge()
    this.#charge = undefined
  }

  get isDue(): boolean {
    return this.#request.scheduler.isOver(this.#request.now() - this.#started)
  }

  async pause(): Promise<void> {
    await this.#turn()
    if (this.#request.isGone()) throw new Abandoned()
  }

  async wait<T>(promise: Promise<T>): Promise<T> {
    this.end()
    try {
      return await promise
    } finally {
      // Many may wait for one promise, so only the first continues at once. A client that has left is charged for what it waited for.
      const { scheduler } = this.#request
      if (scheduler.isFree && scheduler.open === 0) this.begin()
      else await this.#turn()
    }
  }

  charge(milliseconds: number): void {
    this.#request.spend(milliseconds)
  }

  /** Gives the work turns of its own, so that it does not wait for other work of its client. */
  detach(): void {
    const { scheduler } = this.#request
    const before = this.#queue
    this.#queue = scheduler.newQueue()
    if (this.#waiting && scheduler.remove(before, this.#waiting)) scheduler.resume(this.#queue, this.#waiting)
  }

  /** Waits for the next turn. */
  #turn(): Promise<void> {
    this.end()
    return new Promise((resolve, reject) => {
      const task: Task = {
        run: () => {
          this.#waiting = undefined
          this.begin()
          resolve()
          return "continues"
        },
        cancel: () => reject(new Abandoned()),
      }
      this.#waiting = task
      this.#request.scheduler.resume(this.#queue, task)
    })
  }
}
