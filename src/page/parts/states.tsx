import type { ComponentChildren } from "preact"
import { visibleText } from "../data/format.js"
import { addressStart, network } from "../data/network.js"
import { problemText } from "../data/problems.js"
import { RpcError, Unreachable } from "../data/rpc.js"
import type { Query } from "../data/useQuery.js"

/** Shows the answer to a request, its error, or that the answer is not there yet. */
export function Answer<T>(props: {
  readonly query: Query<T>
  /** The height of the answer in pixels, if it is known, so that content below it does not move. */
  readonly height?: number
  readonly children: (data: T) => ComponentChildren
}) {
  const { query, height, children } = props
  const { data, error } = query
  if (data !== undefined) return <>{children(data)}</>
  // The head of the page says that a node does not answer, once for all parts of a view.
  if (error && !(error instanceof Unreachable)) return <Problem error={error} />
  return (
    <p class="loading" role="status" style={height === undefined ? {} : { height: `${height}px` }}>
      {error ? "Waiting for the node…" : "Asking the node…"}
    </p>
  )
}

/** True if the node refuses a query. What depends on the same text is then not asked, so that an error is shown once. */
export const isRefused = ({ data, error }: Query<unknown>): boolean => data === undefined && error instanceof RpcError

/** An error as a sentence. */
export function Problem({ error }: { readonly error: Error }) {
  return (
    <p class="problem" role="alert">
      {visibleText(problemText(error, addressStart(network.use().name)))}
    </p>
  )
}

/** Begins a sentence with a capital letter; the node's messages begin with a small one. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The heading of a view; it takes the focus when the view opens, so that screen readers read it. */
export function Title({ children }: { readonly children: ComponentChildren }) {
  return (
    <h1 tabIndex={-1} id="title">
      {children}
    </h1>
  )
}
