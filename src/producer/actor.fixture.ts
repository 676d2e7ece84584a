import { type OwnFields, TestWallet } from "../../test/fixtures/testWallet.js"
import { hexToBytes } from "../core/lib/bytes.js"
import type { Tx } from "../core/txs/tx.js"
import type { UnsignedTx } from "../core/txs/unsignedTx.js"
import { type ID, type NodeID, PRIMARY_NETWORK_ID } from "../core/types/id.js"
import type { OutputOwners } from "../core/types/owners.js"
import type { Devnet } from "./devnet.fixture.js"
import type { Purse } from "./funds/wallet.js"
import type { DevIdentity } from "./keys/identities.js"
import { keyOfSecret, type SigningKey } from "./keys/key.js"

/** A user of a private chain: one key, and real transactions signed with it. */
export class Actor {
  readonly #devnet: Devnet
  readonly #wallet: TestWallet

  constructor(devnet: Devnet, name: number) {
    this.#devnet = devnet
    this.#wallet = new TestWallet(devnet.chain, keyOfSecret(new Uint8Array(32).fill(name)))
  }

  get key(): SigningKey {
    return this.#wallet.key
  }

  get owner(): OutputOwners {
    return this.#wallet.owner
  }

  /** Creates a user whose AVAX (nAVAX) is in several UTXOs, so that a transaction need not wait for the change of another. */
  static async withFunds(devnet: Devnet, name: number, amount: bigint): Promise<Actor> {
    const actor = new Actor(devnet, name)
    await devnet.dev.fund({ ...actor.owner, amount, stakeableLocktime: 0n })
    return actor
  }

  purse(): Purse {
    return this.#wallet.purse()
  }

  get balance(): bigint {
    return this.purse().balance
  }

  /** Makes and signs a transaction that takes `amount` besides its fee. */
  make<K extends UnsignedTx["kind"]>(kind: K, fields: OwnFields<K>, amount = 0n): Tx {
    return this.#wallet.make(kind, fields, amount)
  }

  async issue(tx: Tx): Promise<ID> {
    await this.#devnet.chain.issueTx(tx)
    return tx.id
  }

  /** Stakes as a validator of the primary network. */
  addValidator(node: DevIdentity, weight: bigint, seconds: bigint, shares = 100_000): Promise<ID> {
    const { nodeID, publicKey, proofOfPossession } = node
    const end = this.#devnet.chain.now() + seconds
    const fields = {
      validator: { nodeID, start: 0n, end, weight },
      subnetID: PRIMARY_NETWORK_ID,
      signer: { kind: "ProofOfPossession" as const, publicKey, proofOfPossession },
      stake: [this.purse().outputOf(weight)],
      validationRewardsOwner: this.owner,
      delegationRewardsOwner: this.owner,
      shares,
    }
    return this.issue(this.make("AddPermissionlessValidatorTx", fields, weight))
  }

  /**
   * Stakes as a validator of the primary network that renews itself after each period (seconds), restaking these millionths of its rewards.
   */
  addAutoRenewedValidator(node: DevIdentity, weight: bigint, period: bigint, autoCompoundRewardShares: number): Promise<ID> {
    const { publicKey, proofOfPossession } = node
    const fields = {
      nodeID: hexToBytes(node.nodeID),
      signer: { kind: "ProofOfPossession" as const, publicKey, proofOfPossession },
      stake: [this.purse().outputOf(weight)],
      validationRewardsOwner: this.owner,
      delegationRewardsOwner: this.owner,
      validatorAuthority: this.owner,
      delegationShares: 100_000,
      autoCompoundRewardShares,
      period,
    }
    return this.issue(this.make("AddAutoRenewedValidatorTx", fields, weight))
  }

  /** Changes the restaked share of such a validator, and the length of its next cycle. With 0 it leaves at the end of this cycle. */
  configure(txID: ID, period: bigint, autoCompoundRewardShares: number): Promise<ID> {
    const auth = { kind: "Input" as const, signatureIndices: [0] }
    return this.issue(this.make("SetAutoRenewedValidatorConfigTx", { txID, auth, autoCompoundRewardShares, period }))
  }

  /** Stakes with a validator of the primary network. */
  addDelegator(nodeID: NodeID, weight: bigint, seconds: bigint): Promise<ID> {
    const end = this.#devnet.chain.now() + seconds
    const fields = {
      validator: { nodeID, start: 0n, end, weight },
      subnetID: PRIMARY_NETWORK_ID,
      stake: [this.purse().outputOf(weight)],
      rewardsOwner: this.owner,
    }
    return this.issue(this.make("AddPermissionlessDelegatorTx", fields, weight))
  }
}
