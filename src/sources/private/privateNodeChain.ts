import { project } from "../../core/readmodel/fold.js"
import { readModelTables } from "../../core/readmodel/index.js"
import { gasAt, nextBlockTime } from "../../core/rules/chainTime.js"
import { heightOf } from "../../core/state/tables.js"
import { faultsInReadModel } from "../../datadir/faultsInReadModel.js"
import { hasBuiltInValidators } from "../../datadir/genesis/storedGenesis.js"
import { type DefaultRules, newPrivateChain } from "../../datadir/newChain.js"
import { nodeTables, tablesBesideChain } from "../../datadir/nodeTables.js"
import { bringUpHistory, makeReadModel, projectOverride } from "../../datadir/readModel.js"
import { removedBlocksIn } from "../../datadir/removedBlocks.js"
import type { RequestedPrivateChain } from "../../datadir/requestedChain.js"
import { genesisEdits, type StoredChain } from "../../datadir/storedChain.js"
import type { Hosting } from "../../hosting/hosting.js"
import { type HostingChoice, openHosting } from "../../hosting/openHosting.js"
import type { Check } from "../../jsonrpc/health/monitor.js"
import type { NodeChain, NodeHooks } from "../../node/nodeChain.js"
import type { NodeOptions } from "../../node/options.js"
import { systemTimers } from "../../node/timers.js"
import { loadBackends } from "../../platform/backends.js"
import type { ForkPoint, PrivateChainChoices } from "../../producer/options.js"
import { PrivateChain } from "../../producer/privateChain.js"
import { loadChain } from "../../producer/snapshots/resetChain.js"
import type { LiveChain } from "../../services/context.js"
import type { Store } from "../../store/store.js"
import { openChain } from "../openChain.js"

export interface PrivateNodeChainOptions extends NodeOptions, HostingChoice {
  readonly choice: RequestedPrivateChain
  /** The rules of a new chain; those of its network by default. */
  readonly defaultRules?: DefaultRules | undefined
  readonly producer?: PrivateChainChoices | undefined
  /** A dumped state to start from. */
  readonly loadState?: Uint8Array | undefined
}

interface OpeningOptions extends PrivateNodeChainOptions, NodeHooks {
  /** The last block before a fork; `undefined` if the chain is not one. */
  readonly fork: ForkPoint | undefined
}

export interface PrivateNodeChain extends NodeChain {
  readonly privateChain: PrivateChain
  readonly hosting: Hosting | undefined
}

/** Opens the private chain in a store, or makes a new one. */
export async function privateNodeChain(store: Store, options: OpeningOptions): Promise<PrivateNodeChain> {
  const { log, wall, isPublic, loadState, choice: request, fork } = options
  const make = () => newPrivateChain(request, options.defaultRules)
  const opening = { kind: "private", request, make, resets: request.resets, isFork: fork !== undefined } as const
  const { data, identity, proofs } = openChain(store, options, opening)
  const privateChain = openPrivateChain(store, options, data, proofs?.verdict)
  const hasWarpLag = options.producer?.hasWarpLag ?? false
  const hosting = await openHosting(options, { data, identity, privateChain, hasWarpLag, isFork: options.fork !== undefined })
  privateChain.onAccepted(options.stateChanged)
  let unwatch = () => {}
  return {
    data,
    identity,
    proofs,
    privateChain,
    hosting,
    live: liveOf(store, privateChain, hosting?.vms),
    isReady: () => true,
    checks: [chainCheck(privateChain), ...(hosting ? [hosting.check] : [])],
    registerMetrics: (metrics) => hosting?.registerMetrics(metrics),
    async start() {
      unwatch = watchClock(wall, () => privateChain.clockWasSet())
      const replaced = heightOf(store.latest)
      // A chain that is about to be replaced needs no blocks.
      if (!loadState) await privateChain.start()
      // On a public server the back ends are loaded in advance, so that no call waits for them. A developer's own chain starts sooner without.
      if (isPublic) await loadBackends()
      if (loadState) {
        if (replaced > 0n) log.warn("the chain that was kept here is replaced", { height: replaced })
        await privateChain.turn((turn) => loadChain(turn, privateChain.snapshots, loadState))
      }
      hosting?.host.open()
    },
    interrupt: () => privateChain.interrupt(),
    async stop() {
      unwatch()
      await hosting?.host.close()
      await privateChain.stop()
    },
  }
}

/** The health of the chain itself: it can make its next block. */
function chainCheck(chain: PrivateChain): Check {
  return {
    name: "chain",
    run() {
      if (chain.halted !== undefined) throw new Error(`the chain cannot make its next block: ${chain.halted}`)
      return { height: chain.status.lastAccepted.height.toString() }
    },
  }
}

function openPrivateChain(
  store: Store,
  { log, wall, producer: choices, loadState, fork, onFault, reportFault, history = "on" }: OpeningOptions,
  data: StoredChain,
  proofs: Promise<void> | undefined,
): PrivateChain {
  const { rules, genesis, isNew } = data
  return new PrivateChain({
    rules,
    genesis,
    isNew,
    store,
    log,
    wall,
    choices,
    onFault,
    reportFault,
    fork,
    proofs,
    tables: nodeTables,
    tablesBesideChain,
    readModelTables,
    project,
    projectOverride,
    faultsInReadModel,
    timers: systemTimers,
    hasBuiltInValidators: hasBuiltInValidators(store, genesis),
    initialState: loadState,
    rebuild: (of) => makeReadModel(store, of, log),
    bringUp: (of) => bringUpHistory(store, of, history, log),
    genesisEdits: () => genesisEdits(data),
  })
}

function liveOf(store: Store, privateChain: PrivateChain, vms: LiveChain["vms"]): LiveChain {
  const { status } = privateChain
  return {
    isPrivate: true,
    vms,
    now: () => privateChain.now(),
    uptimeOf(nodeID) {
      const uptime = status.uptimeOf(nodeID)
      return { connected: uptime > 0, uptime }
    },
    proposedHeight: () => status.wrappers.proposedHeight(),
    currentEpoch: () => status.wrappers.currentEpoch(),
    txStatus: (txID) => privateChain.txStatus(txID),
    removedBlocks: removedBlocksIn(store),
    mayCome: () => false,
    gasNow() {
      const now = privateChain.now()
      const { state, blockContext } = status.contextAt(now)
      const { time } = nextBlockTime(state, blockContext, now)
      return { ...gasAt(state, blockContext, time), time }
    },
    mempoolSize: () => status.pool.size,
    issueTx: (tx, pace) => privateChain.issueTx(tx, pace),
  }
}

/** Interval at which the machine's clock is checked, and the difference from which it counts as set, milliseconds. */
const [POLL_MILLISECONDS, TOLERANCE] = [1000, 1000]

/** Calls back when the machine's clock was set or the machine woke up. Returns a function that ends the watch. */
function watchClock(wall: () => number, onSet: () => void): () => void {
  const ahead = () => wall() - performance.now()
  let before = ahead()
  const timer = setInterval(() => {
    const now = ahead()
    if (Math.abs(now - before) > TOLERANCE) onSet()
    before = now
  }, POLL_MILLISECONDS)
  timer.unref()
  return () => clearInterval(timer)
}
