import { useEffect, useRef, useState } from "preact/hooks"
import { version } from "./chain.js"

/** The state of a query. The last answer stays while it is repeated. */
export interface Query<T> {
  readonly data: T | undefined
  readonly error: Error | undefined
}

/** Options of repeating a query. */
export interface QueryOptions {
  /** True if the query is repeated when the chain has changed; true by default. */
  readonly live?: boolean
  /** The least time between two questions, in milliseconds. */
  readonly pause?: number
  /** What else decides the answer, such as a number of rows: when it changes, the query is repeated, and its last answer stays meanwhile. */
  readonly form?: number
}

/** Queries the node when the view appears, when `key` changes, and, with `live`, whenever the chain has changed and the page is visible. */
export function useQuery<T>(
  key: string,
  ask: () => Promise<T>,
  { live = true, pause = 0, form = 0 }: QueryOptions = {},
): Query<T> {
  const [state, setState] = useState<Query<T> & { key: string }>({ data: undefined, error: undefined, key })
  const asker = useRef<Asker<T> | undefined>(undefined)
  const changes = version.use()
  const follows = live ? changes : 0
  // `ask` is a new function at each call; `key` identifies the query.
  const newest = useRef(ask)
  newest.current = ask
  useEffect(() => {
    const own = new Asker(
      () => newest.current(),
      pause,
      (answer) => {
        setState((last) =>
          answer.error && last.key === key && last.data ? { ...last, error: answer.error } : { ...answer, key },
        )
      },
    )
    asker.current = own
    const onShow = (): void => own.poke()
    document.addEventListener("visibilitychange", onShow)
    return () => {
      own.stop()
      document.removeEventListener("visibilitychange", onShow)
    }
  }, [key])
  useEffect(() => asker.current?.poke(), [key, follows, form])
  return state.key === key ? state : { data: undefined, error: undefined }
}

/** Repeats one query, never twice at the same time. */
class Asker<T> {
  #isAsking = false
  #isWanted = false
  #isStopped = false
  #askedAt = Number.NEGATIVE_INFINITY
  readonly #ask: () => Promise<T>
  readonly #pause: number
  readonly #show: (answer: Query<T>) => void

  constructor(ask: () => Promise<T>, pause: number, show: (answer: Query<T>) => void) {
    this.#ask = ask
    this.#pause = pause
    this.#show = show
  }

  /** Queries as soon as the last answer has arrived, the pause is over and the page is visible. */
  poke(): void {
    this.#isWanted = true
    if (this.#isAsking || this.#isStopped || document.hidden) return
    this.#isAsking = true
    setTimeout(() => this.#run(), Math.max(0, this.#askedAt + this.#pause - Date.now()))
  }

  stop(): void {
    this.#isStopped = true
  }

  async #run(): Promise<void> {
    this.#isWanted = false
    this.#askedAt = Date.now()
    const answer = await this.#ask().then(
      (data) => ({ data, error: undefined }),
      (error: Error) => ({ data: undefined, error }),
    )
    this.#isAsking = false
    if (this.#isStopped) return
    this.#show(answer)
    if (this.#isWanted) this.poke()
  }
}
