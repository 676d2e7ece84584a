/** Lets one task at the chain after the other: whoever comes while one is at work waits for its turn. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** True where nobody is at work or waits. */
  get isFree(): boolean {
    return this.#waiting === 0
  }

  /** Runs a task when those before it are done, whatever became of them. */
  take<T>(task: () => T | Promise<T>): Promise<T> {
    this.#waiting++
    const turn = this.#last.then(task).finally(() => this.#waiting--)
    this.#last = turn.catch(() => {})
    return turn
  }
}
