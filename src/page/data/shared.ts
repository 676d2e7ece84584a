import { useEffect, useReducer } from "preact/hooks"

/** A value that several views show. */
export class Shared<T> {
  #value: T
  readonly #listeners = new Set<() => void>()

  constructor(value: T) {
    this.#value = value
  }

  get value(): T {
    return this.#value
  }

  set value(value: T) {
    if (value === this.#value) return
    this.#value = value
    for (const listener of this.#listeners) listener()
  }

  /** Returns the value for a view, which is drawn again whenever the value changes. This is a hook. */
  use(): T {
    const [, draw] = useReducer((count: number) => count + 1, 0)
    const drawn = this.#value
    useEffect(() => {
      const listener = (): void => draw(undefined)
      this.#listeners.add(listener)
      // It may have changed after the view was drawn.
      if (this.#value !== drawn) listener()
      return () => void this.#listeners.delete(listener)
    }, [])
    return drawn
  }
}
