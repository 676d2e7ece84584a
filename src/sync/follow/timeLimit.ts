/** A signal that ends a request when another signal does, or when the request takes too long. */
export interface TimeLimit {
  readonly signal: AbortSignal
  /** True if the time was up. */
  readonly isOver: boolean
  /** Begins to count anew. */
  restart(): void
  /** Lets go of the other signal and of the timer. */
  end(): void
}

/**
 * Limits the time of a request. It keeps hold of both sides, which `AbortSignal.any` of Node 20 does not: there a combined signal can be
 * collected as garbage and then never ends anything.
 */
export function timeLimit(parent: AbortSignal, milliseconds: number): TimeLimit {
  const controller = new AbortController()
  let isOver = false
  const abort = () => controller.abort(parent.reason)
  parent.addEventListener("abort", abort, { once: true })
  if (parent.aborted) abort()
  const timer = setTimeout(() => {
    isOver = true
    controller.abort(new Error(`there was no answer for ${milliseconds / 1000} s`))
  }, milliseconds)
  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    restart: () => void timer.refresh(),
    end() {
      clearTimeout(timer)
      parent.removeEventListener("abort", abort)
    },
  }
}
