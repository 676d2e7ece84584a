/** Result of `dev.status`. */
export interface Status {
  readonly clock: string
  readonly frozen: boolean
  readonly chainTime: string
  readonly height: string
  readonly blockMode: { readonly mode: string; readonly seconds?: number }
  readonly snapshots: readonly { readonly id: number; readonly height: string }[]
  readonly overrides: number
  readonly mempool: number
}
