import { GrpcError, grpcStatus } from "./grpcError.js"

/** Calls back after a time in milliseconds. Returns a function that cancels the timer. */
export type After = (milliseconds: number, task: () => void) => () => void

/** Makes a call that its signal ends after a time, milliseconds. Throws `GrpcError` with the status of a deadline then. */
export async function withTimeLimit<T>(
  after: After,
  milliseconds: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const cancel = after(milliseconds, () => limit.abort())
  try {
    return await call(limit.signal)
  } catch (error) {
    if (!limit.signal.aborted) throw error
    throw new GrpcError(grpcStatus.deadlineExceeded, `its VM has not answered for ${milliseconds / 1000} seconds`)
  } finally {
    cancel()
  }
}
