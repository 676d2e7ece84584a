/** A piece of work that waits for its turn. */
export interface Task {
  /** Starts or continues the work. It returns `continues` if the work goes on after the present callback of the event loop. */
  run(): unknown
  /** Ends the work, because it will not run any more. */
  cancel?(): void
}

/** Milliseconds of work in one turn of the event loop before timers, sockets and other clients are served. */
const TURN_MILLISECONDS = 10

/**
 * Divides the event loop among clients. Work runs immediately as long as the current turn of the loop has time left; later work waits for the
 * next turn. Each client has a queue, and the queues are served in turn, one piece of work of each client at a time. Interrupted work
 * continues before its client begins other work, so that the client is charged for one thing before the next one is admitted.
 */
export class LoopScheduler {
  /** Work that has not begun, by client. */
  readonly #fresh = new Map<string, Task[]>()
  /** Work that was interrupted, by client. */
  readonly #begun = new Map<string, Task[]>()
  /** Number of pieces of asynchronous work that run now: more than one if one of them waits for something without its pace. */
  open = 0
  #used = 0
  #waiting = 0
  #ownQueues = 0
  #isFreshNext = true
  #immediate: NodeJS.Immediate | undefined

  /** Number of waiting pieces of work. */
  get waiting(): number {
    return this.#waiting
  }

  /** Adds milliseconds for which metered work held the current turn of the loop. */
  spend(milliseconds: number): void {
    this.#used += milliseconds
  }

  /** Returns whether the current work, which has run for this many milliseconds, should yield. */
  isOver(milliseconds: number): boolean {
    return this.#used + milliseconds >= TURN_MILLISECONDS
  }

  /** True if nothing waits and the current turn has time left, so that work may begin immediately. */
  get isFree(): boolean {
    return this.#waiting === 0 && this.#used < TURN_MILLISECONDS
  }

  /** Begins work: now, or in the client's turn. `cancel` ends work that will not begin any more. */
  begin(client: string, run: Task["run"], cancel = () => {}): void {
    if (this.isFree) run()
    else this.#add(this.#fresh, client, { run, cancel })
  }

  /** Continues work in a later turn of the loop. `queue` is a client or a queue of its own. */
  resume(queue: string, task: Task): void {
    this.#add(this.#begun, queue, task)
  }

  /** Returns the name of a queue for work that belongs to no client. */
  newQueue(): string {
    return `shared work ${++this.#ownQueues}`
  }

  /** Removes interrupted work from a queue. Returns whether it was there. */
  remove(queue: string, task: Task): boolean {
    const tasks = this.#begun.get(queue) ?? []
    const at = tasks.indexOf(task)
    if (at < 0) return false
    tasks.splice(at, 1)
    if (tasks.length === 0) this.#begun.delete(queue)
    this.#waiting--
    return true
  }

  /** Ends all waiting work, so that it gives back what it holds. */
  close(): void {
    clearImmediate(this.#immediate)
    const tasks = [...this.#fresh.values(), ...this.#begun.values()].flat()
    this.#fresh.clear()
    this.#begun.clear()
    this.#waiting = 0
    for (const { cancel } of tasks) cancel?.()
  }

  #add(queues: Map<string, Task[]>, client: string, task: Task): void {
    const queue = queues.get(client)
    if (queue) queue.push(task)
    else queues.set(client, [task])
    this.#waiting++
    this.#immediate ??= setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#immediate = undefined
    this.#used = 0
    // Work that is interrupted in this turn continues in a later one.
    for (let left = this.#waiting; left > 0 && this.#used < TURN_MILLISECONDS; left--) {
      // How long such work takes is known in the next turn.
      if (this.#next()?.run() === "continues") break
    }
    if (this.#waiting > 0) this.#immediate ??= setImmediate(() => this.#turn())
  }

  /** Takes new work and interrupted work alternately, so that neither blocks the other. */
  #next(): Task | undefined {
    this.#isFreshNext = !this.#isFreshNext
    return this.#isFreshNext ? (this.#nextFresh() ?? this.#nextBegun()) : (this.#nextBegun() ?? this.#nextFresh())
  }

  #nextFresh(): Task | undefined {
    for (const client of this.#fresh.keys()) if (!this.#begun.has(client)) return this.#take(this.#fresh, client)
    return undefined
  }

  #nextBegun(): Task | undefined {
    for (const client of this.#begun.keys()) return this.#take(this.#begun, client)
    return undefined
  }

  /** Returns the client's next piece of work, and moves the client to the end of the queue. */
  #take(queues: Map<string, Task[]>, client: string): Task | undefined {
    const queue = queues.get(client) as Task[]
    queues.delete(client)
    const task = queue.shift()
    if (queue.length > 0) queues.set(client, queue)
    this.#waiting--
    return task
  }
}
