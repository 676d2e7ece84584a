import { cChainCallTo } from "../client/cChainAccount.js"
import { type AnswerOf, type Call, type ParamsOf, type ServiceCalls, serviceOf } from "../client/client.js"
import type { SubscribeOptions, Subscription } from "../client/events/subscription.js"
import { type Transfer, type TransferRequest, transfer } from "../client/transfer.js"
import { utf8 } from "../core/lib/bytes.js"
import { wholeSeconds } from "../core/lib/wholeSeconds.js"
import { requireUpgradeName, upTo } from "../core/networks/upgrades.js"
import { idText } from "../core/types/id.js"
import { nodeError } from "../datadir/errors.js"
import { C_CHAIN_TIP } from "../evm/transaction.js"
import type { CChainChoice } from "../hosting/cChainRecord.js"
import { clientOf } from "../node/api.js"
import { createLog } from "../node/log.js"
import { systemTimers } from "../node/timers.js"
import { blockFeed } from "../services/events/blockFeed.js"
import type { ForkOptions } from "../sources/fork/openFork.js"
import { type Account, accountOptionsOf } from "../sources/private/accounts.js"
import { type PrivateNode, startPrivateNode } from "../sources/private/privateNode.js"
import { type CChainOptions, type CheckedDevnetOptions, checkDevnetOptions, type DevnetOptions } from "./devnetOptions.js"
import { localEvents } from "./localEvents.js"

/** A private chain in this process. */
export interface Devnet {
  /** URL of the API; empty if it does not listen. */
  readonly url: string
  /** Calls any method without HTTP. */
  readonly rpc: Call
  /** The methods of `/ext/dev` as functions: time travel, snapshots and more. */
  readonly dev: ServiceCalls<"dev">
  /** Creates an L1 and runs its VM, from a plugin of `pluginDir`. The options are the parameters of `dev.createL1`. */
  createL1(options: L1Options): Promise<DevnetL1>
  /** The C-Chain, if the option `cChain` asks for it. */
  readonly cChain?: DevnetCChain
  /** Moves AVAX of a key between its account on the C-Chain and its address on the P-Chain: an export and an import. */
  transfer(request: TransferRequest): Promise<Transfer>
  /** Delivers the ICM messages that wait between L1s, and those again whose delivery failed. Returns the messages with what became of them. */
  relay(): Promise<AnswerOf<"dev.relay">["messages"]>
  /** Subscribes to transactions and blocks as they are accepted, without HTTP: `for await (const event of await devnet.subscribe())`. */
  subscribe(options?: SubscribeOptions): Promise<Subscription>
  /** Returns the time of the chain's clock, Unix seconds. After time travel it differs from this machine's. */
  now(): bigint
  /** The funded accounts with their balances at the start: `accounts[0]` is account 0 of the banner and the page. */
  readonly accounts: readonly Account[]
  /** All known keys: `ewoq` and `vmRQ` of the local network, of which the second owns nothing but stakes, then those of the accounts. */
  readonly keys: readonly Account[]
  stop(): Promise<void>
  /** Stops the chain at the end of the scope that declares `await using devnet = await startDevnet()`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Options of an L1 whose VM runs here. */
export type L1Options = ParamsOf<"dev.createL1"> & { readonly vm: string }

/** An L1 whose VM runs here. */
export interface DevnetL1 extends NonNullable<AnswerOf<"dev.createL1">["l1"]> {
  /** The address of its RPC over HTTP, for viem, ethers and Foundry; empty if the VM has no path `/rpc`, or the node no port. */
  readonly rpcUrl: string
  /** The address of its RPC over a WebSocket; empty if the VM has no path `/ws`, or the node no port. */
  readonly wsUrl: string
  readonly validators: AnswerOf<"dev.createL1">["validators"]
}

/** The C-Chain of a private chain. */
export interface DevnetCChain {
  /** The ID of the chain, such as `2CA6j5zYzasynPsFeNoqWkmTCt3VScMvXUZHbfDJ8k3oGzAPtU`. */
  readonly blockchainID: string
  /** The chain ID of the EVM: 43112 in the genesis of the local network. */
  readonly chainID: number
  /** The address of its RPC over HTTP, for viem, ethers, Foundry and avalanchejs; empty if the node has no port. */
  readonly rpcUrl: string
  readonly wsUrl: string
  /** The address of its atomic transactions. */
  readonly avaxUrl: string
  /** The tip (wei) with which a block comes at once: `maxPriorityFeePerGas`. A fresh chain proposes less, and its blocks take a second or more. */
  readonly tip: bigint
  /** Publicly known keys that own funds there: `keys[0]` is ewoq's. */
  readonly keys: readonly { readonly address: string; readonly privateKey: string }[]
}

/** Starts a private P-Chain in this process, with real blocks and signatures and AvalancheGo's genesis of the local network. Several may run at once. */
export function startDevnet(
  options: DevnetOptions & { readonly cChain: true | CChainOptions },
): Promise<Devnet & { readonly cChain: DevnetCChain }>
export function startDevnet(options?: DevnetOptions): Promise<Devnet>
export async function startDevnet(given: DevnetOptions = {}): Promise<Devnet> {
  const options = checkDevnetOptions(given)
  const { port = 0, dataDir, upgrade, flags = {}, accounts, mnemonic, balance } = options
  for (const option of ["autoRelay", "pluginProtocol", "cChain"] as const) {
    if (!options[option] || options.pluginDir !== undefined) continue
    throw nodeError("node.bad_option", { option, expected: "absent without `pluginDir`", got: String(options[option]) })
  }
  const wall = () => Date.now()
  const write = (text: string) => process.stderr.write(text)
  const chain = await startPrivateNode({
    dataDir,
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
    log: createLog({ level: options.logLevel ?? "off", form: "machines", now: wall, write }),
    wall,
    loadState: options.loadState,
    pluginDir: options.pluginDir,
    pluginProtocol: options.pluginProtocol,
    hasAutoRelay: options.autoRelay,
    cChain: cChainChoiceOf(options.cChain),
  })
  if (!options.cChain) return devnetOf(chain)
  try {
    return { ...devnetOf(chain), cChain: await startCChain(chain) }
  } catch (error) {
    await chain.stop()
    throw error
  }
}

function cChainChoiceOf(given: CheckedDevnetOptions["cChain"]): CChainChoice {
  const { upgrade = "fortuna", config, payAccounts = true } = typeof given === "object" ? given : {}
  const text = config && utf8(JSON.stringify(config))
  return { mode: given ? "required" : "off", upgrade, config: text, paysAccounts: payAccounts }
}

async function startCChain(chain: PrivateNode): Promise<DevnetCChain> {
  const { chainID, evmChainID = 0n, keys } = await chain.l1s!.startCChain()
  const base = chain.listening ? `${chain.listening.url}/ext/bc/C` : undefined
  return {
    blockchainID: idText(chainID),
    chainID: Number(evmChainID),
    rpcUrl: base ? `${base}/rpc` : "",
    wsUrl: base ? `${base}/ws`.replace(/^http/, "ws") : "",
    avaxUrl: base ? `${base}/avax` : "",
    tip: C_CHAIN_TIP,
    keys,
  }
}

function devnetOf(chain: PrivateNode): Devnet {
  let isStopped = false
  const rpc = clientOf({
    handle(path, body) {
      if (isStopped) throw nodeError("node.stopped")
      return chain.api.handle(path, body)
    },
  })
  const events = localEvents(blockFeed(chain.api.node, () => chain.api.contexts.open()))
  const stop = async () => {
    events.close()
    await chain.stop()
    isStopped = true
  }
  const url = chain.listening?.url ?? ""
  const keys = chain.accounts()
  return {
    url,
    rpc,
    createL1: (options) => createL1(rpc, url, options),
    relay: async () => (await rpc("dev.relay")).messages,
    transfer: (request) => transfer({ call: rpc, cChain: cChainCallTo(url), now: Date.now, pause }, request),
    dev: serviceOf("dev", rpc),
    now: () => chain.now(),
    keys,
    accounts: keys.slice(2),
    subscribe: async (given) => events.subscribe(given),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => systemTimers.after(milliseconds, () => resolve(undefined)))

async function createL1(rpc: Call, url: string, options: L1Options): Promise<DevnetL1> {
  const { l1, validators } = await rpc("dev.createL1", options)
  if (!l1) throw nodeError("node.bad_option", { option: "vm", expected: "the VM of the L1", got: String(options.vm) })
  const urlOf = (end: string) => {
    const path = `/ext/bc/${l1.name}${end}`
    return url !== "" && l1.paths.includes(path) ? `${url}${path}` : ""
  }
  return { ...l1, validators, rpcUrl: urlOf("/rpc"), wsUrl: urlOf("/ws").replace(/^http/, "ws") }
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
