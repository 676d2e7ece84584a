import { systemTimers } from "../node/timers.js"
import type { FundedKey } from "../producer/chainHosting.js"
import { DEFAULT_BALANCE } from "../producer/keys/accounts.js"
import { evmRpcOf } from "../relay/evmRpc.js"
import { RELAYER } from "../relay/ports.js"
import { vmError } from "../vmhost/errors.js"
import { CORETH, pluginsIn } from "../vmhost/plugin/pluginFiles.js"
import { payOnCChain } from "./cChainPayments.js"
import { cChainRecord } from "./cChainRecord.js"
import type { ChainHostOptions, HostedChain } from "./hostedChain.js"
import type { HostedChains } from "./hostedChains.js"
import type { Preparation } from "./preparation.js"

/** The pause before it is looked for the block of a payment, milliseconds. */
const PAYMENT_PAUSE = 10

const pause = (milliseconds: number) => new Promise((resolve) => systemTimers.after(milliseconds, () => resolve(undefined)))

/** The C-Chain of a node: one of its hosted chains, which nobody creates, and on which the accounts of the private chain are paid. */
export class CChain {
  readonly #options: ChainHostOptions
  readonly #chains: HostedChains
  readonly #preparation: Preparation
  /** Resolves when the accounts are paid. */
  #payment: Promise<void> | undefined

  constructor(options: ChainHostOptions, chains: HostedChains, preparation: Preparation) {
    this.#options = options
    this.#chains = chains
    this.#preparation = preparation
  }

  /** `undefined` if the node does not host it. */
  get hosted(): HostedChain | undefined {
    return this.#chains.hosted.find((each) => each.isCChain)
  }

  /** True if a C-Chain that is there is not to be started. */
  get isOff(): boolean {
    return this.#options.cChain.mode === "off"
  }

  /** Adds it to the chains of the node, if it is not there, and there is a plugin for it. */
  add(): void {
    const { cChain, data, pluginDir } = this.#options
    this.#payment = undefined
    if (this.hosted || this.isOff || !pluginsIn(pluginDir).some(({ vmID }) => vmID === CORETH)) return
    this.#chains.add(cChainRecord(data.genesis.cChainID, cChain))
  }

  /** Starts it, unless it runs, and waits until the accounts are paid. Throws `vm.*`. */
  async start(): Promise<HostedChain> {
    const { hosted } = this
    if (!hosted) throw vmError("vm.no_c_chain")
    await hosted.plugin.start()
    await this.#payment
    return hosted
  }

  /** Called after each of its blocks, and when it runs after a start. The first time pays the accounts. */
  accepted(hosted: HostedChain): void {
    if (hosted.plugin.report().height === 0n) this.#payment ??= this.#pay(hosted)
  }

  /** The publicly known keys that own funds on it; `undefined` if they are those of its genesis alone. */
  keys(): readonly FundedKey[] | undefined {
    return this.#options.cChain.paysAccounts ? this.#preparation.knownKeys() : undefined
  }

  /** Pays the accounts. A failure is logged, and costs nothing else. */
  async #pay({ plugin }: HostedChain): Promise<void> {
    const { privateChain, log } = this.#options
    const rpc = evmRpcOf(plugin)
    const [from, ...others] = this.keys() ?? []
    if (!rpc || !from) return
    const amount = privateChain.options.choices?.accounts?.balance ?? DEFAULT_BALANCE
    const nextBlock = () => (privateChain.blockMode.mode === "auto" ? pause(PAYMENT_PAUSE) : plugin.mine(1))
    const addresses = [...others, RELAYER].map(({ address }) => address)
    try {
      await payOnCChain({ rpc, nextBlock }, from, addresses, amount)
    } catch (error) {
      log.warn("the accounts were not paid on the C-Chain", { reason: (error as Error).message })
    }
  }
}
