import type { AnyMethod, Method } from "./method.js"
import type { JsonPieces } from "./printedJson.js"

/** A service: its methods, where it is served, and what a server must know about it. */
export interface Service<N extends string, L extends readonly AnyMethod[]> {
  /** The part before the dot of its methods' names. */
  readonly name: N
  readonly summary: string
  /** Paths of the service; the first one is documented, the others are aliases. */
  readonly paths: readonly string[]
  readonly methods: L
  /**
   * Availability on a public server: `open` answers; `closed` refuses every method with 404 (in AvalancheGo's dialect it is absent);
   * `absent` has no path.
   */
  readonly onPublicServer: "open" | "closed" | "absent"
  /** True where nothing is answered before the chain is ready. */
  readonly needsChain: boolean
  /** True where the service changes the node: pages of foreign origins may not even ask for it, and its bodies may be large. */
  readonly isPrivileged: boolean
  /** `refused` where pages of foreign origins may call none of its methods. */
  readonly foreignOrigins: "allowed" | "refused"
}

export type AnyService = Service<string, readonly AnyMethod[]>

/** The context that every method of a service can be called with. */
export type ContextOf<S> =
  S extends Service<string, infer L> ? (ContextsOf<L[number]> extends (context: infer C) => void ? C : never) : never

// biome-ignore lint/suspicious/noExplicitAny: only the context matters here
type ContextsOf<T> = T extends Method<any, any, infer C> ? (context: C) => void : never

/** The JSON of results that hold in one state, by method and parameters. */
export interface PrintedResults {
  printedResult(key: string): JsonPieces | undefined
  /** Takes the JSON of a result that may be asked for again. */
  keepResult(key: string, json: JsonPieces): void
}

/** A context that is held for one call. */
export interface ContextLease<C> {
  readonly context: C
  /** The height of the state that the context reads; left out where it reads none. */
  readonly height?: bigint
  /** JSON of results that were made in this state before; left out where none is reused. */
  readonly results?: PrintedResults | undefined
  /** Releases the resources of the context. */
  release(): void
}

/** A service with what it needs to be called. */
export interface MountedService {
  readonly service: AnyService
  /** Paths besides those of the service that are known only at run time. */
  readonly morePaths: readonly string[]
  /** Opens what a handler is given; called once for each call. */
  open(): ContextLease<unknown>
}

/** Connects a service to the contexts of its methods. */
export function mount<S extends AnyService>(
  service: S,
  open: () => ContextLease<ContextOf<S>>,
  morePaths: readonly string[] = [],
): MountedService {
  return { service, open, morePaths }
}

/** A lease of a context that holds nothing. */
export function unheld<C>(context: C): () => ContextLease<C> {
  const lease = { context, release: () => {} }
  return () => lease
}
