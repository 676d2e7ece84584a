import { addTxSignatures, type Context, evm, networkIDs, pvm, type UnsignedTx, utils } from "@avalabs/avalanchejs"
import type { DevnetCChain } from "../../src/devnet/devnet.js"
import { type keyOf, Wallet } from "../clients/avalanchejs/wallet.js"
import { eth, receiptOf, signedTransfer } from "./evm.js"

/** A key of a developer's chain on both chains. */
export interface CChainKeys {
  /** Its key on the P-Chain, in CB58. */
  readonly privateKey: string
  /** The same key on the C-Chain. */
  readonly evm: { readonly address: string; readonly privateKey: string }
}

/** The fee of an atomic transaction of the C-Chain in the tests, nAVAX. */
export const FEE = 100_000n

/** One owner of AVAX on the P-Chain and the C-Chain, with avalanchejs as it is. */
export class AtomicWallet {
  readonly #api: evm.EVMApi
  readonly wallet: Wallet
  readonly key: ReturnType<typeof keyOf>
  readonly evm: CChainKeys["evm"]
  readonly cChain: DevnetCChain
  /** What its transactions on the P-Chain have burned, nAVAX. */
  burnedOnP = 0n
  /** Its last transaction on the C-Chain. */
  lastOnC: UnsignedTx | undefined

  private constructor(url: string, wallet: Wallet, keys: CChainKeys, cChain: DevnetCChain) {
    this.#api = new evm.EVMApi(url)
    this.wallet = wallet
    this.key = wallet.key(keys.privateKey)
    this.evm = keys.evm
    this.cChain = cChain
  }

  static async open(url: string, keys: CChainKeys, cChain: DevnetCChain): Promise<AtomicWallet> {
    return new AtomicWallet(url, await Wallet.open(url), keys, cChain)
  }

  get context(): Context.Context {
    return this.wallet.context
  }

  async nonce(): Promise<number> {
    return Number(await eth(this.cChain.rpcUrl, "eth_getTransactionCount", [this.evm.address, "latest"]))
  }

  /** The balance on the C-Chain, wei. */
  async weiBalance(address = this.evm.address): Promise<bigint> {
    return BigInt((await eth(this.cChain.rpcUrl, "eth_getBalance", [address, "latest"])) as string)
  }

  /** Puts AVAX of the C-Chain for the P-Chain. Resolves with the transaction ID when the transaction is accepted. */
  async exportFromC(amount: bigint): Promise<string> {
    const { context, key } = this
    const nonce = BigInt(await this.nonce())
    const from = utils.hexToBuffer(this.evm.address)
    return this.issueOnC(evm.newExportTx(context, amount, context.pBlockchainID, from, [key.bytes], FEE, nonce))
  }

  /** Takes what the P-Chain has put for an owner, this one by default. Others have not signed for it. */
  async importToC(owner: AtomicWallet = this): Promise<string> {
    const { context } = this
    const { bytes } = owner.key
    const { utxos } = await this.#api.getUTXOs({ addresses: [utils.format("C", context.hrp, bytes)], sourceChain: "P" })
    const to = utils.hexToBuffer(this.evm.address)
    return this.issueOnC(evm.newImportTx(context, to, [bytes], utxos, context.pBlockchainID, FEE))
  }

  async issueOnC(unsignedTx: UnsignedTx): Promise<string> {
    await addTxSignatures({ unsignedTx, privateKeys: [this.key.privateKey] })
    const { txID } = await this.#api.issueSignedTx(unsignedTx.getSignedTx())
    this.lastOnC = unsignedTx
    for (;;) {
      const { status } = (await eth(this.cChain.avaxUrl, "avax.getAtomicTxStatus", { txID })) as { status: string }
      if (status === "Accepted") return txID
      if (status !== "Processing" && status !== "Unknown") throw new Error(`${txID}: ${status}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  async exportFromP(amount: bigint): Promise<string> {
    const { context, wallet, key } = this
    const outputs = [wallet.output(amount, [key])]
    const make = (common: Parameters<Parameters<Wallet["issue"]>[0]>[0]) =>
      pvm.newExportTx({ ...common, destinationChainId: context.cBlockchainID, outputs }, context)
    return this.#issueOnP(make)
  }

  async #issueOnP(make: Parameters<Wallet["build"]>[0]): Promise<string> {
    const { context, wallet, key } = this
    const unsignedTx = await wallet.build(make, { from: [key] })
    const { txID } = await wallet.platform.issueSignedTx(unsignedTx.getSignedTx())
    await wallet.committed(txID)
    this.burnedOnP += utils.getBurnedAmountByTx(unsignedTx.getTx() as never, context).get(context.avaxAssetID) ?? 0n
    return txID
  }

  async importToP(): Promise<string> {
    const { context, wallet, key } = this
    const { utxos } = await wallet.platform.getUTXOs({ addresses: [key.address], sourceChain: "C" })
    const make = ({ feeState }: { feeState: pvm.FeeState }) =>
      pvm.newImportTx(
        {
          ...{ feeState, fromAddressesBytes: [key.bytes], sourceChainId: context.cBlockchainID },
          ...{ toAddressesBytes: [key.bytes], utxos },
        },
        context,
      )
    return this.#issueOnP(make)
  }

  /** Delegates AVAX of the P-Chain to a validator of the primary network, until a time (Unix seconds). */
  async delegate(nodeId: string, weight: bigint, end: bigint): Promise<string> {
    const { context, wallet, key } = this
    const subnetId = networkIDs.PrimaryNetworkID.toString()
    const terms = { nodeId, subnetId, weight, start: 0n, end, rewardAddresses: [key.bytes] }
    return wallet.issue((common) => pvm.newAddPermissionlessDelegatorTx({ ...common, ...terms }, context), { from: [key] })
  }

  /** The amounts that wait for the owner, nAVAX: on the way to the P-Chain. */
  async amountsForP(): Promise<readonly bigint[]> {
    return amountsIn(await this.wallet.platform.getUTXOs({ addresses: [this.key.address], sourceChain: "C" }))
  }

  /** The amounts that wait for the owner, nAVAX: on the way to the C-Chain. */
  async amountsForC(): Promise<readonly bigint[]> {
    const addresses = [utils.format("C", this.context.hrp, this.key.bytes)]
    return amountsIn(await this.#api.getUTXOs({ addresses, sourceChain: "P" }))
  }

  /** The AVAX that waits for the owner, nAVAX: on the way to the P-Chain. */
  async waitingForP(): Promise<bigint> {
    return sum(await this.amountsForP())
  }

  /** The AVAX that waits for the owner, nAVAX: on the way to the C-Chain. */
  async waitingForC(): Promise<bigint> {
    return sum(await this.amountsForC())
  }

  /** Pays on the C-Chain, with a tip with which the block comes at once. */
  async pay(to: string, value: bigint) {
    const transfer = {
      chainID: BigInt(this.cChain.chainID),
      nonce: await this.nonce(),
      to,
      value,
      privateKey: this.evm.privateKey,
    }
    return receiptOf(this.cChain.rpcUrl, await eth(this.cChain.rpcUrl, "eth_sendRawTransaction", [signedTransfer(transfer)]))
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** The amounts of UTXOs, in order. */
const amountsIn = ({ utxos }: { readonly utxos: readonly { readonly output: unknown }[] }): readonly bigint[] =>
  utxos.map(({ output }) => (output as { amount(): bigint }).amount()).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
