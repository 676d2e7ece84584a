import { closeSync, openSync, writeSync } from "node:fs"
import { max, min } from "../../core/lib/math64.js"

/** What a plugin does with the clock of its host: it moves and stops with it, it moves with it and does not stop, or it shows the machine's time. */
export type ClockAbility = "stops" | "moves" | "none"

/** The setting of a clock: its seconds ahead of the machine's, and the Unix seconds at which it stands still. */
export interface ClockSetting {
  readonly offset: bigint
  readonly frozenAt: bigint | undefined
}

const RUNNING: ClockSetting = { offset: 0n, frozenAt: undefined }

const NANOSECONDS = 1_000_000_000n

/** The farthest that a plugin can be from the machine's clock, and from 1970, seconds: 292 years. It counts nanoseconds with 64 bits. */
const FARTHEST = 0x7fff_ffff_ffff_ffffn / NANOSECONDS

const limited = (seconds: bigint): bigint => max(-FARTHEST, min(FARTHEST, seconds))

/**
 * The clock that plugins follow. Each plugin maps a file of its own into its memory, so it reads a new time without a call, and all of them
 * read it at once.
 */
export class PluginClock {
  readonly #files = new Set<ClockFile>()
  #setting = RUNNING

  set({ offset, frozenAt }: ClockSetting): void {
    this.#setting = { offset, frozenAt }
    for (const file of this.#files) file.write(this.#setting)
  }

  /** True if the clock stands still. */
  get isStill(): boolean {
    return this.#setting.frozenAt !== undefined
  }

  /** False if the setting is beyond what plugins can show. */
  get isShown(): boolean {
    const { offset, frozenAt = 0n } = this.#setting
    return [offset, frozenAt].every((seconds) => seconds === limited(seconds))
  }

  /** Moves the clock of one more plugin. */
  add(file: ClockFile): void {
    this.#files.add(file)
    file.write(this.#setting)
  }

  remove(file: ClockFile): void {
    this.#files.delete(file)
    file.close()
  }

  /** Returns the time that a plugin shows, Unix milliseconds. `wall` is that of the machine. */
  timeOf(ability: ClockAbility, wall: number): number {
    const { offset, frozenAt } = this.#setting
    if (ability === "none") return wall
    return ability === "stops" && frozenAt !== undefined
      ? Number(limited(frozenAt)) * 1000
      : wall + Number(limited(offset)) * 1000
  }
}

/**
 * The file of one plugin: 8 bytes that the plugin adds to the time of the machine, and 8 bytes that it shows instead, unless they are 0. Both
 * are nanoseconds, little endian.
 */
export class ClockFile {
  readonly path: string
  #file: number | undefined

  constructor(path: string) {
    this.path = path
    this.#file = openSync(path, "wx+", 0o600)
    this.write(TRIAL)
  }

  /** Writes a setting. Each number is written at once, because the plugin may read it meanwhile. */
  write({ offset, frozenAt }: ClockSetting): void {
    this.#write(0, offset)
    this.#write(8, frozenAt ?? 0n)
  }

  #write(at: number, seconds: bigint): void {
    if (this.#file === undefined) return
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(limited(seconds) * NANOSECONDS)
    writeSync(this.#file, bytes, 0, 8, at)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}

/** The setting under which a plugin starts until it has printed a time: a thousand days ahead, standing still on 2001-09-09. */
const TRIAL: ClockSetting = { offset: 86_400_000n, frozenAt: 1_000_000_000n }

/** The difference that time zones make, milliseconds. A plugin prints the time of its own. */
const TIME_ZONES = 15 * 3_600_000

/** A line of gRPC in a plugin, with its time. */
const GRPC_LINE = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d) INFO: /

/**
 * Finds out by what a plugin prints whether it follows its clock. gRPC for Go prints a line with the time when it starts, if its documented
 * variable `GRPC_GO_LOG_SEVERITY_LEVEL` asks for it.
 */
export class ClockTrial {
  readonly #wall: () => number
  #found: (ability: ClockAbility) => void = () => {}
  #isInside = false
  /** Resolves when the plugin has printed a time. */
  readonly ability: Promise<ClockAbility>

  constructor(wall: () => number) {
    this.#wall = wall
    this.ability = new Promise((resolve) => {
      this.#found = resolve
    })
  }

  /** Takes a line that the plugin printed. Returns whether it is one of gRPC. */
  take(line: string): boolean {
    const time = GRPC_LINE.exec(line)
    if (!time) {
      // A line of gRPC may be followed by an indented description.
      const isInside = this.#isInside && /^[\s}]/.test(line)
      if (isInside) this.#isInside = !line.startsWith("}")
      return isInside
    }
    this.#isInside = line.endsWith("{")
    const [year, month, day, hour, minute, second] = time.slice(1).map(Number) as [number, number, number, number, number, number]
    this.#found(this.#abilityAt(Date.UTC(year, month - 1, day, hour, minute, second)))
    return true
  }

  #abilityAt(shown: number): ClockAbility {
    const isAt = (time: number) => Math.abs(shown - time) < TIME_ZONES
    const { offset, frozenAt } = TRIAL
    if (isAt(Number(frozenAt) * 1000)) return "stops"
    return isAt(this.#wall() + Number(offset) * 1000) ? "moves" : "none"
  }
}
