const TICK_MS = 50
/** For how long blocks are executed before anything else gets its turn. */
const EXECUTE_MS = 25
/** For how long messages of peers are handled before anything else gets its turn. */
const HANDLE_MS = 10

/** The tasks of a loop. Both return true if work is left when their time is up. */
export interface LoopTasks {
  /** Does what is due; called twenty times a second. */
  tick(): void
  /** Handles messages of peers. */
  handle(isOutOfTime: () => boolean): boolean
  /** Executes blocks. */
  execute(isOutOfTime: () => boolean): boolean
  /** Called with what a task threw. */
  failed(error: unknown): void
}

/** Runs the tasks of a chain in short slices, so that callers of the API get their turn in between. */
export class WorkLoop {
  readonly #tasks: LoopTasks
  #timer: NodeJS.Timeout | undefined
  #isExecuting = false
  #isHandling = false

  constructor(tasks: LoopTasks) {
    this.#tasks = tasks
  }

  get isRunning(): boolean {
    return this.#timer !== undefined
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
    this.#tick()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Messages arrived: they are handled once the current task has ended. */
  handleSoon(): void {
    if (this.#isHandling) return
    this.#isHandling = true
    setImmediate(() => {
      this.#isHandling = false
      this.guarded(() => {
        if (this.#tasks.handle(within(HANDLE_MS)) && this.isRunning) this.handleSoon()
      })
    })
  }

  /** Does something, and reports what it throws. */
  guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.#tasks.failed(error)
    }
  }

  #tick(): void {
    this.guarded(() => this.#tasks.tick())
    if (!this.#isExecuting && this.isRunning) this.#execute()
  }

  #execute(): void {
    this.#isExecuting = false
    this.guarded(() => {
      this.#isExecuting = this.#tasks.execute(within(EXECUTE_MS)) && this.isRunning
    })
    if (this.#isExecuting) setImmediate(() => this.#execute())
  }
}

/** A function that is true once so many milliseconds have passed. */
export function within(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() >= end
}
