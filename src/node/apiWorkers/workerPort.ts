import { max } from "../../core/lib/math64.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { hrpOf } from "../../core/networks/names.js"
import { gasAt, nextBlockTime } from "../../core/rules/chainTime.js"
import { chainTimeOf } from "../../core/rules/context.js"
import { AnswerRoom } from "../../jsonrpc/answerRoom.js"
import { needsOtherProcess } from "../../jsonrpc/call/notInThisProcess.js"
import { maxAnswerOf } from "../../jsonrpc/http/options.js"
import { currentOverrides } from "../../producer/chain/overrides.js"
import { Clock } from "../../producer/clock/clock.js"
import type { NodePort } from "../../services/context.js"
import type { Store } from "../../store/store.js"
import { proxiedChainID } from "../chainProxy.js"
import { containers } from "../containers.js"
import type { StoreFollower } from "../storeFollower.js"
import type { MainStatus, WorkerSetup } from "./messages.js"

/** Parts of the port of a worker. */
export interface WorkerPortOptions {
  readonly setup: WorkerSetup
  readonly store: Store
  readonly follower: StoreFollower
  status(): MainStatus
  /** The machine's clock, Unix milliseconds. */
  wall(): number
}

/**
 * Makes the port of a worker. It answers from the store only, so that its answers are as new as those of the main process. Calls that need
 * other facts, such as the mempool, are forwarded to the main process.
 */
export function workerPort(options: WorkerPortOptions): NodePort {
  const { setup, follower } = options
  const { rules, genesis, version, identity, isPublic } = setup
  return {
    networkID: rules.networkID,
    hrp: hrpOf(rules.networkID),
    genesis,
    version,
    hidesIdentity: isPublic,
    answerRoom: new AnswerRoom(maxAnswerOf(setup.http)),
    identity,
    processingBlock: () => undefined,
    containers: setup.hasIndex ? containers : undefined,
    isPrivate: setup.mode === "dev",
    proxiedChains: (setup.http.chainProxies ?? []).map(({ chain }) => proxiedChainID(chain, genesis)),
    hasAdmin: setup.hasAdmin,
    proposedHeight: () => (setup.proposesLastHeight ? follower.height : needsOtherProcess("proposed height")),
    currentEpoch: () => needsOtherProcess("epoch"),
    txStatus: () => needsOtherProcess("mempool"),
    mempoolSize: () => needsOtherProcess("mempool"),
    issueTx: () => needsOtherProcess("mempool"),
    // Nodes of other modes have no peers.
    ...(setup.mode === "join"
      ? { peers: () => needsOtherProcess("peers"), isBootstrapped: () => needsOtherProcess("peers") }
      : {}),
    onAccepted: (listener) => follower.onAccepted(listener),
    ...ownTime(options),
  }
}

/** Returns the part of the port that depends on the mode: clocks, uptimes, and the gas of the next block. */
function ownTime(options: WorkerPortOptions): Pick<NodePort, "now" | "uptimeOf" | "measuresUptimes" | "gasNow"> {
  const { setup, store, status, wall } = options
  if (setup.mode === "serve") return { now: () => chainTimeOf(store.latest), uptimeOf: () => undefined }
  if (setup.mode === "join") {
    return { now: () => wholeSeconds(wall()), uptimeOf: (nodeID) => status().uptimes?.get(nodeID), measuresUptimes: true }
  }
  const chain = privateChainIn(options)
  return {
    now: () => chain().clock.now(),
    uptimeOf(nodeID) {
      const uptime = (chain().uptimes.get(nodeID) ?? 100) / 100
      return { connected: uptime > 0, uptime }
    },
    gasNow() {
      const { time } = nextBlockTime(store.latest, setup.rules, chain().clock.now())
      return { ...gasAt(store.latest, setup.rules, time), time }
    },
  }
}

/** Reads the clock and the uptimes of a private chain from its store after each change. */
function privateChainIn({ store, follower, wall }: WorkerPortOptions) {
  const read = () => {
    const { frozenAt } = parseJson(store.getMeta("producer") ?? "{}") as { readonly frozenAt?: string }
    const offset = store.getMeta("clockOffset") ?? 0n
    const clock = new Clock(wall, { offset, frozenAt: frozenAt === undefined ? undefined : BigInt(frozenAt) })
    if (!clock.isFrozen) clock.set(max(clock.now(), chainTimeOf(store.latest)), false)
    return { clock, uptimes: currentOverrides(store.latest).uptimes }
  }
  let known: ReturnType<typeof read> | undefined
  follower.onAccepted(() => {
    known = undefined
  })
  return () => {
    known ??= read()
    return known
  }
}
