import type { AnyMethod, Method } from "./method.js"

/** A service: its methods, its paths, and its properties for a server. */
export interface Service<N extends string, L extends readonly AnyMethod[]> {
  /** The part of its methods' names before the dot. */
  readonly name: N
  readonly summary: string
  /** The paths of the service. The first one is documented, the others are aliases. */
  readonly paths: readonly string[]
  readonly methods: L
  /**
   * The availability on a public server. `open` services are served; `closed` services refuse every method with status 404 (in
   * AvalancheGo's dialect they are absent); `absent` services have no path.
   */
  readonly onPublicServer: "open" | "closed" | "absent"
  /** True if calls are refused until the chain is ready. */
  readonly needsChain: boolean
  /** True if the service changes the node. Pages of foreign origins may not read its answers, and its bodies may be large. */
  readonly isPrivileged: boolean
  /** True where AvalancheGo has no such service: all its methods are extensions. */
  readonly isExtension: boolean
  /** `refused` where pages of foreign origins may call none of its methods. */
  readonly foreignOrigins: "allowed" | "refused"
}

export type AnyService = Service<string, readonly AnyMethod[]>

/** The context that every method of a service can be called with. */
export type ContextOf<S> =
  S extends Service<string, infer L> ? (ContextsOf<L[number]> extends (context: infer C) => void ? C : never) : never

// biome-ignore lint/suspicious/noExplicitAny: only the context matters here
type ContextsOf<T> = T extends Method<any, any, infer C> ? (context: C) => void : never

/** A context that is held for one call. */
export interface ContextLease<C> {
  readonly context: C
  /** The height of the state that the context reads; omitted if it reads no state. */
  readonly height?: bigint
  /** Holds the context for work besides the call, which releases it once more; omitted if it holds no resources. */
  hold?(): void
  /** Releases the resources of the context. */
  release(): void
}

/** A service with its contexts and paths, ready to be called. */
export interface MountedService {
  readonly service: AnyService
  /** Paths that are known only at run time. */
  readonly morePaths: readonly string[]
  /** Opens the context of one call. */
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

/** Returns a lease of a context that holds no resources. */
export function leaseOf<C>(context: C): () => ContextLease<C> {
  const lease = { context, release: () => {} }
  return () => lease
}
