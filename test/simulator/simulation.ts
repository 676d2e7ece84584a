import type { Random } from "../../src/core/p2p/random.js"
import { seededRandom } from "./random.js"

interface Event {
  readonly at: number
  readonly order: number
  run(): void
}

/** When a simulation begins, Unix milliseconds. */
export const SIMULATION_START = 1_750_000_000_000

/** A simulated clock that advances from event to event. All random decisions depend on the seed. */
export class Simulation {
  readonly random: Random & { fork(): Random }
  #now: number
  #order = 0
  /** A binary heap: the next event is the first. */
  readonly #events: Event[] = []

  /** `start` is the first time of the clock, Unix milliseconds. */
  constructor(seed: number, start = SIMULATION_START) {
    this.random = seededRandom(seed)
    this.#now = start
  }

  /** Unix milliseconds. */
  get now(): number {
    return this.#now
  }

  /** Number of events so far, past and pending. */
  get eventCount(): number {
    return this.#order
  }

  /** Runs an action after a number of milliseconds. */
  after(delayMs: number, run: () => void): void {
    this.#push({ at: this.#now + delayMs, order: this.#order++, run })
  }

  /** Runs until the condition holds. Returns false if it did not hold within this time. */
  runUntil(isDone: () => boolean, withinMs: number): boolean {
    const end = this.#now + withinMs
    while (!isDone()) {
      const next = this.#events[0]
      if (!next || next.at > end) {
        this.#now = end
        return false
      }
      this.#pop()
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
    return true
  }

  runFor(milliseconds: number): void {
    this.runUntil(() => false, milliseconds)
  }

  #push(event: Event): void {
    const heap = this.#events
    let i = heap.push(event) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!isBefore(event, heap[parent] as Event)) break
      heap[i] = heap[parent] as Event
      i = parent
    }
    heap[i] = event
  }

  #pop(): void {
    const heap = this.#events
    const last = heap.pop() as Event
    if (heap.length === 0) return
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child++
      if (!isBefore(heap[child] as Event, last)) break
      heap[i] = heap[child] as Event
      i = child
    }
    heap[i] = last
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
