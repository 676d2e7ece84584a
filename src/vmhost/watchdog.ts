import { GrpcError, grpcStatus } from "./grpc/grpcError.js"
import { type After, withTimeLimit } from "./grpc/timeLimit.js"

/** The time between two looks at a plugin, and the time that its VM has to answer, milliseconds. AvalancheGo asks every 30 seconds. */
const LOOK_MILLISECONDS = 10_000
const ANSWER_MILLISECONDS = 20_000

/** The maximum memory of a plugin, bytes. */
const MAX_MEMORY = 4 * 2 ** 30

/** A plugin that is watched. */
export interface Watched {
  /** Asks the VM for its health. Throws `GrpcError`. */
  health(signal: AbortSignal): Promise<unknown>
  /** Returns the memory of its process, bytes; `undefined` if it is not known. */
  memory(): number | undefined
  readonly after: After
  /** Called once if the plugin must be ended, with the reason. */
  onFailure(reason: string): void
}

/** Looks at a plugin from time to time: whether its VM answers, and how much memory it takes. */
export class Watchdog {
  readonly #watched: Watched
  #isEnded = false
  #cancel = () => {}
  /** What the VM says is wrong with it; `undefined` if it is healthy. */
  illness: string | undefined

  constructor(watched: Watched) {
    this.#watched = watched
    this.#lookLater()
  }

  end(): void {
    this.#isEnded = true
    this.#cancel()
  }

  #lookLater(): void {
    if (!this.#isEnded) this.#cancel = this.#watched.after(LOOK_MILLISECONDS, () => void this.#look())
  }

  async #look(): Promise<void> {
    const memory = this.#watched.memory() ?? 0
    const reason = memory > MAX_MEMORY ? `its plugin took ${memory} bytes of memory, more than ${MAX_MEMORY}` : await this.#ask()
    if (this.#isEnded) return
    if (reason === undefined) return this.#lookLater()
    this.end()
    this.#watched.onFailure(reason)
  }

  /** Returns the reason to end the plugin, if it does not answer. A VM that reports an illness goes on. */
  async #ask(): Promise<string | undefined> {
    const { health, after } = this.#watched
    try {
      await withTimeLimit(after, ANSWER_MILLISECONDS, health)
      this.illness = undefined
    } catch (error) {
      if (!(error instanceof GrpcError)) throw error
      if (error.status === grpcStatus.deadlineExceeded) return error.message
      if (error.status === grpcStatus.unknown) this.illness = error.message
    }
    return undefined
  }
}
