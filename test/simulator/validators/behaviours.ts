import { blockOf, txsOf } from "../../../src/core/blocks/block.js"
import { type OuterBlock, readOuterBlock, VERIFIED_BEFORE } from "../../../src/core/consensus/proposer/outerBlock.js"
import { wrapBlock } from "../../../src/core/consensus/proposer/wrapBlock.js"
import { hexToBytes, toHex } from "../../../src/core/lib/bytes.js"
import type { OutgoingMessage } from "../../../src/core/p2p/message.js"
import { type Random, randomIndex } from "../../../src/core/p2p/random.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import type { ID, NodeID } from "../../../src/core/types/id.js"
import type { Behaviour, ValidatingNode } from "./validatingNode.js"

/** The blocks that any node has seen. Lying validators choose from them. */
export type SeenBlocks = readonly ID[]

/** The behaviour of a node that never runs. */
export const crashed: Behaviour = {}

/** Stays connected and answers no query. */
export const silent: Behaviour = { out: (_to, message) => (message.case === "chits" ? undefined : message) }

/** Votes for any known block, for blocks that do not exist, or for the parent of its preferred block; each asker gets another vote. */
export function liarInChits(random: Random, seen: SeenBlocks): Behaviour {
  const any = () => hexToBytes(seen[randomIndex(random, seen.length)] ?? toHex(random.bytes(32)))
  return {
    out(_to, message) {
      if (message.case !== "chits") return message
      const chance = random.fraction()
      if (chance < 0.2) return message
      const [preferredId, preferredIdAtHeight] = chance < 0.3 ? [random.bytes(32), random.bytes(32)] : [any(), any()]
      const acceptedId = random.fraction() < 0.5 ? (message.value.acceptedId as Uint8Array) : any()
      return { case: "chits", value: { ...message.value, preferredId, preferredIdAtHeight, acceptedId } }
    },
  }
}

/** Builds blocks and votes for them, but sends them to no node, or to a few. */
export function withholder(random: Random): Behaviour {
  return {
    out(_to, message) {
      if (message.case === "put" || message.case === "ancestors") return undefined
      return message.case === "pushQuery" && random.fraction() < 0.8 ? undefined : message
    },
  }
}

/** Signs two blocks for each of its slots, with transactions that spend the same, and shows each half of the nodes another one. */
export function equivocator(rivalOf: (tx: Tx) => Tx | undefined): Behaviour {
  const rivals = new Map<string, Uint8Array>()
  const isOfOtherHalf = (to: NodeID) => Number.parseInt(to.slice(-1), 16) % 2 === 1
  const rivalBytes = (container: Uint8Array, node: ValidatingNode): Uint8Array => {
    const block = readOuterBlock(container, VERIFIED_BEFORE)
    const known = rivals.get(block.id)
    if (known) return known
    const rival = rivalBlock(block, node, rivalOf)
    rivals.set(block.id, rival?.bytes ?? container)
    if (rival) rivals.set(`by ${rival.id}`, rival.bytes)
    return rival?.bytes ?? container
  }
  return {
    out(to, message, node): OutgoingMessage {
      if (message.case === "pushQuery" && isOfOtherHalf(to)) {
        return {
          case: "pushQuery",
          value: { ...message.value, container: rivalBytes(message.value.container as Uint8Array, node) },
        }
      }
      if (message.case !== "chits" || !isOfOtherHalf(to)) return message
      const rival = rivals.get(toHex(message.value.preferredId as Uint8Array))
      if (!rival) return message
      const preferredId = hexToBytes(readOuterBlock(rival, VERIFIED_BEFORE).id)
      return { case: "chits", value: { ...message.value, preferredId, preferredIdAtHeight: preferredId } }
    },
  }
}

/** Another block for the same slot; `undefined` where its transactions have no rivals. */
function rivalBlock(block: OuterBlock, node: ValidatingNode, rivalOf: (tx: Tx) => Tx | undefined): OuterBlock | undefined {
  const { inner, wrapper } = block
  if (inner.kind !== "BanffStandardBlock" || wrapper?.kind !== "ProposerVMGraniteBlock") return undefined
  const txs = txsOf(inner).flatMap((tx) => rivalOf(tx) ?? [])
  const { chain } = node
  const parentBlock = chain.processing(block.parentID) ?? chain.lastAccepted
  if (txs.length === 0 || parentBlock.id !== block.parentID) return undefined
  const { time, parentID, height } = inner
  const rival = blockOf({ kind: "BanffStandardBlock", time, parentID, height, txs })
  const { nodeID, certificate, signTls: sign } = node.identity
  const { timestamp: nowSeconds, pChainHeight } = wrapper
  const { upgrades } = chain.chain.rules
  return wrapBlock(rival, chain.parentFor(parentBlock), {
    upgrades,
    nowSeconds,
    pChainHeight,
    key: { nodeID, certificate, sign },
  }).block
}
