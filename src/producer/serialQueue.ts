/** Runs one task after the other, in the order in which they were added. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs a task after the earlier ones have ended, even if they failed. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(task)
    this.#last = turn.catch(() => {})
    return turn
  }
}
