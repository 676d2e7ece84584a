import { encode } from "../core/codec/decode.js"
import { wrapperTables } from "../core/consensus/proposer/tables.js"
import { outerBytesAt } from "../core/consensus/proposer/wrapperStore.js"
import { concatBytes, utf8 } from "../core/lib/bytes.js"
import { copyHeaderText } from "../core/networks/chainIdentity.js"
import { isProduction } from "../core/networks/names.js"
import { tables } from "../core/state/tables.js"
import type { View } from "../core/state/view.js"
import { idText } from "../core/types/id.js"
import { copyHeaderOf, isMadeByOneNode } from "../datadir/storedIdentity.js"
import type { Entry, Feed, FeedState } from "../jsonrpc/events/feed.js"
import type { ContextLease } from "../jsonrpc/service.js"
import { devTables } from "../producer/tables.js"
import type { Context, NodePort } from "../services/context.js"
import { fetchingEntries } from "../services/events/blockFeed.js"
import { commonWith } from "../services/events/commonPlace.js"
import type { Store } from "../store/store.js"
import { ALIVE_FRAME, BLOCK_STREAM_TYPE, chainFrame } from "../sync/follow/chainFrames.js"

/** Makes the feed of a whole chain for its copies: accepted blocks, and everything that a copy needs besides them but no secret. */
export function outerBlockFeed(node: NodePort, store: Pick<Store, "getMeta">, open: () => ContextLease<Context>): Feed {
  const isPrivate = isMadeByOneNode(store)
  return {
    contentType: BLOCK_STREAM_TYPE,
    heartbeat: ALIVE_FRAME,
    open() {
      const lease = open()
      const { view, height } = lease.context
      const context: FeedState = {
        height,
        entryAt: (at) => entryAt(view, at, isPrivate),
        ...fetchingEntries(lease.context, open, (_, each, at) => entryAt(each, at, isPrivate)),
        besides: (sent, next) => besides(view, store, sent, next),
        commonWith: commonWith(lease.context, open),
        revertEvent: (to) => chainFrame({ kind: "revert", height: to.height }),
      }
      return { context, release: () => lease.release() }
    },
    onChange: (listener) => node.onAccepted(({ kind }) => listener(kind === "revert")),
  }
}

function entryAt(view: View, height: bigint, isPrivate: boolean): Entry | undefined {
  const id = view.get(tables.blockIDs, height)
  const bytes = outerBytesAt(view, height)
  if (id === undefined || bytes === undefined) return undefined
  const parentID = height === 0n ? undefined : view.get(tables.blockIDs, height - 1n)
  const warpHeight = isPrivate ? view.get(wrapperTables.warpHeights, height) : undefined
  const frame = chainFrame({ kind: "block", warpHeight, bytes })
  return { id: idText(id), ...(parentID ? { parentID: idText(parentID) } : {}), bytes: frame }
}

/** Returns the facts about the chain as the first part, and one part for each override of a private chain. */
function besides(view: View, store: Pick<Store, "getMeta">, sent: number, next: bigint) {
  const first = Math.max(sent - 1, 0)
  const rows = [...view.rows(devTables.overrides, { from: BigInt(first) })]
  const frames = sent === 0 ? headFrames(store, rows.length, next) : []
  for (const [position, row] of rows) {
    frames.push(chainFrame({ kind: "override", position, bytes: encode(devTables.overrides.value, row) }))
  }
  return frames.length === 0 ? undefined : { bytes: concatBytes(...frames), sent: first + rows.length + 1 }
}

/** Returns the header of a chain, and its genesis for a client that has no block yet. Every program has that of Mainnet and Fuji. */
function headFrames(store: Pick<Store, "getMeta">, overrides: number, next: bigint): Uint8Array[] {
  const header = copyHeaderOf(store)
  const chain = chainFrame({ kind: "chain", header: utf8(copyHeaderText(header)), overrides: BigInt(overrides) })
  const genesis = next <= 1n && !isProduction(header.networkID) ? store.getMeta("genesis") : undefined
  return genesis ? [chain, chainFrame({ kind: "genesis", bytes: genesis })] : [chain]
}
