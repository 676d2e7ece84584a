import type { Json } from "../core/lib/json.js"
import { jsonOf } from "../core/lib/json.js"
import { type LogLevel, logLevels } from "../core/lib/log.js"
import { MAX64 } from "../core/lib/math64.js"
import { nearest } from "../core/lib/nearest.js"
import type { FlagValue } from "../core/networks/flagValue.js"
import { ruleFlags } from "../core/networks/ruleFlags.js"
import { nodeError } from "../datadir/errors.js"
import type { CChainUpgrade } from "../hosting/cChainRecord.js"
import type { Dialect } from "../jsonrpc/schema/param.js"
import type { BlockMode } from "../producer/schedule/schedule.js"
import { pluginProtocolOf } from "../vmhost/plugin/pluginProtocol.js"

/** Options of a private chain. By default it is the local network in memory, on a free port. */
export interface DevnetOptions {
  /** Port on 127.0.0.1: a number, 0 for a free one (the default), or `false` for none. */
  readonly port?: number | false
  /** The directory of the chain; by default the chain is in memory only. */
  readonly dataDir?: string
  /**
   * Starts a fork of the chain in this data directory, of any network, or of the node at this URL. The source is only read; changes are
   * stored separately.
   */
  readonly fork?: string
  /** Height of the last block before the fork; the last block of the chain by default. */
  readonly forkHeight?: bigint | number
  readonly networkID?: number
  /** The text of a genesis file. */
  readonly genesis?: string
  /** The last upgrade that is active from genesis on; `helicon` for a new chain by default. */
  readonly upgrade?: string
  /** AvalancheGo's flags that set rules, by their names: `{ "min-stake-duration": "5s" }`. */
  readonly flags?: Readonly<Record<string, FlagValue>>
  /** Number of funded accounts: 10 on a new chain with the built-in genesis by default; 0 leaves AvalancheGo's local network unchanged. */
  readonly accounts?: number
  readonly mnemonic?: string
  /** The balance of each account, nAVAX. */
  readonly balance?: bigint | number
  /** The first time of the clock, Unix seconds. */
  readonly startTime?: bigint | number
  /** `true` freezes the clock until a method moves it. */
  readonly freezeTime?: boolean
  /** `"auto"` (the default), `"manual"`, or `{ mode: "interval", seconds }`. */
  readonly blockMode?: BlockMode | "auto" | "manual"
  /** `true` lets the five validators of the built-in genesis leave after a year. */
  readonly noRenewValidators?: boolean
  /** `true` verifies Warp messages at AvalancheGo's delayed heights and epochs. */
  readonly warpLag?: boolean
  /** The gas that waiting transactions may use together; 10,000,000 by default. */
  readonly mempoolMaxGas?: bigint | number
  /** `true` replaces the chain in `dataDir` by a new one. */
  readonly reset?: boolean
  /** The state to start from: the bytes of a file of `--dump-state`. It replaces the chain in `dataDir`. */
  readonly loadState?: Uint8Array
  /** The directory of VM plugins. `createL1` then runs the VMs of L1s. */
  readonly pluginDir?: string
  /** The newer version of the plugin protocol, or `"any"`, with which plugins are started, too. */
  readonly pluginProtocol?: number | "any"
  /** `true` runs the C-Chain, from a plugin of coreth in `pluginDir`; an object chooses its rules, its configuration, and that no account is paid there. */
  readonly cChain?: boolean | CChainOptions
  /** `true` delivers the ICM (Teleporter) messages between L1s by itself. */
  readonly autoRelay?: boolean
  readonly dialect?: Dialect
  /** Level from which events are logged to stderr; nothing is logged by default. */
  readonly logLevel?: LogLevel
}

/** How a private chain runs its C-Chain. */
export interface CChainOptions {
  /** The rules of a new C-Chain: `"fortuna"` makes blocks as fast as transactions, `"granite"` one every two seconds. */
  readonly upgrade?: CChainUpgrade
  /** The configuration of the VM: what it says takes the place of Serac's defaults. */
  readonly config?: Readonly<Record<string, unknown>>
  /** `false` pays no account of the private chain on a new C-Chain. */
  readonly payAccounts?: boolean
}

/** The checked options of a private chain. Amounts and times are bigints, the block mode is an object. */
export type CheckedDevnetOptions = Omit<DevnetOptions, Amount | "blockMode"> & { readonly [A in Amount]?: bigint } & {
  readonly blockMode?: BlockMode
}

type Amount = "balance" | "startTime" | "mempoolMaxGas" | "forkHeight"

/** The type of one option: its description in words, and a function that returns its value, or `undefined` if the value is wrong. */
interface OptionType {
  readonly expected: string
  read(value: unknown): unknown
}

const text: OptionType = { expected: "a text", read: (value) => (typeof value === "string" ? value : undefined) }
const flag: OptionType = { expected: "true or false", read: (value) => (typeof value === "boolean" ? value : undefined) }

const integer = (least: number, most: number): OptionType => ({
  expected: `a whole number from ${least} to ${most}`,
  read: (value) => (Number.isInteger(value) && (value as number) >= least && (value as number) <= most ? value : undefined),
})

const word = (words: readonly string[]): OptionType => ({
  expected: words.join(", "),
  read: (value) => words.find((each) => each === value),
})

const u64 = (unit: string, least = 0n): OptionType => ({
  expected: `${unit} as a bigint or a whole number, at least ${least}`,
  read(value) {
    if (typeof value !== "bigint" && !Number.isSafeInteger(value)) return undefined
    const number = BigInt(value as bigint | number)
    return number >= least && number <= MAX64 ? number : undefined
  },
})

const port: OptionType = {
  expected: "a port from 0 to 65535, or false for none",
  read: (value) => (value === false ? value : integer(0, 65_535).read(value)),
}

const blockMode: OptionType = {
  expected: '"auto", "manual", or { mode: "interval", seconds }',
  read(value) {
    const given = (typeof value === "string" ? { mode: value } : value) as { mode?: unknown; seconds?: unknown } | null
    if (given?.mode === "auto" || given?.mode === "manual") return { mode: given.mode }
    return given?.mode === "interval" && typeof given.seconds === "number"
      ? { mode: given.mode, seconds: given.seconds }
      : undefined
  },
}

const cChain: OptionType = {
  expected: "true, false, or { upgrade, config, payAccounts }",
  read(value) {
    if (typeof value === "boolean") return value
    if (typeof value !== "object" || value === null) return undefined
    const { upgrade = "fortuna", config = {}, payAccounts = true, ...others } = value as Record<string, unknown>
    const isKnown = upgrade === "fortuna" || upgrade === "granite"
    const isObject = typeof config === "object" && config !== null && !Array.isArray(config)
    return isKnown && isObject && typeof payAccounts === "boolean" && Object.keys(others).length === 0 ? value : undefined
  },
}

const rules: OptionType = {
  expected: "an object of flags by their names",
  read(value) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
    const names = ruleFlags.map(({ name }) => name)
    for (const name of Object.keys(value)) requireKnown(name, names, "flag")
    return value
  },
}

/** Every option of `startDevnet`. The compiler checks that none is missing. */
const optionTypes: Readonly<Record<keyof DevnetOptions, OptionType>> = {
  port,
  dataDir: text,
  fork: text,
  forkHeight: u64("a height"),
  networkID: integer(1, 0xffff_ffff),
  genesis: text,
  upgrade: text,
  flags: rules,
  accounts: integer(0, 1000),
  mnemonic: text,
  balance: u64("nAVAX"),
  startTime: u64("Unix seconds"),
  freezeTime: flag,
  blockMode,
  noRenewValidators: flag,
  warpLag: flag,
  mempoolMaxGas: u64("gas", 1n),
  reset: flag,
  loadState: { expected: "the bytes of a state file", read: (value) => (value instanceof Uint8Array ? value : undefined) },
  pluginDir: text,
  pluginProtocol: { expected: 'a version of the plugin protocol from 44 on, or "any"', read: pluginProtocolOf },
  cChain,
  autoRelay: flag,
  dialect: word(["contract", "avalanchego"]),
  logLevel: word(logLevels),
}

/** Checks the options that a program gave to `startDevnet`. Throws `node.bad_options`, or `node.unknown_option` or `node.bad_option`, which name the option. */
export function checkDevnetOptions(options: DevnetOptions): CheckedDevnetOptions {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw nodeError("node.bad_options", { got: shown(options) })
  }
  const checked: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    requireKnown(name, Object.keys(optionTypes), "option")
    if (value === undefined) continue
    const { read, expected } = optionTypes[name as keyof DevnetOptions]
    const found = read(value)
    if (found === undefined) throw nodeError("node.bad_option", { option: name, expected, got: shown(value) })
    checked[name] = found
  }
  return checked
}

/** Shows a value as a program writes it: `"3"` for a text, and 3 for a number. */
function shown(value: unknown): Json {
  if (typeof value === "string") return JSON.stringify(value)
  if (value instanceof Date) return `a Date, ${Number.isNaN(value.getTime()) ? "invalid" : value.toISOString()}`
  return typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : jsonOf(value)
}

function requireKnown(name: string, known: readonly string[], as: "option" | "flag"): void {
  if (known.includes(name)) return
  const near = nearest(name, known)
  throw nodeError(`node.unknown_${as}`, {
    [as]: name,
    ...(near === undefined ? { known: known.join(" ") } : { didYouMean: near }),
  })
}
