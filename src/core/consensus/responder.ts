import { hexToBytes } from "../lib/bytes.js"
import type { ChainMessage, MessageOf, OutgoingMessage } from "../p2p/message.js"
import { EngineType } from "../p2p/proto/p2p_pb.js"
import { type ID, ID_SIZE } from "../types/id.js"
import { CHAIN_ID, idIn, isAboutPChain } from "./chainMessages.js"
import type { OuterChain } from "./proposer/outerChain.js"
import type { Snowman } from "./snowman/snowman.js"

export interface AnswerLimits {
  /** The most blocks in an answer with ancestors. */
  readonly maxAncestors: number
  /** Returns whether the answer has taken long enough. */
  isOutOfTime(): boolean
}

const MAX_ANCESTORS_BYTES = 1_677_721
/** The maximum number of IDs of one question that are looked up. */
const MAX_IDS = 2048

/** From here on AvalancheGo reads a deadline as negative. */
const NEGATIVE_DEADLINE = 1n << 63n

/** Returns whether a request leaves any time to answer. */
export function hasTime(message: ChainMessage): boolean {
  if (!("deadline" in message.value)) return true
  const { deadline } = message.value
  return deadline > 0n && deadline < NEGATIVE_DEADLINE
}

/** Answers requests of other nodes about accepted blocks as AvalancheGo does; `undefined` if there is no answer. */
export function answerAboutChain(message: ChainMessage, chain: OuterChain, limits: AnswerLimits): OutgoingMessage | undefined {
  if (!("chainId" in message.value) || !isAboutPChain(message.value) || !hasTime(message)) return undefined
  switch (message.case) {
    case "getAcceptedFrontier":
      return {
        case: "acceptedFrontier",
        value: { ...headerOf(message.value), containerId: hexToBytes(chain.lastAccepted.id) },
      }
    case "getAccepted":
      return accepted(message.value, chain, limits)
    case "getAncestors":
      return ancestors(message.value, chain, limits)
    case "get":
      return put(message.value, chain)
    case "getAcceptedStateSummary":
      // The P-Chain has no state summaries; only a question for none has an answer.
      return message.value.heights.length > 0 ? undefined : { case: "acceptedStateSummary", value: headerOf(message.value) }
    default:
      return undefined
  }
}

/** A request for a vote. `requestedHeight` is the sender's last accepted height plus one. */
export interface VoteQuery {
  readonly requestId: number
  readonly requestedHeight: bigint
}

/** The vote of a validator, for the blocks that it prefers; without a tree that of a node which only follows, for decided blocks. */
export function chitsOf(
  query: VoteQuery,
  chain: OuterChain,
  tree?: Pick<Snowman, "preference" | "preferredAt">,
): OutgoingMessage {
  const { requestedHeight } = query
  const { id, height } = chain.lastAccepted
  const preferred = tree?.preference ?? id
  const decided = requestedHeight <= height ? (chain.idAt(requestedHeight) ?? id) : undefined
  return {
    case: "chits",
    value: {
      ...headerOf(query),
      preferredId: hexToBytes(preferred),
      acceptedId: hexToBytes(id),
      preferredIdAtHeight: hexToBytes(decided ?? tree?.preferredAt(requestedHeight) ?? preferred),
      acceptedHeight: height,
    },
  }
}

function headerOf({ requestId }: { readonly requestId: number }) {
  return { chainId: CHAIN_ID, requestId }
}

/** AvalancheGo answers about all IDs. A node asks for as many as it has beacons; of more, only the first are answered about. */
function accepted(
  query: MessageOf<"getAccepted">["value"],
  chain: OuterChain,
  { isOutOfTime }: AnswerLimits,
): OutgoingMessage | undefined {
  if (query.containerIds.some(({ length }) => length !== ID_SIZE)) return undefined
  // AvalancheGo reads the IDs as a set, so an ID that occurs twice is answered once.
  const known = new Set<ID>()
  for (const bytes of query.containerIds.slice(0, MAX_IDS)) {
    const id = idIn(bytes) as ID
    if (chain.heightOf(id) !== undefined) known.add(id)
    if (isOutOfTime()) break
  }
  return { case: "accepted", value: { ...headerOf(query), containerIds: [...known].map(hexToBytes) } }
}

/**
 * Returns the requested block and its ancestors, newest first; an empty list for an unknown block, so that the other node asks elsewhere.
 */
function ancestors(
  query: MessageOf<"getAncestors">["value"],
  chain: OuterChain,
  { maxAncestors, isOutOfTime }: AnswerLimits,
): OutgoingMessage | undefined {
  const id = idIn(query.containerId)
  if (id === undefined || query.engineType === EngineType.DAG) return undefined
  const containers: Uint8Array[] = []
  let size = 0
  const add = (bytes: Uint8Array): boolean => {
    size += bytes.length + 4
    const fits = containers.length === 0 || (size <= MAX_ANCESTORS_BYTES && containers.length < maxAncestors && !isOutOfTime())
    if (fits) containers.push(bytes)
    return fits
  }
  let undecided = chain.processing(id)
  let height = undecided ? undefined : chain.heightOf(id)
  while (undecided && add(undecided.bytes)) {
    const { parentID } = undecided
    undecided = chain.processing(parentID)
    if (!undecided) height = chain.heightOf(parentID)
  }
  for (let at = height ?? -1n; at >= 0n; at--) {
    const bytes = chain.bytesAt(at)
    if (!bytes || !add(bytes)) break
  }
  return { case: "ancestors", value: { ...headerOf(query), containers } }
}

function put(query: MessageOf<"get">["value"], chain: OuterChain): OutgoingMessage | undefined {
  const id = idIn(query.containerId)
  const container = id === undefined ? undefined : chain.bytesOf(id)
  return container && { case: "put", value: { ...headerOf(query), container } }
}
