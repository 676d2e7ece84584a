/** One thing to measure. */
export interface Bench {
  readonly name: string
  /** The promised time in microseconds, if there is one. */
  readonly aimMicros?: number
  /** Prepares the bench; called only when the bench is selected. */
  prepare(): Work
}

/** The work of a bench: run once per call. Its result is kept, so that no compiler removes the work. */
export interface Work {
  readonly run: () => unknown
  /** A detail that the name lacks, such as a size. */
  readonly note?: string
}

/** A measurement with its own output: several figures, or one that takes long. */
export interface Report {
  readonly name: string
  /** `methods` are the selected methods of the API; all if it is empty. */
  run(print: (line: string) => void, methods: readonly string[]): Promise<void>
}

/** A result: the median of several rounds. */
export interface Figure {
  readonly micros: number
  readonly perSecond: number
}

const WARM_UP_MS = 150
// Short, so that on a busy machine most rounds are not interrupted and the median is that of an idle one.
const ROUND_MS = 1.5
const MEASURE_MS = 600
const MIN_ROUNDS = 5

/** Runs until warm, then several rounds of about the same length, and takes the median. */
export function measure({ run }: Work): Figure {
  // Before the code is warm: V8 discards compiled code whose objects a collection has removed.
  globalThis.gc?.()
  const calls = callsPerRound(run)
  const rounds: number[] = []
  const start = performance.now()
  while (rounds.length < MIN_ROUNDS || performance.now() - start < MEASURE_MS) rounds.push(microsPerCall(run, calls))
  const micros = rounds.sort((a, b) => a - b)[rounds.length >> 1]!
  return { micros, perSecond: 1e6 / micros }
}

/** Does the same for work that is done when its promise resolves. */
export async function measureLater(run: () => Promise<unknown>): Promise<Figure> {
  globalThis.gc?.()
  const warm = performance.now() + WARM_UP_MS
  let calls = 0
  for (; performance.now() < warm; calls++) sink = await run()
  const inRound = Math.max(1, Math.round((calls * ROUND_MS) / WARM_UP_MS))
  const rounds: number[] = []
  const start = performance.now()
  while (rounds.length < MIN_ROUNDS || performance.now() - start < MEASURE_MS) {
    const began = performance.now()
    for (let i = 0; i < inRound; i++) sink = await run()
    rounds.push(((performance.now() - began) * 1000) / inRound)
  }
  const micros = rounds.sort((a, b) => a - b)[rounds.length >> 1]!
  return { micros, perSecond: 1e6 / micros }
}

/** Warms up, and returns the number of calls in one round. */
function callsPerRound(run: () => unknown): number {
  const start = performance.now()
  let calls = 0
  let elapsed = 0
  while (elapsed < WARM_UP_MS) {
    sink = run()
    calls++
    elapsed = performance.now() - start
  }
  return Math.max(1, Math.round((calls * ROUND_MS) / elapsed))
}

function microsPerCall(run: () => unknown, calls: number): number {
  const start = performance.now()
  for (let i = 0; i < calls; i++) sink = run()
  return ((performance.now() - start) * 1000) / calls
}

// Exported, so that a compiler cannot see that it is not read.
export let sink: unknown

/** One line of the report: name, time, rate, and the aim where there is one. */
export function line({ name, aimMicros }: Bench, { note }: Work, { micros, perSecond }: Figure): string {
  const what = note === undefined ? name : `${name} (${note})`
  const aim = aimMicros === undefined ? "" : `  aim ${aimMicros} µs: ${micros <= aimMicros ? "met" : "MISSED"}`
  return `${what.padEnd(56)} ${micros.toFixed(2).padStart(10)} µs ${Math.round(perSecond).toLocaleString("en").padStart(12)}/s${aim}`
}
