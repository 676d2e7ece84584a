import { type Work, wait } from "../../core/lib/work.js"

interface ValueInMaking<T> {
  /** Resolves to the value; to `undefined` if the call that makes it fails or is abandoned. */
  readonly made: Promise<T | undefined>
  /** True if other calls wait for the value. */
  isAwaited: boolean
}

/** Values that calls make in steps at present, by name. A call that needs one of them waits for it and does not make it again. */
export class ValuesInMaking<T> {
  readonly #values = new Map<string, ValueInMaking<T>>()

  /** Returns whether calls wait for a value. */
  isAwaited(name: () => string): boolean {
    return this.#values.size > 0 && this.#values.get(name())?.isAwaited === true
  }

  /**
   * Returns the value that another call makes at present, when it is made and if it is usable. Otherwise makes the value, and passes it to the
   * calls that ask for it meanwhile.
   */
  *share(name: string, make: () => Work<T>, isUsable: (value: T) => boolean): Work<T> {
    for (let other = this.#values.get(name); other; other = this.#values.get(name)) {
      other.isAwaited = true
      const made = yield* wait(other.made)
      if (made !== undefined && isUsable(made)) return made
    }
    let pass: (value: T | undefined) => void = () => {}
    const made = new Promise<T | undefined>((resolve) => {
      pass = resolve
    })
    this.#values.set(name, { made, isAwaited: false })
    let value: T | undefined
    try {
      value = yield* make()
      return value
    } finally {
      // This also runs if the client has disconnected.
      this.#values.delete(name)
      pass(value)
    }
  }
}
