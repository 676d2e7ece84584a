/** A request, as far as it could be read. */
export interface Request {
  readonly jsonrpc: string
  readonly method: string
  /** JSON text; `undefined` if it is missing or null. */
  readonly params: string | undefined
  /** JSON text as it is sent back, digit by digit; `undefined` if it is missing or null, which makes the request a notification. */
  readonly id: string | undefined
  /** The reason why the body is not a request, in Go's words: a syntax error, or a member of the wrong type. */
  readonly fault?: { readonly reason: string; readonly offset?: number; readonly expected?: string }
}
