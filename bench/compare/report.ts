import type { LoadResult } from "./loadGenerators.js"

/** The result of one node for one question. */
export interface MeasuredLoad extends LoadResult {
  readonly perCpuSecond: number
  /** Resident memory after it, bytes. */
  readonly bytes: number
}

/** Returns the median of each figure of several turns, the sum of their requests and errors, and the memory after the last. */
export function medianOf(turns: readonly MeasuredLoad[]): MeasuredLoad {
  const sum = (member: (turn: MeasuredLoad) => number) => turns.reduce((total, turn) => total + member(turn), 0)
  const middle = (member: (turn: MeasuredLoad) => number) => median(turns.map(member))
  return {
    requests: sum(({ requests }) => requests),
    perSecond: middle(({ perSecond }) => perSecond),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    errors: sum(({ errors }) => errors),
    perCpuSecond: middle(({ perCpuSecond }) => perCpuSecond),
    bytes: turns.at(-1)?.bytes ?? 0,
  }
}

/** One second of each node with the same question, next to each other in time, and one of the echo beside them. */
export interface Turn {
  readonly serac: MeasuredLoad
  readonly avalanchego: MeasuredLoad
  readonly echo: MeasuredLoad
}

/** One row of the comparison. */
export interface ComparedQuestion {
  readonly name: string
  readonly serac: MeasuredLoad
  readonly avalanchego: MeasuredLoad
  /** Serac's figures divided by the others' in the same turn: the median of all turns. */
  readonly ratios: { readonly perSecond: number; readonly perCpuSecond: number; readonly ofEcho: number }
}

/** Summarizes the turns of a question. */
export function comparedQuestion(name: string, turns: readonly Turn[]): ComparedQuestion {
  const ratioOf = (of: (turn: Turn) => number) => median(turns.map(of))
  return {
    name,
    serac: medianOf(turns.map(({ serac }) => serac)),
    avalanchego: medianOf(turns.map(({ avalanchego }) => avalanchego)),
    ratios: {
      perSecond: ratioOf(({ serac, avalanchego }) => serac.perSecond / avalanchego.perSecond),
      perCpuSecond: ratioOf(({ serac, avalanchego }) => serac.perCpuSecond / avalanchego.perCpuSecond),
      ofEcho: ratioOf(({ serac, echo }) => serac.perCpuSecond / echo.perCpuSecond),
    },
  }
}

/** The middle of some numbers: of an even count the mean of the two in the middle. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0]
  return (low + high) / 2
}

/** A whole comparison. */
export interface Comparison {
  readonly date: string
  readonly machine: string
  readonly node: string
  readonly generator: string
  readonly load: string
  readonly genesis: string
  /** Milliseconds from the start of the process to the first answer. */
  readonly start: { readonly serac: number; readonly avalanchego: number; readonly seracVerified: number | undefined }
  /** The empty echo, measured in the same rounds. */
  readonly echo: MeasuredLoad
  readonly questions: readonly ComparedQuestion[]
  readonly skipped: readonly string[]
}

/** Prints a comparison in Markdown. */
export function markdownOf(comparison: Comparison): string {
  const { date, machine, node, generator, load, genesis, start, echo, questions, skipped } = comparison
  const rows = questions.map(({ name, serac, avalanchego, ratios: { perSecond, perCpuSecond, ofEcho } }) => {
    const cells = [
      name,
      whole(serac.perSecond),
      whole(avalanchego.perSecond),
      ratio(perSecond),
      whole(serac.perCpuSecond),
      whole(avalanchego.perCpuSecond),
      ratio(perCpuSecond),
      ratio(ofEcho),
      `${time(serac.p50)} / ${time(avalanchego.p50)}`,
      `${time(serac.p99)} / ${time(avalanchego.p99)}`,
    ]
    return `| ${cells.join(" | ")} |`
  })
  const last = questions.at(-1)
  const verified =
    start.seracVerified === undefined ? "" : ` (genesis written and verified after ${whole(start.seracVerified)} ms)`
  const memory = last ? `${mebibytes(last.serac.bytes)} and ${mebibytes(last.avalanchego.bytes)} MiB` : "unknown"
  return [
    `Measured ${date} on ${machine}, Node ${node}, with ${generator}: ${load}. Genesis: ${genesis}.`,
    "",
    `First answer after the start of the process: Serac ${whole(start.serac)} ms${verified}, AvalancheGo ${whole(start.avalanchego)} ms. Resident memory at the end: ${memory}.`,
    `An empty \`node:http\` JSON echo answered ${whole(echo.perCpuSecond)} requests per CPU second in the same run.`,
    "",
    "| method | Serac/s | AvalancheGo/s | ratio | Serac per CPU s | AvalancheGo per CPU s | ratio | of the echo | p50 ms | p99 ms |",
    "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |",
    ...rows,
    ...(skipped.length === 0 ? [] : ["", `Omitted, because not both answer it: ${skipped.join(", ")}.`]),
    "",
  ].join("\n")
}

const whole = (value: number): string => Math.round(value).toLocaleString("en")
const ratio = (value: number): string => (value >= 10 ? value.toFixed(0) : value.toFixed(2))
const time = (milliseconds: number): string => (milliseconds >= 10 ? milliseconds.toFixed(0) : milliseconds.toFixed(1))
const mebibytes = (bytes: number): string => whole(bytes / 2 ** 20)
