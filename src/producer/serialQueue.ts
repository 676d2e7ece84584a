/** Lets one task at the chain after the other: whoever comes while one is at work waits for its turn. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs a task when those before it are done, whatever became of them. */
  take<T>(task: () => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(task)
    this.#last = turn.catch(() => {})
    return turn
  }
}
