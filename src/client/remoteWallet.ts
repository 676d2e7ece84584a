import { ewoq } from "../core/genesis/testKeys.js"
import { hexToBytes } from "../core/lib/bytes.js"
import { ceilSeconds } from "../core/lib/go/goDuration.js"
import { parseRfc3339 } from "../core/lib/go/rfc3339.js"
import { MAX64 } from "../core/lib/math64.js"
import { paramsFor } from "../core/networks/index.js"
import { hrpOf } from "../core/networks/names.js"
import { minConsumptionRateAt, rewardOf, splitReward } from "../core/rules/reward.js"
import { primaryUptimeRequirement } from "../core/rules/staking.js"
import { feeOf } from "../core/txs/execute.js"
import type { Tx } from "../core/txs/tx.js"
import { addressText, parsePChainAddress } from "../core/types/address.js"
import { fromHexText, toHexText } from "../core/types/hexText.js"
import { EMPTY_ID, type ID, PRIMARY_NETWORK_ID, parseID, parseNodeID } from "../core/types/id.js"
import { innerOutput, type TransferableOutput } from "../core/types/output.js"
import { parsePrivateKey } from "../core/types/privateKey.js"
import type { Utxo } from "../core/types/utxo.js"
import type { Parts, Payment } from "../producer/funds/payment.js"
import { Purse, type PurseRules } from "../producer/funds/wallet.js"
import { keyOfSecret } from "../producer/keys/key.js"
import type { Call } from "./client.js"
import { clientError } from "./errors.js"
import { clockOf, isPrivate, utxosAt } from "./nodeFacts.js"

export interface RemoteWalletOptions {
  /** `PrivateKey-…`; the well-known key `ewoq` of the local network by default. */
  readonly privateKey?: string | undefined
  /** The clock of this machine, Unix seconds. */
  readonly now: bigint
}

export interface RemoteStake {
  /** The amount in nAVAX. */
  readonly amount: bigint
  /** The duration in seconds. */
  readonly duration: bigint
  /** The node to delegate to; by default the called node validates with the stake, or a new one if that validates already. */
  readonly nodeID?: string | undefined
  /** The address that gets the rewards; by default that of the key. */
  readonly rewardAddress?: string | undefined
  /** A validator's share of the rewards of its delegators, in millionths; by default the minimum of Mainnet. */
  readonly shares?: number | undefined
  /** Makes a new validator renew itself after each `duration`, and restake this share of its rewards, in millionths. */
  readonly restaked?: number | undefined
}

/** A stake that is not issued yet. */
export interface StakePlan {
  readonly nodeID: string
  /** Unix seconds. */
  readonly end: bigint
  /** In nAVAX. */
  readonly fee: bigint
  /** The expected reward of this stake, in nAVAX. */
  readonly reward: bigint
  /** The validator's share of the reward of a delegation, in millionths. */
  readonly shares?: number
  /** The uptime of the validator of a delegation as the called node measures it, and the least that a reward requires, percent. */
  readonly uptime?: { readonly measured: number; readonly required: number }
  /** Chains of the primary network that the node would need as a validator and does not run, for a stake that makes it one. */
  readonly missingChains?: readonly string[]
  issue(): Promise<IssuedTx>
}

export interface IssuedTx {
  readonly txID: string
  /** The status as `platform.getTxStatus` returns it. */
  readonly status: string
}

/** A key whose UTXOs are at a node. It pays and stakes by transactions that are signed locally. */
export class RemoteWallet {
  readonly #call: Call
  readonly #purse: Purse
  readonly #rules: PurseRules
  readonly #price: bigint
  /** The time of the node, Unix seconds. */
  readonly #now: bigint

  private constructor(call: Call, purse: Purse, rules: PurseRules, price: bigint, now: bigint) {
    this.#call = call
    this.#purse = purse
    this.#rules = rules
    this.#price = price
    this.#now = now
  }

  /** Reads the funds of a key and the price of gas from a node. */
  static async open(call: Call, { privateKey = ewoq.privateKey, now }: RemoteWalletOptions): Promise<RemoteWallet> {
    const key = keyOfSecret(parsePrivateKey(privateKey))
    const { networkID } = await call("info.getNetworkID", {})
    const { assetID } = await call("platform.getStakingAssetID", {})
    const { price } = await call("platform.getFeeState", {})
    const rules: PurseRules = { networkID, avaxAssetID: parseID(assetID), params: paramsFor(networkID) }
    const addresses = [addressText(key.address, hrpOf(networkID))]
    const clock = await clockOf(call, now)
    return new RemoteWallet(call, new Purse(await utxosAt(call, addresses), key, rules, { now: clock }), rules, price, clock)
  }

  get address(): string {
    return this.#purse.address
  }

  /** The nAVAX that can be spent now. */
  get balance(): bigint {
    return this.#purse.balance
  }

  /** Pays an amount (nAVAX) to an address of the P-Chain. Throws `producer.insufficient_funds`. */
  send(to: string, amount: bigint): Promise<IssuedTx> {
    const own = this.#purse.outputOf(amount)
    const addresses = [parsePChainAddress(to, hrpOf(this.#rules.networkID))]
    const output = { ...own.output, addresses } as TransferableOutput["output"]
    return this.#issue({ amount, outputs: [{ ...own, output }], make: (parts) => ({ kind: "BaseTx", ...parts }) })
  }

  /** Makes the transaction of a stake on the primary network that begins now. */
  async planStake({
    amount,
    duration,
    nodeID,
    rewardAddress,
    shares: share = DELEGATION_SHARES,
    restaked,
  }: RemoteStake): Promise<StakePlan> {
    const { key } = this.#purse
    const rewarded = rewardAddress === undefined ? key.address : parsePChainAddress(rewardAddress, hrpOf(this.#rules.networkID))
    const owner = { kind: "OutputOwners" as const, locktime: 0n, threshold: 1, addresses: [rewarded] }
    const common = { subnetID: PRIMARY_NETWORK_ID, stake: [this.#purse.outputOf(amount)] }
    const end = this.#now + duration
    const period = { start: 0n, end, weight: amount }
    const helicon = await this.#heliconTime()
    const reward = await this.#rewardOf(amount, duration, helicon)
    if (nodeID !== undefined) {
      const validator = { nodeID: parseNodeID(nodeID), ...period }
      const kind = "AddPermissionlessDelegatorTx" as const
      const tx = this.#pay({ amount, make: (parts) => ({ kind, ...parts, ...common, validator, rewardsOwner: owner }) })
      const of = (await this.#call("platform.getCurrentValidators", { nodeIDs: [nodeID] })).validators[0]
      // A node that does not validate has no share.
      const shares = Math.round(Number(of?.delegationFee ?? 0) * 10_000)
      const required = primaryUptimeRequirement(this.#rules.params, ceilSeconds(helicon), BigInt(of?.startTime ?? 0n)) * 100
      const uptime = of?.uptime === undefined ? undefined : { measured: Number(of.uptime), required }
      return this.#planOf(tx, { nodeID, end, shares, ...(uptime && { uptime }), reward: splitReward(reward, shares).delegator })
    }
    const node = await nodeToStake(this.#call)
    const validator = { nodeID: parseNodeID(node.nodeID), ...period }
    const proof = { publicKey: bytesOf(node.publicKey), proofOfPossession: bytesOf(node.proofOfPossession) }
    const signer = { kind: "ProofOfPossession" as const, ...proof }
    const owners = { validationRewardsOwner: owner, delegationRewardsOwner: owner }
    const fixed = { kind: "AddPermissionlessValidatorTx" as const, ...common, validator, signer, ...owners, shares: share }
    const renewed = {
      ...{
        kind: "AddAutoRenewedValidatorTx" as const,
        nodeID: hexToBytes(validator.nodeID),
        signer,
        stake: common.stake,
        ...owners,
      },
      validatorAuthority: { ...owner, addresses: [key.address] },
      ...{ delegationShares: share, autoCompoundRewardShares: restaked ?? 0, period: duration },
    }
    const make = (parts: Parts) => (restaked === undefined ? { ...fixed, ...parts } : { ...renewed, ...parts })
    const tx = this.#pay({ amount, make })
    return this.#planOf(tx, { nodeID: node.nodeID, end, reward, missingChains: node.missingChains })
  }

  #planOf(tx: Tx, facts: Omit<StakePlan, "fee" | "issue">): StakePlan {
    return { ...facts, fee: feeOf(tx.unsignedTx, this.#rules, this.#price), issue: () => this.#issueTx(tx) }
  }

  /** The reward that the network would promise now, by its usual rules. A private chain may have others. */
  async #rewardOf(amount: bigint, duration: bigint, helicon: bigint): Promise<bigint> {
    const { reward } = this.#rules.params
    const { supply } = await this.#call("platform.getCurrentSupply", {})
    return rewardOf({ ...reward, minConsumptionRate: minConsumptionRateAt(reward, this.#now, helicon) }, duration, amount, supply)
  }

  /** The time of Helicon, Unix nanoseconds. */
  async #heliconTime(): Promise<bigint> {
    const { heliconTime } = await this.#call("info.upgrades", {})
    return (heliconTime === undefined ? undefined : parseRfc3339(heliconTime)) ?? MAX64
  }

  /** Increases the balance from which an L1 validator pays its fees, in nAVAX. */
  increaseL1Balance(validationID: string, balance: bigint): Promise<IssuedTx> {
    const kind = "IncreaseL1ValidatorBalanceTx" as const
    return this.#issue({ amount: balance, make: (parts) => ({ kind, ...parts, validationID: parseID(validationID), balance }) })
  }

  /** Puts an amount (nAVAX) for the key on another chain. Throws `producer.insufficient_funds`. */
  async exportTo(destinationChain: ID, amount: bigint): Promise<IssuedTx & { readonly utxo: Utxo }> {
    const exported = this.#purse.outputOf(amount)
    const kind = "ExportTx" as const
    const tx = this.#pay({ amount, make: (parts) => ({ kind, ...parts, destinationChain, exportedOutputs: [exported] }) })
    const { outputs } = tx.unsignedTx as Extract<typeof tx.unsignedTx, { kind: "ExportTx" }>
    return { ...(await this.#issueTx(tx)), utxo: { txID: tx.id, outputIndex: outputs.length, ...exported } }
  }

  /** Returns the fee of the import of an amount, nAVAX. */
  async importFeeOf(sourceChain: ID, amount: bigint): Promise<bigint> {
    const utxo = { txID: EMPTY_ID, outputIndex: 0, ...this.#purse.outputOf(amount) }
    return this.#purse.feeOfImport(sourceChain, utxo, this.#price)
  }

  /** Takes a UTXO of the key that another chain has put. The fee is taken from it. Throws `client.amount_too_small`. */
  async importFrom(sourceChain: ID, utxo: Utxo): Promise<IssuedTx & { readonly received: bigint }> {
    const { amount } = innerOutput(utxo.output)
    const fee = this.#purse.feeOfImport(sourceChain, utxo, this.#price)
    if (fee >= amount) throw clientError("client.amount_too_small", { amount, fee })
    return { ...(await this.#issueTx(this.#purse.importOf(sourceChain, utxo, fee))), received: amount - fee }
  }

  #pay(payment: Payment): Tx {
    return this.#purse.pay(payment, this.#price)
  }

  #issue(payment: Payment): Promise<IssuedTx> {
    return this.#issueTx(this.#pay(payment))
  }

  async #issueTx({ bytes }: Tx): Promise<IssuedTx> {
    const { txID } = await this.#call("platform.issueTx", { tx: toHexText(bytes) })
    const { status } = await this.#call("platform.getTxStatus", { txID })
    return { txID, status }
  }
}

/** A validator's share of its delegators' rewards, in millionths: the minimum of Mainnet. */
const DELEGATION_SHARES = 20_000

/** Returns the keys with which a stake validates: those of the called node, or on a private chain new ones if it validates already. */
async function nodeToStake(call: Call) {
  const { nodeID, nodePOP } = await call("info.getNodeID", {})
  if (!(await isPrivate(call))) return { nodeID, ...nodePOP, missingChains: await missingChains(call) }
  const { validators } = await call("platform.getCurrentValidators", { nodeIDs: [nodeID] })
  return { ...(validators.length === 0 ? { nodeID, ...nodePOP } : await call("dev.newIdentity", {})), missingChains: [] }
}

/** Returns the chains besides P that a validator of the primary network runs, and the called node does not. */
async function missingChains(call: Call): Promise<string[]> {
  const runs = await Promise.all(["X", "C"].map(async (chain) => ({ chain, ...(await call("info.isBootstrapped", { chain })) })))
  return runs.flatMap(({ chain, isBootstrapped }) => (isBootstrapped ? [] : [chain]))
}

const bytesOf = (hex: string): Uint8Array => fromHexText(hex, "hexnc")
