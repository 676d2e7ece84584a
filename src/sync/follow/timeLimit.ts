/** A signal that ends a request when another signal does, or when the request takes too long. The package's declarations need this type. */
export interface TimeLimit {
  readonly signal: AbortSignal
  readonly isOver: boolean
  restart(): void
  /** Releases the other signal and the timer. */
  end(): void
}

/**
 * Limits the time of a request. It holds references to both sides, which `AbortSignal.any` of Node 20 does not: there a combined signal can
 * be garbage-collected and then never fires.
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
