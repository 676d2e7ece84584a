import type { LogLevel } from "../core/lib/log.js"
import type { FlagValue } from "../core/networks/flagValue.js"
import { requireUpgradeName, upTo } from "../core/networks/upgrades.js"
import type { Dialect } from "../jsonrpc/schema/param.js"
import type { BlockMode } from "../producer/schedule/schedule.js"
import { blockFeed } from "../services/events/blockFeed.js"
import { type Account, accountOptionsOf } from "./accounts.js"
import { type Call, nodeClient, type ServiceCalls, serviceOf } from "./client.js"
import { type CheckedDevnetOptions, checkDevnetOptions } from "./devnetOptions.js"
import { nodeError } from "./errors.js"
import { LocalEvents } from "./events/localEvents.js"
import type { SubscribeOptions, Subscription } from "./events/subscription.js"
import type { ForkOptions } from "./fork/openFork.js"
import { createLog } from "./log.js"
import { type PrivateNode, startPrivateNode } from "./privateNode.js"

/** Options of a private chain. By default it is the local network in memory, on a free port. */
export interface DevnetOptions {
  /** Port on 127.0.0.1: a number, 0 for a free one (the default), or `false` for none. */
  readonly port?: number | false
  /** Keeps the chain in this directory; left out, nothing is kept. */
  readonly dataDir?: string
  /** Starts on top of the chain in this data directory, of any network, or of the node at this URL. It is only read; what changes is kept apart. */
  readonly fork?: string
  /** Height of the block after which the fork begins; its last block by default. */
  readonly forkHeight?: bigint | number
  readonly networkID?: number
  /** The text of a genesis file. */
  readonly genesis?: string
  /** Everything up to this upgrade is active from genesis on; `helicon` for a new chain by default. */
  readonly upgrade?: string
  /** AvalancheGo's flags that set rules, by their names: `{ "min-stake-duration": "5s" }`. */
  readonly flags?: Readonly<Record<string, FlagValue>>
  /** Funded accounts: 10 on a new chain with the built-in genesis by default; 0 leaves AvalancheGo's local network as it is. */
  readonly accounts?: number
  readonly mnemonic?: string
  /** nAVAX for each of them. */
  readonly balance?: bigint | number
  /** First time of the clock, Unix seconds. */
  readonly startTime?: bigint | number
  /** The clock stands still until it is told to move. */
  readonly freezeTime?: boolean
  /** `"auto"` (the default), `"manual"`, or `{ mode: "interval", seconds }`. */
  readonly blockMode?: BlockMode | "auto" | "manual"
  /** `true` lets the five validators of the built-in genesis leave for good after a year. */
  readonly noRenewValidators?: boolean
  /** `true` makes Warp messages hold at AvalancheGo's delayed heights and epochs. */
  readonly warpLag?: boolean
  /** Gas that waiting transactions may take together; 10,000,000 by default. */
  readonly mempoolMaxGas?: bigint | number
  /** `true` begins a new chain in the place of the one that `dataDir` keeps. */
  readonly reset?: boolean
  /** State to start from: the bytes of a file of `--dump-state`. A chain that is kept is replaced. */
  readonly loadState?: Uint8Array
  readonly dialect?: Dialect
  /** Level from which events are logged to stderr; nothing is logged by default. */
  readonly logLevel?: LogLevel
}

/** A private chain in this process. */
export interface Devnet {
  /** URL of the API; empty if it does not listen. */
  readonly url: string
  /** Calls any method, without going through HTTP. */
  readonly rpc: Call
  /** Time travel, snapshots and the rest: the methods of `/ext/dev` as functions. */
  readonly dev: ServiceCalls<"dev">
  /** The transactions and blocks as they are accepted, without going through HTTP: `for await (const event of await devnet.subscribe())`. */
  subscribe(options?: SubscribeOptions): Promise<Subscription>
  /** Returns the time of the chain's clock, Unix seconds: after time travel it is not this machine's. */
  now(): bigint
  /** Funded keys, the well-known `ewoq` first, with what they owned when it started. */
  readonly keys: readonly Account[]
  stop(): Promise<void>
  /** Stops it at the end of the block that says `await using devnet = await startDevnet()`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a private P-Chain in this process: real blocks, real signatures, AvalancheGo's own genesis of the local network.
 * Many may run at once.
 */
export async function startDevnet(given: DevnetOptions = {}): Promise<Devnet> {
  const options = checkDevnetOptions(given)
  const { port = 0, dataDir, upgrade, flags = {}, accounts, mnemonic, balance } = options
  const wall = () => Date.now()
  const chain = await startPrivateNode({
    dataDir,
    isEphemeral: dataDir === undefined,
    fork: forkOf(options),
    choice: {
      networkID: options.networkID,
      genesisText: options.genesis,
      upgrades: upgrade === undefined ? undefined : upTo(requireUpgradeName(upgrade)),
      ruleFlags: flags,
      resets: options.reset ?? false,
      // A chain that starts at a given time has the genesis of that time: its IDs repeat on any day.
      now: options.startTime ?? BigInt(Math.floor(wall() / 1000)),
    },
    dialect: options.dialect ?? "contract",
    isPublic: false,
    http: port === false ? undefined : { port },
    producer: {
      blockMode: options.blockMode,
      hasWarpLag: options.warpLag,
      renewsValidators: options.noRenewValidators === undefined ? undefined : !options.noRenewValidators,
      poolGas: options.mempoolMaxGas,
      startTime: options.startTime,
      isFrozen: options.freezeTime,
      accounts: accountOptionsOf(
        { count: accounts, mnemonic, balance },
        options.genesis === undefined && options.fork === undefined,
      ),
    },
    log: createLog({
      level: options.logLevel ?? "off",
      form: "machines",
      now: wall,
      write: (text) => process.stderr.write(text),
    }),
    wall,
    loadState: options.loadState,
  })
  return devnetOf(chain)
}

/** The private chain as a program uses it. */
function devnetOf(chain: PrivateNode): Devnet {
  let isStopped = false
  const rpc = nodeClient(async (path, body) => {
    if (isStopped) throw nodeError("node.stopped")
    const reply = await chain.api.handle(path, Buffer.from(body))
    return reply ? Buffer.concat(reply.body).toString("utf8") : ""
  })
  const events = new LocalEvents(blockFeed(chain.api.node, () => chain.api.contexts.open()))
  const stop = async () => {
    events.close()
    await chain.stop()
    isStopped = true
  }
  return {
    url: chain.listening?.url ?? "",
    rpc,
    dev: serviceOf("dev", rpc),
    now: () => chain.clock().now,
    keys: chain.accounts(),
    subscribe: async (given) => events.subscribe(given),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The chain to fork. Throws `node.bad_option` for options that choose another chain. */
function forkOf({ fork: from, forkHeight: height, genesis, upgrade }: CheckedDevnetOptions): ForkOptions | undefined {
  const unfit = from === undefined ? { forkHeight: height } : { genesis, upgrade }
  for (const [option, value] of Object.entries(unfit)) {
    if (value === undefined) continue
    const expected = from === undefined ? "absent without `fork`" : "absent with `fork`"
    throw nodeError("node.bad_option", { option, expected, got: String(value) })
  }
  return from === undefined ? undefined : { from, height }
}
