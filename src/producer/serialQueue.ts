/** Runs one task after the other, in the order in which they came. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs a task when those before it have ended, also if they failed. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(task)
    this.#last = turn.catch(() => {})
    return turn
  }
}
