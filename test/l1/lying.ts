/** What a lying VM does for one block: the bytes of the block, and what it asks the host for, when. Bytes are hex. */
export interface LyingOrder {
  readonly block: string
  readonly asks: readonly LyingAsk[]
}

/** A call of `SharedMemory.Apply`: while a block is built, verified or accepted, or after that, also over a connection of its own. */
interface LyingAsk {
  readonly at: "build" | "verify" | "accept" | "later"
  readonly requests: readonly AskedChange[]
  readonly isElsewhere?: boolean
}

/** What a call wants to change in the memory that the chain shares with a peer. */
export interface AskedChange {
  readonly peer: string
  readonly removes: readonly string[]
  readonly puts: readonly { readonly key: string; readonly value: string; readonly traits: readonly string[] }[]
}
