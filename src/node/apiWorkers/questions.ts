import type { WorkerAnswer } from "./messages.js"

interface WaitingQuestion {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Questions to another process that wait for their answers. */
export class Questions {
  readonly #waiting = new Map<number, WaitingQuestion>()
  #next = 0
  #ended: Error | undefined

  /** Sends a question. `send` receives its number, which the answer repeats. */
  ask<T>(send: (id: number) => void): Promise<T> {
    if (this.#ended) return Promise.reject(this.#ended)
    const id = this.#next++
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
      send(id)
    })
  }

  /** Handles an answer. */
  answered(answer: WorkerAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if (answer.kind === "answer") waiting?.resolve(answer.value)
    else waiting?.reject(new Error(answer.reason))
  }

  /** Rejects all waiting questions, because the other process has ended. */
  end(reason: string): void {
    this.#ended = new Error(reason)
    for (const { reject } of this.#waiting.values()) reject(this.#ended)
    this.#waiting.clear()
  }
}
