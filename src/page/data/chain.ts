import { type BlockEvent, KEPT, NO_BLOCKS, type RecentBlocks, type SentEvent, withEvents } from "./recentBlocks.js"
import { platform } from "./rpc.js"
import { Shared } from "./shared.js"

/** Whether the node answers: `starting` until the first answer. */
export const connection = new Shared<"starting" | "live" | "lost">("starting")

/** The height of the last accepted block; `undefined` until the node has answered. */
export const height = new Shared<number | undefined>(undefined)

/** The latest blocks, the newest first. */
export const blocks = new Shared<readonly BlockEvent[]>([])

/** A number that grows with every change of the chain and every reconnection. Views that follow the chain then query again. */
export const version = new Shared(0)

/** Milliseconds between two attempts to reach a node that does not answer. */
const RETRY = 1000

/** Milliseconds in which several changes count as one, so that a chain with many blocks per second is queried once in this time. */
const SETTLE = 250

/** Follows the chain from now on, and again after the node was away. */
export async function followChain(): Promise<void> {
  try {
    const now = Number((await platform("getHeight")).height)
    if (height.value !== undefined && now < height.value) blocks.value = blocks.value.filter((block) => block.height <= now)
    height.value = now
    connection.value = "live"
    changed()
    listen(now)
  } catch {
    lost()
  }
}

function lost(): void {
  connection.value = "lost"
  setTimeout(followChain, RETRY)
}

function listen(now: number): void {
  const stream = new EventSource(`/ext/bc/P/events?from=${Math.max(0, now - KEPT + 1)}`)
  blocks.value = []
  let known: RecentBlocks = { ...NO_BLOCKS, height: now }
  // Events wait in one list, so that what came first is taken first.
  let waiting: SentEvent[] = []
  const take = (): void => {
    const events = waiting
    waiting = []
    const before = known.height ?? 0
    known = withEvents(known, events)
    blocks.value = known.blocks
    height.value = known.height
    if ((known.height ?? 0) > before || events.some(({ name }) => name === "revert")) changed()
  }
  for (const name of ["tx", "block", "revert"]) {
    stream.addEventListener(name, ({ data }) => {
      if (waiting.length === 0) setTimeout(take, 0)
      waiting.push({ name, data })
    })
  }
  // A browser would reconnect by itself and stay silent about it; this way every reconnection starts from the node's own height.
  stream.onerror = () => {
    stream.close()
    lost()
  }
}

let isChangeDue = false

function changed(): void {
  if (isChangeDue) return
  isChangeDue = true
  setTimeout(
    () => {
      isChangeDue = false
      version.value++
    },
    Math.min(SETTLE, version.value * SETTLE),
  )
}
