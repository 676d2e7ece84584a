/** Result of `dev.status`. */
export interface Status {
  readonly clock: string
  /** Seconds by which the clock is ahead of the machine's. */
  readonly offset: string
  readonly frozen: boolean
  readonly chainTime: string
  readonly height: string
  readonly blockMode: { readonly mode: string; readonly seconds?: number }
  readonly snapshots: readonly { readonly id: number; readonly height: string; readonly name: string; readonly time: string }[]
  readonly overrides: number
  readonly mempool: number
  /** The reason why the chain cannot make its next block. */
  readonly halted?: string
  /** The chain that this one is a fork of, and the height of its last block. */
  readonly fork?: { readonly from: string; readonly height: string }
}
