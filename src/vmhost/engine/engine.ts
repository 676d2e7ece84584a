import type { Log } from "../../core/lib/log.js"
import { vmError } from "../errors.js"
import type { VMPort } from "../grpc/grpcClient.js"
import { GrpcError, grpcStatus, isCancelled } from "../grpc/grpcError.js"
import { type After, withTimeLimit } from "../grpc/timeLimit.js"
import { type BuildBlockResponse, Message, VM } from "../proto/vm_pb.js"
import type { SharedMemoryPort } from "../services/sharedMemory.js"
import type { BlockContexts, NextBlock } from "./blockContext.js"

/** When blocks are made: as soon as the VM has something for one, every few seconds, or on request. */
export type ChainBlockMode =
  | { readonly mode: "auto" }
  | { readonly mode: "interval"; readonly seconds: number }
  | { readonly mode: "manual" }

/** A block that the chain has accepted. */
export interface AcceptedBlock {
  readonly id: Uint8Array
  readonly height: bigint
}

/** What the engine needs. */
export interface EngineOptions {
  readonly vm: VMPort
  readonly contexts: BlockContexts
  readonly log: Log
  /** Runs one task at a time: the chain is at rest while another task runs. */
  alone<T>(task: () => Promise<T>): Promise<T>
  /** Returns when blocks are made. */
  blockMode(): ChainBlockMode
  /** Returns whether the clock of the VM stands still. */
  isStill(): boolean
  readonly after: After
  readonly sharedMemory?: Pick<SharedMemoryPort, "accepting"> | undefined
  /** Called after each accepted block. */
  onAccepted(block: AcceptedBlock, next: NextBlock): void
  /** Called once if the chain cannot continue. */
  onFailure(error: unknown): void
}

/** The pause after a build that failed, milliseconds, as in AvalancheGo. */
const RETRY_MILLISECONDS = 100

/** The time that a VM has for each step of a block, milliseconds. Its health check may well answer while it hangs in one. */
const STEP_MILLISECONDS = 60_000

/** The time that a VM has to build a block for which nobody waits, milliseconds. */
const PROMPT_MILLISECONDS = 2000

/** The time that a VM has for the first block on request, milliseconds. Since Granite subnet-evm waits up to two seconds after its last block. */
const DUE_MILLISECONDS = 3000

/** The number of builds after which a VM at a clock that stands still is not expected to make its block by itself. */
const STILL_BUILDS = 5

/** The blocks that were made on request. */
export interface MinedBlocks {
  readonly blocks: number
  /** Why there are not more of them, in the words of the VM; `undefined` if all were made. */
  readonly reason: string | undefined
}

/** Makes the blocks of a chain with one producer: it waits for the VM, then builds, verifies, prefers and accepts one block at a time. */
export class Engine {
  readonly #options: EngineOptions
  #isStopped = false
  #waiting: AbortController | undefined
  #wake: () => void = () => {}
  /** The builds since the last block that the VM has refused, and the words of the last one. */
  #refused = { builds: 0, words: "" }

  constructor(options: EngineOptions) {
    this.#options = options
  }

  start(): void {
    this.#run().catch((error) => this.#fail(error))
  }

  /** Ends the loop. A block that is being made is finished first. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#waiting?.abort()
    this.#wake()
    await this.#options.alone(async () => {})
  }

  /**
   * Makes up to this many blocks now, as long as the VM has something for one. Unless `waits` is false, it waits a moment for the first one, and
   * for a VM that hangs. Throws `vm.stopped` if the chain fails.
   */
  async mine(count: number, waits = true): Promise<MinedBlocks> {
    let blocks = 0
    let refusal: string | undefined
    let isDue = !waits
    try {
      while (blocks < count && !this.#isStopped) {
        refusal = await this.#options.alone(() => this.#makeBlock(waits ? STEP_MILLISECONDS : PROMPT_MILLISECONDS))
        if (refusal === undefined) blocks++
        else if (blocks > 0 || isDue || !(await this.#becomesDue())) break
        else isDue = true
      }
    } catch (error) {
      this.#fail(error)
      throw vmError("vm.stopped", { reason: (error as Error).message })
    }
    this.#waiting?.abort()
    return { blocks, reason: refusal }
  }

  /** Why the VM makes no block of what waits while the clock stands still, in its own words; `undefined` if it does, or has nothing. */
  get stillReason(): string | undefined {
    return this.#refused.builds < STILL_BUILDS || !this.#options.isStill() ? undefined : this.#refused.words
  }

  /** Looks again when the next block is due, after the block mode or the clock was set. A VM that waits has read both when it began. */
  lookAgain(): void {
    this.#refused = { builds: 0, words: "" }
    this.#waiting?.abort()
    this.#wake()
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const mode = this.#options.blockMode()
      if (mode.mode === "manual") await this.#sleep(undefined)
      else {
        if (mode.mode === "interval") await this.#sleep(mode.seconds * 1000)
        if (!(await this.#hasEvent()) || this.#isStopped) continue
        if (this.#options.blockMode().mode === "manual") continue
        const refusal = await this.#options.alone(() => this.#makeBlock())
        if (refusal === undefined) continue
        this.#noteRefusal(refusal)
        await this.#sleep(RETRY_MILLISECONDS)
      }
    }
  }

  /** Notes that the VM has refused a block for which it had something. It says so once where only time could help, and stands still. */
  #noteRefusal(words: string): void {
    const { log, isStill } = this.#options
    this.#refused = { builds: this.#refused.builds + 1, words }
    if (this.#refused.builds === STILL_BUILDS && isStill())
      log.warn("the VM makes no block of what waits while the clock stands still", { reason: words })
  }

  #fail(error: unknown): void {
    if (!this.#isStopped) this.#options.onFailure(error)
  }

  /** Waits until the VM has something for a block. The VM reads its state when the call begins, so each block needs a new call. */
  async #hasEvent(): Promise<boolean> {
    this.#waiting = new AbortController()
    try {
      const { message } = await this.#options.vm.call(VM.method.waitForEvent, {}, { signal: this.#waiting.signal })
      if (message === Message.BUILD_BLOCK) return true
      // A VM that reports something else may do so at once, again and again.
      await this.#sleep(RETRY_MILLISECONDS)
      return false
    } catch (error) {
      if (isCancelled(error)) return false
      throw error
    }
  }

  /** Waits for a moment until the VM has something for a block. Returns whether it has. */
  async #becomesDue(): Promise<boolean> {
    const { vm, after } = this.#options
    try {
      const event = await withTimeLimit(after, DUE_MILLISECONDS, (signal) => vm.call(VM.method.waitForEvent, {}, { signal }))
      return event.message === Message.BUILD_BLOCK
    } catch (error) {
      if (isLate(error)) return false
      throw error
    }
  }

  /** Makes a block on top of the last one. Returns the reason if the VM makes none, or does not build it within a time (milliseconds). */
  async #makeBlock(limit = STEP_MILLISECONDS): Promise<string | undefined> {
    // Another task may have ended the chain meanwhile.
    if (this.#isStopped) return "the chain was stopped"
    const { vm, contexts, log, onAccepted, sharedMemory } = this.#options
    const next = contexts.next()
    const context = next.pChainHeight === undefined ? {} : { pChainHeight: next.pChainHeight }
    let block: BuildBlockResponse
    try {
      block = await this.#step((signal) => vm.call(VM.method.buildBlock, context, { signal }), limit)
    } catch (error) {
      if (!isRefusal(error) && !(isLate(error) && limit < STEP_MILLISECONDS)) throw error
      log.debug("the VM built no block", { reason: error.message })
      return error.message
    }
    const { id, bytes, height, verifyWithContext } = block
    try {
      await this.#step((signal) => vm.call(VM.method.blockVerify, { bytes, ...(verifyWithContext ? context : {}) }, { signal }))
    } catch (error) {
      if (!isRefusal(error)) throw error
      log.warn("the VM refused its own block", { height, reason: error.message })
      return error.message
    }
    await this.#step((signal) => vm.call(VM.method.setPreference, { id }, { signal }))
    const accept = async () => {
      await this.#step((signal) => vm.call(VM.method.blockAccept, { id }, { signal }))
    }
    await (sharedMemory ? sharedMemory.accepting(bytes, accept) : accept())
    this.#refused = { builds: 0, words: "" }
    contexts.accepted(next.position)
    onAccepted({ id, height }, next)
    return undefined
  }

  #step<T>(call: (signal: AbortSignal) => Promise<T>, limit = STEP_MILLISECONDS): Promise<T> {
    return withTimeLimit(this.#options.after, limit, call)
  }

  /** Waits for a time, or until it is woken. */
  #sleep(milliseconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const cancel = milliseconds === undefined ? () => {} : this.#options.after(milliseconds, () => resolve())
      this.#wake = () => {
        cancel()
        resolve()
      }
      if (this.#isStopped) this.#wake()
    })
  }
}

/** Returns whether an error is the end of the time for a call. */
const isLate = (error: unknown): error is GrpcError => error instanceof GrpcError && error.status === grpcStatus.deadlineExceeded

/** Returns whether an error is an answer of the VM, and not the loss of its connection. */
const isRefusal = (error: unknown): error is GrpcError => error instanceof GrpcError && error.status === grpcStatus.unknown
