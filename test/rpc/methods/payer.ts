import { ewoq } from "../../../src/core/genesis/testKeys.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import type { UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import type { Address } from "../../../src/core/types/address.js"
import { toHexText } from "../../../src/core/types/hexText.js"
import type { ID } from "../../../src/core/types/id.js"
import { compareInputs, type TransferableInput } from "../../../src/core/types/input.js"
import { compareOutputs, innerOutput, type TransferableOutput } from "../../../src/core/types/output.js"
import type { OutputOwners } from "../../../src/core/types/owners.js"
import { putIntoBlock } from "../../../src/producer/dev/putIntoBlock.js"
import type { Parts } from "../../../src/producer/funds/payment.js"
import { signTx } from "../../../src/producer/keys/credentials.js"
import { keyOfTest } from "../../../src/producer/keys/key.js"
import { type OwnFields, TestWallet } from "../../fixtures/testWallet.js"
import { idOfByte } from "../../fixtures/txs.js"
import type { RunningNode } from "./runningNode.js"

/** Another asset than AVAX. */
export const COIN = idOfByte(0xc0)

/** The address of the key `ewoq`, which pays for all transactions. */
export const payer = ewoq.address

/** The highest fixed fee until Etna, in nAVAX; v1.13.0 requires it, v1.14.2 does not. */
const OLD_FEE = 100_000_000n

/** The kinds that ended with Etna. */
const unmetered: ReadonlySet<UnsignedTx["kind"]> = new Set(["AddValidatorTx", "AddDelegatorTx", "TransformSubnetTx"])

/** The amounts and outputs of a transaction besides its own fields. */
export interface Payment {
  /** The amount for stakes, balances and exports, nAVAX. */
  readonly amount?: bigint
  readonly outputs?: readonly TransferableOutput[]
  /** The amount of COINs for the same purposes. */
  readonly coins?: bigint
  readonly memo?: Uint8Array
}

export interface Locks {
  readonly locktime?: bigint
  readonly stakeableLocktime?: bigint
}

/** An owner of addresses any of which may act alone. */
export function ownerOf(...addresses: readonly Address[]): OutputOwners {
  return { kind: "OutputOwners", locktime: 0n, threshold: 1, addresses: [...addresses].sort() }
}

/** Makes real transactions for `ewoq` and sends them to a running node. */
export class Payer {
  readonly #node: RunningNode
  /** The only UTXO of COINs, once a transaction has created it. */
  #coins: { txID: ID; outputIndex: number; amount: bigint } | undefined

  constructor(node: RunningNode) {
    this.#node = node
  }

  output(amount: bigint, owners: OutputOwners, { locktime = 0n, stakeableLocktime = 0n }: Locks = {}, assetID?: ID) {
    const { avaxAssetID } = this.#node.chain.data.rules
    const output = { ...owners, kind: "TransferOutput" as const, amount, locktime }
    const isLocked = stakeableLocktime > 0n
    const made = isLocked ? { kind: "LockOut" as const, locktime: stakeableLocktime, output } : output
    return { assetID: assetID ?? avaxAssetID, output: made } as TransferableOutput
  }

  /** A signed transaction at the price of now. */
  make<K extends UnsignedTx["kind"]>(kind: K, fields: OwnFields<K>, payment: Payment = {}): Tx {
    const wallet = new TestWallet(this.#node.chain.privateChain!, keyOfTest(ewoq))
    const { amount = 0n, outputs = [], coins = 0n, memo } = payment
    const paid = outputs
      .filter(({ assetID }) => assetID !== COIN)
      .reduce((sum, { output }) => sum + innerOutput(output).amount, 0n)
    const unsigned = (parts: Parts) =>
      ({ kind, ...this.#withCoins(parts, coins), ...(memo ? { memo } : {}), ...fields }) as UnsignedTx
    if (wallet.price > 0n) return wallet.pay({ amount: amount + paid, outputs, make: unsigned })
    // Until Etna nothing is metered, and some kinds cannot be metered: the inputs and outputs of a payment of the same amounts are used.
    const { unsignedTx } = wallet.pay({
      amount: amount + paid + OLD_FEE,
      outputs,
      make: (parts) => ({ kind: "BaseTx", ...parts }),
    })
    const { kind: _, ...parts } = unsignedTx as Extract<UnsignedTx, { kind: "BaseTx" }>
    return signTx(unsigned(parts as Parts), wallet.key)
  }

  /** Makes a transaction and has it accepted. */
  async issue<K extends UnsignedTx["kind"]>(kind: K, fields: OwnFields<K>, payment: Payment = {}): Promise<Tx> {
    const tx = this.make(kind, fields, payment)
    const { privateChain } = this.#node.chain
    // As in AvalancheGo, these kinds are no longer admitted to the mempool, but a block may contain them.
    if (unmetered.has(kind)) await privateChain!.turn((turn) => putIntoBlock(turn, tx))
    else await this.#node.call("platform.issueTx", { tx: toHexText(tx.bytes) })
    this.#keepCoins(tx)
    return tx
  }

  #withCoins(parts: Parts, coins: bigint): Parts {
    if (coins === 0n) return parts
    const { txID, outputIndex, amount } = this.#coins!
    const input: TransferableInput = {
      ...{ txID, outputIndex, assetID: COIN },
      input: { kind: "TransferInput", amount, signatureIndices: [0] },
    }
    const change = this.output(amount - coins, ownerOf(payer), {}, COIN)
    return {
      ...parts,
      inputs: [...parts.inputs, input].sort(compareInputs),
      outputs: [...parts.outputs, change].sort(compareOutputs),
    }
  }

  /** Remembers the COINs that a transaction returned to `ewoq`. */
  #keepCoins({ id, unsignedTx }: Tx): void {
    const { outputs } = unsignedTx as { outputs: readonly TransferableOutput[] }
    for (const [outputIndex, { assetID, output }] of outputs.entries()) {
      const { amount, addresses } = innerOutput(output)
      if (assetID === COIN && addresses[0] === payer) this.#coins = { txID: id, outputIndex, amount }
    }
  }
}
