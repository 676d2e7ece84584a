/** The answer to a request to another process, by the number of the request. */
export type RequestAnswer =
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly reason: string }

interface PendingRequest {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** ProcessRequests to another process that wait for their answers. */
export class ProcessRequests {
  readonly #pending = new Map<number, PendingRequest>()
  #next = 0
  #ended: Error | undefined

  /** Sends a request. `send` receives its number, which the answer repeats. */
  send<T>(send: (id: number) => void): Promise<T> {
    if (this.#ended) return Promise.reject(this.#ended)
    const id = this.#next++
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject })
      send(id)
    })
  }

  /** Handles an answer. */
  answered(answer: RequestAnswer): void {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if (answer.kind === "answer") pending?.resolve(answer.value)
    else pending?.reject(new Error(answer.reason))
  }

  /** Rejects all pending requests, because the other process has ended. */
  end(reason: string): void {
    this.#ended = new Error(reason)
    for (const { reject } of this.#pending.values()) reject(this.#ended)
    this.#pending.clear()
  }
}
