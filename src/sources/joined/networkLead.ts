/** The number of heights of the network that are remembered. */
const MAX_STEPS = 1024

/** How far the network is ahead of this node. Times are milliseconds. */
export class NetworkLead {
  /** The heights of the network above this node's, and the times at which they were first reported. */
  #steps: { readonly height: bigint; readonly at: number }[] = []
  #own = 0n

  /**
   * Notes the height that most of the connected stake has accepted, `undefined` while it is not known, and this node's own. Seldom more than one
   * height is remembered, so those beyond the limit only make the time too short for a while.
   */
  note(network: bigint | undefined, own: bigint, now: number): void {
    this.#own = own
    this.#steps = this.#steps.filter(({ height }) => height > own)
    const highest = this.#steps.at(-1)?.height ?? own
    if (network === undefined || network <= highest) return
    if (this.#steps.length === MAX_STEPS) this.#steps.pop()
    this.#steps.push({ height: network, at: now })
  }

  /** The number of blocks that the network has accepted and this node has not. */
  get blocks(): number {
    return Number((this.#steps.at(-1)?.height ?? this.#own) - this.#own)
  }

  /** The time since the network accepted a block that this node has not; 0 if it has all. */
  sinceMs(now: number): number {
    return now - (this.#steps[0]?.at ?? now)
  }
}
