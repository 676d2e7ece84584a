import { AsyncLocalStorage } from "node:async_hooks"

/** Runs one task after the other, in the order in which they were added. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()
  /** The task in whose asynchronous context the code runs. */
  readonly #current = new AsyncLocalStorage<{ isRunning: boolean }>()

  /** Runs a task after the earlier ones have ended, even if they failed. Throws inside a task, which would wait for itself. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    if (this.#current.getStore()?.isRunning)
      throw new Error("a task of the queue must not wait for another task of the same queue")
    const turn = this.#last.then(() => this.#inContext(task))
    const last = turn.catch(() => {})
    this.#last = last
    // A context that no task needs would slow down every promise of the process.
    void last.then(() => this.#last === last && this.#current.disable())
    return turn
  }

  #inContext<T>(task: () => T | Promise<T>): Promise<T> {
    const context = { isRunning: true }
    return this.#current.run(context, async () => {
      try {
        return await task()
      } finally {
        // Timers that the task has set keep its context and may add tasks.
        context.isRunning = false
      }
    })
  }
}
