/** Calls its listeners with events, in the order in which they were added. */
export class Emitter<Event> {
  readonly #listeners = new Set<(event: Event) => void>()
  readonly #onFault: (error: unknown) => void

  /** `onFault` is called with an error of a listener, so that the others are called; by default `emit` throws it. */
  constructor(onFault: (error: unknown) => void = rethrow) {
    this.#onFault = onFault
  }

  /** Adds a listener. Returns a function that removes it. */
  listen(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls every listener. A listener may remove itself or others meanwhile. */
  emit(event: Event): void {
    for (const listener of [...this.#listeners]) {
      try {
        if (this.#listeners.has(listener)) listener(event)
      } catch (error) {
        this.#onFault(error)
      }
    }
  }
}

function rethrow(error: unknown): never {
  throw error
}
