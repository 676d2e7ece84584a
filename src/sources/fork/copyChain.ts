import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { nodeError } from "../../datadir/errors.js"
import type { Node } from "../../node/node.js"
import type { NodeOptions } from "../../node/options.js"
import { openSource } from "../../sync/follow/openSource.js"
import { type FollowerNodeOptions, startFollowing } from "../followed/follow.js"

export interface CopyOptions extends Pick<NodeOptions, "log" | "wall"> {
  readonly url: string
  /** The last height of the copy; by default the node's present last block. */
  readonly height: bigint | undefined
  readonly dir: string
  /** Called as the copy grows, and with `undefined` at its end. */
  readonly onProgress?: FollowerNodeOptions["follow"]["onProgress"]
}

/**
 * Copies the chain of another node up to a height, as `serac follow` does. An interrupted copy continues where it stopped. Throws
 * `sync.no_answer` if the node does not answer, `node.future_height` if it has no block of this height, and `sync.*` if one of its blocks
 * cannot be part of the copy.
 */
export async function copyChain({ url, height, dir, log, onProgress, wall }: CopyOptions): Promise<void> {
  const { source } = await openSource(url, {}, new AbortController().signal)
  const last = await source.height(new AbortController().signal)
  if (height !== undefined && height > last) throw nodeError("node.future_height", { url, asked: height, height: last })
  const until = height ?? last
  const node = await startFollowing({
    follow: { urls: [url], http: {}, until, endsOnProblem: true, onProgress },
    choice: { now: wholeSeconds(wall()) },
    dataDir: dir,
    dialect: "contract",
    isPublic: false,
    log,
    wall,
  })
  try {
    await Promise.race([hasReached(node, until), node.failed])
  } finally {
    await node.stop()
  }
}

function hasReached(node: Node, height: bigint): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (node.height() < height) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = node.api.node.onAccepted(look)
    look()
  })
}
