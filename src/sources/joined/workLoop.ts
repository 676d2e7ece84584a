const TICK_MS = 50
/** Milliseconds for which blocks are executed before other work runs. */
const EXECUTE_MS = 25
/** Milliseconds for which messages of peers are handled before other work runs. */
const HANDLE_MS = 10

/** Milliseconds for which no task of the chain runs after a fault. */
const FAULT_PAUSE_MS = 2_000

/** The tasks of a loop. Both return true if work is left when their time is up. */
export interface LoopTasks {
  /** Does the work that is due; called twenty times a second. */
  tick(): void
  handle(isOutOfTime: () => boolean): boolean
  execute(isOutOfTime: () => boolean): boolean
  /** Called with the error of a task. Returns whether it is a fault, after which the tasks of the chain pause. */
  failed(error: unknown): boolean
}

/** Runs the tasks of a chain in short slices, so that API calls can run in between. */
export class WorkLoop {
  readonly #tasks: LoopTasks
  #timer: NodeJS.Timeout | undefined
  #isExecuting = false
  #isHandling = false
  #pausedUntil = 0

  constructor(tasks: LoopTasks) {
    this.#tasks = tasks
  }

  get isRunning(): boolean {
    return this.#timer !== undefined
  }

  /** True for some seconds after a fault, so that one that comes back does not take all time. */
  get isPaused(): boolean {
    return performance.now() < this.#pausedUntil
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
    this.#tick()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Called when messages have arrived. They are handled after the current task. */
  handleSoon(): void {
    if (this.#isHandling) return
    this.#isHandling = true
    setImmediate(() => {
      this.#isHandling = false
      this.guarded(() => {
        if (this.#tasks.handle(outOfTimeAfter(HANDLE_MS)) && this.isRunning) this.handleSoon()
      })
    })
  }

  /** Runs an action, and reports its error. */
  guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.fail(error)
    }
  }

  /** Reports an error of the chain. After a fault its tasks pause. */
  fail(error: unknown): void {
    if (this.#tasks.failed(error)) this.#pausedUntil = performance.now() + FAULT_PAUSE_MS
  }

  #tick(): void {
    if (!this.isPaused) this.guarded(() => this.#tasks.tick())
    // Messages may have waited until their peer may send again.
    this.handleSoon()
    if (!this.#isExecuting && this.isRunning && !this.isPaused) this.#execute()
  }

  #execute(): void {
    this.#isExecuting = false
    this.guarded(() => {
      this.#isExecuting = this.#tasks.execute(outOfTimeAfter(EXECUTE_MS)) && this.isRunning
    })
    if (this.#isExecuting) setImmediate(() => this.#execute())
  }
}

/** Returns a function that returns true after this many milliseconds. */
export function outOfTimeAfter(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() >= end
}
