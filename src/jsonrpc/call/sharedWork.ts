import type { Work } from "../../core/lib/work.js"
import type { Admission, RunningWork } from "../limits/meter.js"
import type { RequestPace } from "../limits/requestPace.js"

/** Work that is running, by name, so that calls that need the same result at the same time wait for one computation. */
export class SharedWork<T> {
  readonly #running = new Map<string, RunningWork<T> & { isShared: boolean }>()

  /** Returns the result of the running work of this name, if there is one. From now on it does not depend on the client that began it. */
  join(name: string): Promise<T> | undefined {
    const running = this.#running.get(name)
    if (!running) return undefined
    running.isShared = true
    running.detach()
    return running.result
  }

  /** Runs work under a name. The client of `admission` pays for it. The work can ask whether other calls wait for its result. */
  run(name: string, work: (isShared: () => boolean) => Work<T>, admission: Admission, pace: RequestPace | undefined): Promise<T> {
    const isShared = () => this.#running.get(name)?.isShared === true
    let isOver = false
    const over = () => {
      isOver = true
      this.#running.delete(name)
    }
    const running = admission.runShared(endingWith(work(isShared), over), pace)
    if (!isOver) this.#running.set(name, { ...running, isShared: false })
    return running.result
  }
}

function* endingWith<T>(work: Work<T>, over: () => void): Work<T> {
  try {
    return yield* work
  } finally {
    over()
  }
}
