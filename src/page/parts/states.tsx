import type { ComponentChildren } from "preact"
import { visibleText } from "../data/format.js"
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
  if (error) return <Problem error={error} />
  return (
    <p class="loading" role="status" style={height === undefined ? {} : { height: `${height}px` }}>
      Asking the node…
    </p>
  )
}

/** An error as a sentence. */
export function Problem({ error }: { readonly error: Error }) {
  return (
    <p class="problem" role="alert">
      {sentence(visibleText(error.message))}
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
