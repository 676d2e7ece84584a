import { Invalid } from "../core/lib/invalid.js"
import { Turnstile } from "../core/lib/turnstile.js"
import type { NodeID } from "../core/types/id.js"
import type { Epoch } from "../core/types/proposervm.js"
import type { ChainRun, RunOptions } from "./chainRun.js"
import type { MinedBlocks } from "./engine/engine.js"
import { vmError } from "./errors.js"
import type { GrpcClient } from "./grpc/grpcClient.js"
import { GrpcError } from "./grpc/grpcError.js"
import type { ClockAbility } from "./plugin/pluginClock.js"
import { startChain } from "./startChain.js"
import type { StartTurns } from "./startTurns.js"

/** The pause before a chain that failed is started again, milliseconds. It doubles with each failure, up to the longest. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [1000, 300_000]

/** The time for which the other chains of the node wait for the block of one, milliseconds. */
const HOLD_MILLISECONDS = 10_000

/** A chain that has run for this long begins again with the first pause, milliseconds. */
const STEADY_MILLISECONDS = 60_000

/** Life of a chain: it is `restarting` after a failure, until it runs or is stopped. */
export type ChainState = "starting" | "running" | "restarting" | "stopped"

/** A chain at a moment. */
export interface ChainReport {
  readonly state: ChainState
  /** Why it does not run, or makes no block of what waits while the clock stands still. */
  readonly reason: string | undefined
  /** The height of the last accepted block; `undefined` before the first start. */
  readonly height: bigint | undefined
  /** The version of the VM and of the plugin protocol, while it runs. */
  readonly version: string | undefined
  readonly protocol: number | undefined
  /** What the plugin does with the clock of the private chain, while it runs. */
  readonly clock: ClockAbility | undefined
  readonly pid: number | undefined
  /** What the VM says is wrong with it. */
  readonly illness: string | undefined
  /** The number of times that it was started again after a failure. */
  readonly restarts: number
  /** The last lines that the plugin printed. */
  readonly log: readonly string[]
}

/** Options of a chain. */
export interface ChainPluginOptions extends Omit<RunOptions, "path" | "alone" | "onAccepted" | "ending"> {
  /** Returns the file of the plugin. Throws `vm.*`. */
  plugin(): string
  /** The turns in which the chains of the node start. */
  readonly starts: StartTurns
}

const stillReasonOf = (words: string | undefined): string | undefined =>
  words === undefined ? undefined : `its VM makes no block while the clock stands still: ${words}`

/** A chain of this node. It is started again when its plugin fails. */
export class ChainPlugin {
  readonly #options: ChainPluginOptions
  readonly #onAccepted: () => void
  readonly #turns = new Turnstile(1, Number.POSITIVE_INFINITY)
  #running: ChainRun | undefined
  #state: ChainState = "stopped"
  #reason: string | undefined
  #height: bigint | undefined
  #restarts = 0
  #failures = 0
  #log: readonly string[] = []
  #cancelRestart = () => {}
  #starting: Promise<void> | undefined
  #ending = new AbortController()

  /** `onAccepted` is called after each block, and when the chain runs after a start. */
  constructor(options: ChainPluginOptions, onAccepted: () => void = () => {}) {
    this.#options = options
    this.#onAccepted = onAccepted
  }

  report(): ChainReport {
    const running = this.#running
    return {
      state: this.#state,
      reason: this.#reason ?? stillReasonOf(running?.stillReason),
      height: this.#height,
      version: running?.version,
      protocol: running?.protocol,
      clock: running?.clock,
      pid: running?.pid,
      illness: running?.illness,
      restarts: this.#restarts,
      log: running?.lastLines ?? this.#log,
    }
  }

  /** The milliseconds by which the VM's time is ahead of the machine's. */
  get clockAhead(): number {
    const { clock, ports } = this.#options
    const now = ports.now()
    return clock.timeOf(this.#running?.clock ?? "none", now) - now
  }

  /** The memory of the plugin's process, bytes, which the system is asked for. */
  get memory(): number | undefined {
    return this.#running?.memory
  }

  /** Starts the chain. It is tried again until it runs or is stopped. Throws `vm.*` if the first try fails. */
  async start(): Promise<void> {
    if (this.#running || this.#starting) return this.#starting
    this.#cancelRestart()
    this.#failures = 0
    this.#state = "starting"
    await this.#start()
  }

  /**
   * Waits until the chain is between two blocks, and keeps it there, also over starts, until the returned function is called. A VM that takes
   * long for its block is ended, and started again.
   */
  hold(): Promise<() => void> {
    const giveUp = () => this.#running?.fail(`its VM has not finished a block for ${HOLD_MILLISECONDS / 1000} seconds`)
    const cancelTimer = this.#options.ports.after(HOLD_MILLISECONDS, giveUp)
    return new Promise((held) => {
      void this.#turns.run(() => {
        cancelTimer()
        return new Promise<void>((release) => held(release))
      })
    })
  }

  /** Ends the chain. Its data stays. */
  stop(reason = "it was stopped"): Promise<void> {
    return this.#end(reason, (running) => running.stop())
  }

  /** Ends the chain at once, because its data is about to be replaced. */
  kill(reason: string): Promise<void> {
    return this.#end(reason, (running) => running.kill())
  }

  async #end(reason: string, end: (running: ChainRun) => Promise<void>): Promise<void> {
    this.#cancelRestart()
    this.#state = "stopped"
    this.#reason = reason
    this.#ending.abort(vmError("vm.stopped", { state: "stopped", reason }))
    await this.#starting?.catch(() => {})
    const running = this.#running
    this.#running = undefined
    this.#log = running?.lastLines ?? this.#log
    if (running) await end(running)
  }

  /** The ends of the paths of the VM's handlers; none while it does not run. */
  prefixes(): readonly string[] {
    return [...(this.#running?.handlers.keys() ?? [])].sort()
  }

  /** Returns the handler of a route such as `/rpc`; `undefined` if the VM has none. Throws `vm.stopped` with the reason. */
  handler(prefix: string): GrpcClient | undefined {
    return this.#require().handlers.get(prefix)
  }

  /** Returns the handler for requests that name the chain in a header; `undefined` if the VM has none. Throws `vm.stopped`. */
  headerHandler(): GrpcClient | undefined {
    return this.#require().headerHandler
  }

  /** Returns the height that a block made now would name. Throws `vm.stopped`. */
  proposedHeight(): bigint {
    return this.#require().contexts.proposedHeight()
  }

  /** Returns the height at which the Warp messages of the next block are verified; `undefined` if it can carry none. Throws `vm.stopped`. */
  contextHeight(): bigint | undefined {
    return this.#require().contexts.next().pChainHeight
  }

  /** Returns the epoch of a block made now. Throws `vm.stopped`. */
  currentEpoch(): Epoch {
    return this.#require().contexts.currentEpoch()
  }

  /** Returns the P-Chain height that the last block names, 0 before the first block; `undefined` while the chain does not run. */
  namedHeight(): bigint | undefined {
    return this.#running?.contexts.namedHeight
  }

  /** Asks the VM whether it signs a Warp message of its chain. Throws `vm.will_not_sign` with its reason, and `vm.stopped`. */
  async requireSigned(message: Uint8Array, justification: Uint8Array): Promise<void> {
    await this.#require().messages.requireSigned(message, justification)
  }

  /** Makes up to this many blocks; unless `waits` is false, it waits a moment for the first one. Throws `vm.stopped`. */
  async mine(count: number, waits = true): Promise<MinedBlocks> {
    return this.#require().mine(count, waits)
  }

  /** Tells the VM which validators are online, besides this node. A VM that ends meanwhile is told after its next start. */
  async setOnline(nodeIDs: ReadonlySet<NodeID>): Promise<void> {
    try {
      await this.#running?.setOnline(nodeIDs)
    } catch (error) {
      if (!(error instanceof GrpcError)) this.#options.ports.onFault(error, "validators that are online")
    }
  }

  /** Looks again when the next block is due, after the block mode or the clock was set. */
  lookAgain(): void {
    this.#running?.lookAgain()
  }

  /** Returns the VM's metrics. Throws `vm.stopped` and `GrpcError`. */
  metrics() {
    return this.#require().metrics()
  }

  #require(): ChainRun {
    if (this.#running) return this.#running
    throw vmError("vm.stopped", { state: this.#state, ...(this.#reason === undefined ? {} : { reason: this.#reason }) })
  }

  #start(): Promise<void> {
    this.#ending = new AbortController()
    this.#starting = this.#run(this.#ending.signal).finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  /** Runs the chain, or tries again later and throws the reason. A stop ends the start, which then throws that. */
  async #run(ending: AbortSignal): Promise<void> {
    const { plugin, starts, ...options } = this.#options
    const alone: RunOptions["alone"] = (task) => this.#turns.run(task)
    const onAccepted: RunOptions["onAccepted"] = ({ height }) => {
      this.#height = height
      if (this.#running) this.#onAccepted()
    }
    let running: ChainRun
    try {
      running = await starts.run(ending, () => startChain({ ...options, path: plugin(), alone, onAccepted, ending }))
    } catch (error) {
      if (!(error instanceof Invalid)) this.#options.ports.onFault(error, "start of a chain")
      if (!ending.aborted) this.#restartLater((error as Error).message)
      throw error
    }
    this.#running = running
    // The stop that waits for this ends it.
    ending.throwIfAborted()
    const since = this.#options.ports.now()
    this.#state = "running"
    this.#reason = undefined
    running.failed.then((reason) => this.#failed(running, since, reason))
    this.#onAccepted()
  }

  #failed(running: ChainRun, since: number, reason: string): void {
    if (this.#running !== running) return
    const { now } = this.#options.ports
    running.close()
    this.#running = undefined
    this.#log = running.lastLines
    if (now() - since > STEADY_MILLISECONDS) this.#failures = 0
    this.#restartLater(reason)
  }

  #restartLater(reason: string): void {
    const { log, after } = this.#options.ports
    const pause = Math.min(FIRST_PAUSE * 2 ** this.#failures++, LONGEST_PAUSE)
    this.#state = "restarting"
    this.#reason = reason
    log.error("the plugin of a chain failed", { reason, printed: this.#log.slice(-3).join(" | "), pauseSeconds: pause / 1000 })
    this.#cancelRestart = after(pause, () => {
      this.#restarts++
      // The failure is logged, and the next try is due.
      this.#start().catch(() => {})
    })
  }
}
