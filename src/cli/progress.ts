import { groupThousands } from "../core/lib/groupThousands.js"
import { printJson } from "../core/lib/json.js"
import type { OpenStore } from "../datadir/openStore.js"
import type { ChainCheck } from "../tools/check/checkChain.js"
import type { Terminal } from "./terminal.js"

/** Progress of a long task, shown on the terminal. */
export interface Progress {
  /** Shows the progress, at most ten times a second. `note` is called if it is shown. */
  update(done: number, note?: () => string): void
  /** Removes the bar, so that the next output starts on an empty line. */
  end(): void
}

/** The counted work: its unit, and its total if it is known. */
export interface CountedWork {
  /** The unit in the plural: `blocks`, `lines`. */
  readonly unit: string
  readonly total?: number | undefined
  /** The amount that was done before the work was resumed. It does not count for the rate. */
  readonly from?: number
}

/** Milliseconds between two drawings of the bar. */
const DRAW_EVERY = 100

/** Characters of the bar. */
const WIDTH = 24

/** Milliseconds between two lines if stderr is not a terminal. */
const LINE_EVERY = 10_000

/** Shows progress on stderr: a bar on a terminal, elsewhere a JSON line every ten seconds. */
export function progressOn(terminal: Terminal, work: CountedWork): Progress {
  return terminal.columns === undefined ? progressLines(terminal, work) : progressBar(terminal, work)
}

/** Writes what a store reports while it is opened to stderr. */
export function logOn(terminal: Terminal): NonNullable<OpenStore["log"]> {
  const info = (event: string) => terminal.note(`serac: ${event}\n`)
  return { info, warn: info }
}

/** Shows the progress of a check of a chain, part by part. `end` removes the bar. */
export function checkProgress(terminal: Terminal): Pick<ChainCheck, "begin"> & { end(): void } {
  let bar: Progress | undefined
  return {
    begin(part) {
      bar?.end()
      const shown = progressOn(terminal, part)
      bar = shown
      let done = 0
      return () => shown.update(++done)
    },
    end: () => bar?.end(),
  }
}

/** How far a chain has caught up with its network, or with the node that it follows. */
export interface CatchUp {
  readonly height: bigint
  readonly target: bigint
  readonly note?: string
}

/** Returns a function that draws how far a chain has caught up, and removes the bar when it is called with `undefined`. */
export function catchUpBar(terminal: Terminal): (progress: CatchUp | undefined) => void {
  let bar: Progress | undefined
  let total = 0
  return (progress) => {
    if (!progress) {
      bar?.end()
      bar = undefined
      return
    }
    const { height, target, note } = progress
    total = Number(target)
    bar ??= progressOn(terminal, {
      unit: "blocks",
      from: Number(height),
      get total() {
        return total
      },
    })
    bar.update(Number(height), note === undefined ? undefined : () => note)
  }
}

function progressLines(terminal: Terminal, { unit, total, from = 0 }: CountedWork): Progress {
  const started = terminal.now()
  let written = started
  return {
    update(done, note) {
      const now = terminal.now()
      if (now - written < LINE_EVERY) return
      written = now
      const perSecond = Math.round(((done - from) * 1000) / (now - started))
      const facts = {
        unit,
        done,
        ...(total === undefined ? {} : { total }),
        perSecond,
        ...(note === undefined ? {} : { note: note() }),
      }
      terminal.note(`${printJson({ time: new Date(now).toISOString(), level: "info", event: "progress", ...facts })}\n`)
    },
    end() {},
  }
}

function progressBar(terminal: Terminal, work: CountedWork): Progress {
  const started = terminal.now()
  let drawn = 0
  return {
    update(done, note) {
      const now = terminal.now()
      if (now - drawn < DRAW_EVERY) return
      drawn = now
      terminal.note(`\r${progressLine(work, done, now - started, note?.()).slice(0, (terminal.columns ?? 80) - 1)}\x1b[K`)
    },
    end() {
      if (drawn > 0) terminal.note("\r\x1b[K")
    },
  }
}

/** The bar as text: `[#####-----]  42 %  1,234 of 3,000 blocks  5,678/s  0:12 left`. */
export function progressLine({ unit, total, from = 0 }: CountedWork, done: number, milliseconds: number, note?: string): string {
  const rate = milliseconds > 0 ? ((done - from) * 1000) / milliseconds : 0
  const parts: string[] = []
  if (total !== undefined && total > 0) {
    const share = Math.min(1, done / total)
    const filled = Math.round(share * WIDTH)
    parts.push(
      `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}] ${Math.floor(share * 100)
        .toString()
        .padStart(3)} %`,
    )
  }
  parts.push(
    `${groupThousands(done)}${total === undefined ? "" : ` of ${groupThousands(total)}`} ${unit}`,
    `${groupThousands(Math.round(rate))}/s`,
  )
  if (total !== undefined && rate > 0 && done < total) parts.push(`${clock((total - done) / rate)} left`)
  if (note !== undefined) parts.push(note)
  return parts.join("  ")
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds)
  const two = (value: number) => value.toString().padStart(2, "0")
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
