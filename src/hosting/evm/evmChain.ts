import { hexToBytes } from "../../core/lib/bytes.js"
import { Turnstile } from "../../core/lib/turnstile.js"
import { evmGenesis } from "../../evm/genesis.js"
import { C_CHAIN_TIP, type EvmTransaction, signEvmTransaction } from "../../evm/transaction.js"
import { systemTimers } from "../../node/timers.js"
import type { FundedKey } from "../../producer/chainHosting.js"
import type { BlockMode } from "../../producer/schedule/schedule.js"
import { askBytes, askQuantity, askReceipt, EvmRefusal, type EvmRpc, evmRpcOf } from "../../relay/evmRpc.js"
import type { ChainPlugin } from "../../vmhost/chainPlugin.js"
import { vmError } from "../../vmhost/errors.js"
import type { HostedChain } from "../hostedChain.js"

/** The gas of a payment. */
const PAYMENT_GAS = 21_000n

/** The pause before a block is looked for again, and the time after which there will be none, milliseconds. */
const [BLOCK_PAUSE, BLOCK_LIMIT] = [4, 10_000]

const pause = (milliseconds: number) => new Promise<void>((resolve) => void systemTimers.after(milliseconds, resolve))

/** A transaction as a client of the node gives it: the sender, and what it leaves to the node. */
export type WantedTransaction = Partial<Omit<EvmTransaction, "chainID">>

export interface EvmChainOptions {
  readonly plugin: Pick<ChainPlugin, "handler" | "mine" | "report">
  readonly chainID: bigint
  /** Returns the publicly known keys that own funds on the chain. */
  keys(): readonly FundedKey[]
  blockMode(): BlockMode
}

/** A hosted EVM chain, and what the node does on it with its publicly known keys. */
export class EvmChain {
  readonly #options: EvmChainOptions
  /** Transactions are sent one at a time, because each needs the nonce after the one before. */
  readonly #turns = new Turnstile(1, Number.POSITIVE_INFINITY)

  /** Called after the next block. */
  #waiting: (() => Promise<void>)[] = []
  #settled: Promise<unknown> = Promise.resolve()

  constructor(options: EvmChainOptions) {
    this.#options = options
  }

  /** Calls back once after the next block of the chain, or when it runs after a start. */
  afterNextBlock(task: () => Promise<void>): void {
    this.#waiting.push(task)
  }

  /** Resolves when what was to be done after the last block is done. */
  async settled(): Promise<void> {
    await this.#settled
  }

  /** Called after each block, and when the chain runs after a start. */
  accepted(): void {
    const tasks = this.#waiting.splice(0)
    if (tasks.length > 0) this.#settled = Promise.all(tasks.map((task) => task()))
  }

  get chainID(): bigint {
    return this.#options.chainID
  }

  keys(): readonly FundedKey[] {
    return this.#options.keys()
  }

  /** Throws `vm.stopped`. */
  get rpc(): EvmRpc {
    const rpc = evmRpcOf(this.#options.plugin)
    if (!rpc) throw vmError("vm.stopped", { reason: "its VM has no path /rpc" })
    return rpc
  }

  /** Signs and sends a transaction of a key. What it does not say is asked of the chain. Returns its hash. Throws the errors of the RPC. */
  send(from: FundedKey, wanted: WantedTransaction): Promise<string> {
    return this.#turns.run(async () => {
      const { rpc, chainID } = this
      const nonce = wanted.nonce ?? (await askQuantity(rpc, "eth_getTransactionCount", [from.address, "pending"]))
      // The price may rise before the block, and a block of one transaction is made at once only if it pays for itself.
      const gasPrice = wanted.gasPrice ?? (await askQuantity(rpc, "eth_gasPrice", [])) * 2n + C_CHAIN_TIP
      const gas = wanted.gas ?? (await estimateGas(rpc, from, wanted))
      const secret = hexToBytes(from.privateKey.slice(2))
      return askBytes(rpc, "eth_sendRawTransaction", [signEvmTransaction({ ...wanted, chainID, nonce, gasPrice, gas }, secret)])
    })
  }

  /** Waits for the block of a transaction, or makes it if the node makes none by itself. Throws `EvmRefusal` if there is none. */
  async untilIncluded(hash: string): Promise<void> {
    const { plugin, blockMode } = this.#options
    const { rpc } = this
    let reason: string | undefined
    for (const end = Date.now() + BLOCK_LIMIT; ; ) {
      if (await askReceipt(rpc, hash)) return
      const { state, reason: still } = plugin.report()
      if (state === "running" && still !== undefined) throw new EvmRefusal(still)
      if (Date.now() > end) throw new EvmRefusal(`the VM makes no block for the payment: ${reason ?? "it gives no reason"}`)
      if (blockMode().mode === "auto") await pause(BLOCK_PAUSE)
      else reason = (await plugin.mine(1)).reason ?? reason
    }
  }

  /** Makes a block by a payment of nothing to the payer, because an EVM chain makes no empty one. Throws `EvmRefusal`. */
  async makeBlock(): Promise<void> {
    const payer = await this.payer()
    await this.untilIncluded(await this.send(payer, { gas: PAYMENT_GAS, to: payer.address }))
  }

  /** Returns the last of the known keys that has funds, which is used least by others. Throws `EvmRefusal`. */
  async payer(): Promise<FundedKey> {
    const { rpc } = this
    for (const key of this.keys().toReversed()) {
      if ((await askQuantity(rpc, "eth_getBalance", [key.address, "latest"])) > 0n) return key
    }
    throw new EvmRefusal("no publicly known key has funds on this chain")
  }
}

const quantity = (value: bigint | undefined) => (value === undefined ? undefined : `0x${value.toString(16)}`)

function estimateGas(rpc: EvmRpc, { address }: FundedKey, { to, value, data, accessList }: WantedTransaction): Promise<bigint> {
  return askQuantity(rpc, "eth_estimateGas", [{ from: address, to, value: quantity(value), data, accessList }])
}

interface EvmChainsOptions extends Pick<EvmChainOptions, "blockMode"> {
  keysOf(hosted: HostedChain): readonly FundedKey[]
}

/** Finds the EVM chains among hosted chains. */
export class EvmChains {
  readonly #known = new WeakMap<ChainPlugin, EvmChain | undefined>()
  readonly #options: EvmChainsOptions

  constructor(options: EvmChainsOptions) {
    this.#options = options
  }

  /** Returns a hosted chain as an EVM chain; `undefined` if it is none. */
  of(hosted: HostedChain): EvmChain | undefined {
    const { plugin, genesis } = hosted
    if (!this.#known.has(plugin)) {
      const evm = evmGenesis(genesis)
      const { blockMode, keysOf } = this.#options
      this.#known.set(plugin, evm && new EvmChain({ plugin, chainID: evm.chainID, keys: () => keysOf(hosted), blockMode }))
    }
    return this.#known.get(plugin)
  }
}
