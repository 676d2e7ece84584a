/**
 * An iterator that is opened at its first use. It passes the promises of the opened one on as they are; an async generator with `yield*`
 * would take some microseconds for each value.
 */
export class LazyIterator<T> implements AsyncIterableIterator<T> {
  readonly #open: () => Promise<AsyncIterable<T>>
  #opened: AsyncIterator<T> | undefined

  constructor(open: () => Promise<AsyncIterable<T>>) {
    this.#open = open
  }

  next(): Promise<IteratorResult<T>> {
    return this.#opened ? this.#opened.next() : this.#first()
  }

  async return(): Promise<IteratorResult<T>> {
    await this.#opened?.return?.()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async #first(): Promise<IteratorResult<T>> {
    this.#opened = (await this.#open())[Symbol.asyncIterator]()
    return this.#opened.next()
  }
}
