import { useEffect, useState } from "preact/hooks"
import { version } from "./chain.js"

/** The state of a question to the node. The last answer stays while it is asked again. */
export interface Query<T> {
  readonly data: T | undefined
  readonly error: Error | undefined
}

/**
 * Asks the node when the view appears, when `key` changes, and, with `live`, whenever the chain has changed and the page can be seen.
 * An answer to an older question is dropped.
 */
export function useQuery<T>(key: string, ask: () => Promise<T>, { live = true } = {}): Query<T> {
  const [state, setState] = useState<Query<T> & { key: string }>({ data: undefined, error: undefined, key })
  const follows = live ? version.value : 0
  // `ask` is a new function at each call; `key` says when the question changes.
  useEffect(() => {
    let isCurrent = true
    const run = async (): Promise<void> => {
      const next = await ask().then(
        (data) => ({ data, error: undefined, key }),
        (error: Error) => ({ data: undefined, error, key }),
      )
      if (isCurrent) setState((last) => (next.error && last.key === key && last.data ? { ...last, error: next.error } : next))
    }
    if (!document.hidden) run()
    const onShow = (): void => {
      if (!document.hidden) run()
    }
    document.addEventListener("visibilitychange", onShow)
    return () => {
      isCurrent = false
      document.removeEventListener("visibilitychange", onShow)
    }
  }, [key, follows])
  return state.key === key ? state : { data: undefined, error: undefined }
}
