import { wholeSeconds } from "../core/lib/wholeSeconds.js"
import { requireUpgradeName, upTo } from "../core/networks/upgrades.js"
import { blockFeed } from "../services/events/blockFeed.js"
import { type Account, accountOptionsOf } from "./accounts.js"
import { type Call, nodeClient, type ServiceCalls, serviceOf } from "./client.js"
import { type CheckedDevnetOptions, checkDevnetOptions, type DevnetOptions } from "./devnetOptions.js"
import { nodeError } from "./errors.js"
import { LocalEvents } from "./events/localEvents.js"
import type { SubscribeOptions, Subscription } from "./events/subscription.js"
import type { ForkOptions } from "./fork/openFork.js"
import { createLog } from "./log.js"
import { type PrivateNode, startPrivateNode } from "./privateNode.js"

/** A private chain in this process. */
export interface Devnet {
  /** URL of the API; empty if it does not listen. */
  readonly url: string
  /** Calls any method without HTTP. */
  readonly rpc: Call
  /** The methods of `/ext/dev` as functions: time travel, snapshots and more. */
  readonly dev: ServiceCalls<"dev">
  /** Subscribes to transactions and blocks as they are accepted, without HTTP: `for await (const event of await devnet.subscribe())`. */
  subscribe(options?: SubscribeOptions): Promise<Subscription>
  /** Returns the time of the chain's clock, Unix seconds. After time travel it differs from this machine's. */
  now(): bigint
  /** Funded keys with their balances at the start. The well-known key `ewoq` is first. */
  readonly keys: readonly Account[]
  stop(): Promise<void>
  /** Stops the chain at the end of the scope that declares `await using devnet = await startDevnet()`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a private P-Chain in this process, with real blocks, real signatures and AvalancheGo's own genesis of the local network. Several
 * may run at once.
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
      // A chain that starts at a given time has the genesis of that time, so that its IDs are reproducible.
      now: options.startTime ?? wholeSeconds(wall()),
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

/** Returns a private chain in the form of the library. */
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

/** Returns the chain to fork. Throws `node.bad_option` for options that choose another chain. */
function forkOf({ fork: from, forkHeight: height, genesis, upgrade }: CheckedDevnetOptions): ForkOptions | undefined {
  const unfit = from === undefined ? { forkHeight: height } : { genesis, upgrade }
  for (const [option, value] of Object.entries(unfit)) {
    if (value === undefined) continue
    const expected = from === undefined ? "absent without `fork`" : "absent with `fork`"
    throw nodeError("node.bad_option", { option, expected, got: String(value) })
  }
  return from === undefined ? undefined : { from, height }
}
