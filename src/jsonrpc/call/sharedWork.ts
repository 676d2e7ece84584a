import type { RequestPace } from "../limits/requestPace.js"

interface RunningWork<T> {
  readonly result: Promise<T>
  readonly pace: RequestPace | undefined
  isShared: boolean
}

/** Work that is running, by name, so that calls that need the same result at the same time wait for one computation. */
export class SharedWork<T> {
  readonly #running = new Map<string, RunningWork<T>>()

  /** Returns the result of the running work of this name, if there is one. From now on it does not depend on the client that began it. */
  join(name: string): Promise<T> | undefined {
    const running = this.#running.get(name)
    if (!running) return undefined
    if (!running.isShared) running.pace?.detach()
    running.isShared = true
    return running.result
  }

  /** Runs work under a name. The client of its pace pays for it. The work can ask whether other calls wait for its result. */
  run(name: string, pace: RequestPace | undefined, work: (isShared: () => boolean) => Promise<T>): Promise<T> {
    const isShared = () => this.#running.get(name)?.isShared === true
    const result = work(isShared).finally(() => this.#running.delete(name))
    // A call that waits for the result sees the error, too. Without one it is nobody's.
    result.catch(() => {})
    this.#running.set(name, { result, pace, isShared: false })
    return result
  }
}
