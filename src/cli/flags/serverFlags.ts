import { valueOrUndefined } from "../../core/lib/invalid.js"
import { type Log, logLevels } from "../../core/lib/log.js"
import { type ID, parseID } from "../../core/types/id.js"
import type { HttpOptions } from "../../jsonrpc/http/options.js"
import { defaultClientLimits } from "../../jsonrpc/http/options.js"
import { createLog } from "../../node/log.js"
import { pageFolder } from "../../node/pageFolder.js"
import { MAX_WATCHED_L1S } from "../../node/watchedL1s.js"
import { cliError } from "../errors.js"
import type { Terminal } from "../terminal.js"
import { type CommandInput, type FlagType, flagWithDefault, optionalFlag } from "./flags.js"
import { chainProxies, duration, integerFlag, logLevel, oneOfWords, onOff, text, words } from "./flagTypes.js"
import { excludes, type FlagRule, needs } from "./withoutEffect.js"

const DEFAULT_PORT = 9650

/** IDs of subnets, separated by commas. */
const subnetIDs: FlagType<readonly ID[]> = {
  value: "ID,ID,…",
  expects: "IDs of subnets, separated by commas",
  read: (given, env) => valueOrUndefined(() => words.read(given, env)?.map(parseID)),
}

/** The flags of a process that serves HTTP. Names are AvalancheGo's if it has the flag. */
export const serverFlags = {
  "http-host": flagWithDefault(text, "Address to listen at; anything but a loopback address is open to others", "127.0.0.1"),
  "http-port": flagWithDefault(integerFlag(0, 65_535), "Port to listen at; 0 takes a free one", DEFAULT_PORT),
  "http-allowed-hosts": flagWithDefault(
    words,
    "Names besides localhost that are allowed in a Host header, against DNS rebinding; * allows all",
    [],
    "",
  ),
  "http-allowed-origins": flagWithDefault(
    words,
    "Origins whose pages may call; with * all may read, but only named ones may write (issueTx, keystore, dev)",
    ["*"],
    "*",
  ),
  "http-read-timeout": flagWithDefault(duration, "Time limit for receiving a whole request", 30_000, "30s"),
  "http-read-header-timeout": flagWithDefault(duration, "Time limit for receiving the headers of a request", 30_000, "30s"),
  "http-write-timeout": flagWithDefault(duration, "Time limit for a client to receive an answer", 30_000, "30s"),
  "http-idle-timeout": flagWithDefault(duration, "Time limit between two requests of a connection", 120_000, "2m"),
  "http-shutdown-timeout": flagWithDefault(duration, "Time limit for open requests when the process stops", 10_000, "10s"),
  "api-dialect": flagWithDefault(oneOfWords("contract", "avalanchego"), "Dialect of the answers", "contract"),
  public: flagWithDefault(
    onOff,
    "Serves the public: no calls about the node, no keystore, no dev; each client has a rate limit",
    false,
  ),
  "index-enabled": flagWithDefault(
    onOff,
    "Serves /ext/index in the avalanchego dialect; the contract dialect always does",
    false,
  ),
  "api-admin-enabled": flagWithDefault(
    onOff,
    "Serves /ext/admin in the avalanchego dialect; the contract dialect always does",
    false,
  ),
  "chain-proxy": optionalFlag(
    chainProxies,
    "Passes /ext/bc/C/… (or the ID of an L1's chain) on to an EVM node: C=http://127.0.0.1:8545; not with --public",
  ),
  "no-page": flagWithDefault(onOff, "Does not serve the page at /", false),
  // Refused by `httpOptionsOf`. A flag without a description is not part of the help.
  "api-workers": optionalFlag(text, ""),
  "metrics-port": optionalFlag(
    integerFlag(0, 65_535),
    "Separate port of /ext/metrics and the health pages; /ext/metrics is then not at --http-port",
  ),
  "metrics-host": flagWithDefault(text, "Address to listen at for --metrics-port", "127.0.0.1"),
  "trusted-proxies": flagWithDefault(words, "Addresses or ranges of proxies whose X-Forwarded-For is trusted", [], ""),
  "rate-limit": optionalFlag(
    integerFlag(1, 1_000_000),
    "Units of work per second for each client of a public server (default: 100)",
  ),
  "stop-with-stdin": flagWithDefault(
    onOff,
    "Stops when stdin ends, and so together with the program that started it, even if that is killed",
    false,
  ),
  "watch-l1": flagWithDefault(
    subnetIDs,
    `Subnet IDs of up to ${MAX_WATCHED_L1S} L1s whose health is in the metrics (serac_l1_seconds_left) and in event streams`,
    [],
    "",
  ),
  quiet: flagWithDefault(onOff, "Logs only warnings and errors", false),
  "min-free-disk": flagWithDefault(
    integerFlag(0, Number.MAX_SAFE_INTEGER),
    "Free bytes that the disk of a healthy node has (/ext/health)",
    4_194_304,
  ),
  "answer-cache-size": flagWithDefault(integerFlag(1, 65_536), "Size of the answer cache in MiB", 256),
  "log-level": flagWithDefault(logLevel, "Lowest level of log lines: off, error, warn, info, debug", "info"),
}

/** The names of these flags that are part of the help. */
export const serverFlagNames: readonly string[] = Object.keys(serverFlags).filter((name) => name !== "api-workers")

type ServerFlags = CommandInput<typeof serverFlags>["flags"]

/** Returns the options of the HTTP server that the flags give. Throws `cli.removed_flag`. */
export function httpOptionsOf(flags: ServerFlags): Partial<HttpOptions> {
  if (flags["api-workers"] !== undefined) {
    throw cliError("cli.removed_flag", {
      flag: "--api-workers",
      instead: "serac serve --processes N, alone or beside the node that writes",
    })
  }
  const rate = flags["rate-limit"]
  const limits = rate === undefined ? defaultClientLimits : { ...defaultClientLimits, unitsPerSecond: rate, burst: rate * 4 }
  return {
    host: flags["http-host"] === "" ? "0.0.0.0" : flags["http-host"],
    port: flags["http-port"],
    allowedHosts: ["localhost", ...flags["http-allowed-hosts"]],
    allowedOrigins: flags["http-allowed-origins"],
    readTimeout: flags["http-read-timeout"],
    headersTimeout: flags["http-read-header-timeout"],
    writeTimeout: flags["http-write-timeout"],
    idleTimeout: flags["http-idle-timeout"],
    // A tenth of the time is left for the last block, the keystore and the disk.
    stopTimeout: flags["http-shutdown-timeout"] * 0.9,
    limits: flags.public ? limits : undefined,
    hasPage: !flags["no-page"],
    metrics: flags["metrics-port"] === undefined ? undefined : { host: flags["metrics-host"], port: flags["metrics-port"] },
    trustedProxies: flags["trusted-proxies"],
    chainProxies: flags["chain-proxy"],
  }
}

/** The log: coloured lines for a person at a terminal, JSON lines for machines. Always on stderr. */
export function logOf(flags: ServerFlags, terminal: Terminal): Log {
  return createLog({
    level: flags.quiet && logLevels.indexOf(flags["log-level"]) > logLevels.indexOf("warn") ? "warn" : flags["log-level"],
    form: terminal.columns === undefined ? "machines" : "people",
    hasColors: (terminal.env.NO_COLOR ?? "") === "",
    now: () => terminal.now(),
    write: (line) => terminal.note(line),
  })
}

/** Returns whether a page for browsers is served: it may be turned off, or not have been built. */
export function servesPage(flags: ServerFlags): boolean {
  return !flags["no-page"] && pageFolder() !== undefined
}

/** What the flags of a server need and exclude. */
export const serverRules: readonly FlagRule[] = [
  needs("public", ["rate-limit", "trusted-proxies"], "only clients of a public server are held to a rate: add --public"),
  needs("metrics-port", ["metrics-host"], "metrics have no port of their own: add --metrics-port"),
  {
    ...excludes("public", ["chain-proxy"], "a server with --public passes no requests on to other nodes"),
    refused: "always",
  },
]

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Warns if other machines can reach the port. */
export function warnIfExposed(flags: ServerFlags, log: Log): void {
  const host = flags["http-host"]
  if (LOOPBACK.test(host)) return
  const calls = flags.public ? "what a public server offers" : "every method; --public offers less"
  log.warn(`open to others: any program that reaches this address can call ${calls}`, { host, public: flags.public })
}

/** AvalancheGo's services that are enabled by its flags. */
export function enabledServicesOf(flags: ServerFlags): readonly ("index" | "admin")[] {
  return [...(flags["index-enabled"] ? ["index" as const] : []), ...(flags["api-admin-enabled"] ? ["admin" as const] : [])]
}

/** Returns the L1s of --watch-l1. Throws `cli.too_many_l1s`. */
export function watchedL1sOf({ "watch-l1": l1s }: ServerFlags): readonly ID[] {
  if (l1s.length > MAX_WATCHED_L1S) throw cliError("cli.too_many_l1s", { flag: "--watch-l1", limit: MAX_WATCHED_L1S })
  return l1s
}
