import { sha256, sha256Hex } from "../../../src/core/crypto/hash.js"
import { hexToBytes, utf8 } from "../../../src/core/lib/bytes.js"
import { signedTxOf, type Tx } from "../../../src/core/txs/tx.js"
import type { UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import type { Address } from "../../../src/core/types/address.js"
import { type ID, idOfName, P_CHAIN_ID } from "../../../src/core/types/id.js"
import type { TransferableInput } from "../../../src/core/types/input.js"
import type { TransferableOutput } from "../../../src/core/types/output.js"
import { bls } from "../../../src/platform/backends.js"
import { devOf } from "../../../src/producer/dev.fixture.js"
import type { Parts } from "../../../src/producer/funds/payment.js"
import type { Purse } from "../../../src/producer/funds/wallet.js"
import { blankTx } from "../../../src/producer/keys/credentials.js"
import { keyOfSecret } from "../../../src/producer/keys/key.js"
import type { PrivateChain } from "../../../src/producer/privateChain.js"
import type { PrivateNode } from "../../../src/sources/private/privateNode.js"
import { TestWallet } from "../../fixtures/testWallet.js"

const AVAX = 1_000_000_000n

/** Approximate bytes of an owner, of an output, of an input with its credential, and of a validator of an L1. */
const [OWNER, OUTPUT, INPUT, VALIDATOR] = [20, 80, 170, 340]

/** Approximate maximum numbers for which a block has gas. */
const [MAX_BYTES, MAX_OUTPUTS, MAX_INPUTS, MAX_VALIDATORS] = [950_000, 850, 440, 110]

/** The kinds of transactions that are made, valid and invalid. */
export const txNames = [
  "a payment",
  "an output with many owners",
  "many outputs",
  "a subnet with many owners",
  "a bad signature",
  "inputs that do not exist",
  "proofs as credentials",
  "an L1 of no subnet",
  "more than a block has gas for",
  "a transaction that is cut off",
  "a transaction with more behind it",
  "no transaction",
] as const
export type TxName = (typeof txNames)[number]

/** Makes transactions on a private chain that are as large as a number of bytes and the gas of a block allow. Each call makes new ones. */
export class TxMaker {
  readonly #chain: PrivateChain
  readonly #wallet: TestWallet
  #proofs: { readonly publicKey: Uint8Array; readonly proofOfPossession: Uint8Array }[] = []
  #question = 0
  #made = 0

  private constructor(chain: PrivateChain) {
    this.#chain = chain
    this.#wallet = new TestWallet(chain, keyOfSecret(new Uint8Array(32).fill(7)))
  }

  static async open(node: PrivateNode): Promise<TxMaker> {
    const maker = new TxMaker(node.privateChain)
    await devOf(node).fund({ ...maker.#wallet.owner, amount: 20_000_000n * AVAX, stakeableLocktime: 0n })
    await bls().preparePossession()
    return maker
  }

  /** Makes `count` transactions of one kind and size, each of which spends the change of the one before. */
  make(what: TxName, size: number, count: number): readonly Uint8Array[] {
    this.#question++
    this.#proofs = []
    const purse = this.#wallet.purse()
    return Array.from({ length: count }, () => {
      this.#made++
      return this.#bytesOf(what, size, purse)
    })
  }

  #bytesOf(what: TxName, size: number, purse: Purse): Uint8Array {
    const wide = Math.min(size, MAX_BYTES)
    switch (what) {
      case "a payment":
        return this.#payment(purse, [this.#output(1)]).bytes
      case "an output with many owners":
        return this.#payment(purse, [this.#output(wide / OWNER)]).bytes
      case "many outputs":
        return this.#payment(purse, this.#outputs(Math.min(size / OUTPUT, MAX_OUTPUTS))).bytes
      case "a subnet with many owners":
        return this.#subnet(purse, wide / OWNER).bytes
      case "a bad signature":
        return withChange(this.#payment(purse, [this.#output(wide / OWNER)]).bytes, -3)
      case "inputs that do not exist":
        return this.#spending(Math.min(size / INPUT, MAX_INPUTS)).bytes
      case "proofs as credentials":
        return this.#provenInputs(Math.min(size / 456, MAX_INPUTS)).bytes
      case "an L1 of no subnet":
        return this.#conversion(purse, Math.min(size / VALIDATOR, MAX_VALIDATORS)).bytes
      case "more than a block has gas for":
        return this.#payment(purse, [this.#output(size / OWNER - 20)]).bytes
      case "a transaction that is cut off":
        return this.#payment(purse, [this.#output(size / OWNER - 20)]).bytes.slice(0, -7)
      case "a transaction with more behind it":
        return Buffer.concat([this.#payment(purse, [this.#output(size / OWNER - 20)]).bytes, new Uint8Array(9)])
      case "no transaction":
        return new Uint8Array(size)
    }
  }

  #pay(purse: Purse, amount: bigint, make: (parts: Parts) => UnsignedTx, outputs: readonly TransferableOutput[] = []): Tx {
    return purse.pay({ amount, outputs, make }, 3n * this.#wallet.price)
  }

  #payment(purse: Purse, outputs: readonly TransferableOutput[]): Tx {
    return this.#pay(purse, BigInt(outputs.length), (parts) => ({ kind: "BaseTx", ...parts }), outputs)
  }

  #subnet(purse: Purse, owners: number): Tx {
    const owner = { kind: "OutputOwners" as const, locktime: 0n, threshold: 1, addresses: this.#addresses(owners) }
    return this.#pay(purse, 0n, (parts) => ({ kind: "CreateSubnetTx", ...parts, owner }))
  }

  #conversion(purse: Purse, validators: number): Tx {
    const nobody = { threshold: 0, addresses: [] }
    const list = this.#hashes(validators).map((hash, i) => ({
      nodeID: hexToBytes(hash),
      weight: 1n,
      balance: 1n,
      signer: this.#proof(i),
      remainingBalanceOwner: nobody,
      deactivationOwner: nobody,
    }))
    const fields = {
      subnetID: idOfName(`no subnet ${this.#made}`),
      chainID: idOfName("no chain"),
      address: new Uint8Array(20),
      validators: list,
      subnetAuthorization: { kind: "Input" as const, signatureIndices: [] },
    }
    return this.#pay(purse, BigInt(list.length), (parts) => ({ kind: "ConvertSubnetToL1Tx", ...parts, ...fields }) as UnsignedTx)
  }

  #spending(inputs: number): Tx {
    return blankTx(this.#unpaid(inputs, [0]))
  }

  #provenInputs(inputs: number): Tx {
    const credentials = Array.from({ length: Math.floor(inputs) }, (_, i) => ({
      kind: "ProofOfPossession" as const,
      ...this.#proof(i),
    }))
    return signedTxOf(this.#unpaid(inputs, []), credentials)
  }

  /** A payment of a UTXO that does not exist. */
  #unpaid(count: number, signatureIndices: readonly number[]): UnsignedTx {
    const { networkID, avaxAssetID } = this.#chain.status.rules
    const inputs = Array.from({ length: Math.floor(count) }, (_, i): TransferableInput => {
      const input = { kind: "TransferInput" as const, amount: AVAX, signatureIndices }
      return { txID: sha256Hex(utf8(`${this.#made} ${i}`)) as ID, outputIndex: 0, assetID: avaxAssetID, input }
    })
    inputs.sort((a, b) => (a.txID < b.txID ? -1 : 1))
    return { kind: "BaseTx", networkID, blockchainID: P_CHAIN_ID, memo: new Uint8Array(0), outputs: [], inputs }
  }

  #outputs(count: number): TransferableOutput[] {
    return Array.from({ length: Math.max(1, Math.floor(count)) }, (_, i) => this.#output(1, i))
  }

  #output(owners: number, salt = 0): TransferableOutput {
    const output = { amount: 1n, locktime: 0n, threshold: 1, addresses: this.#addresses(owners, salt) }
    return { assetID: this.#chain.status.rules.avaxAssetID, output: { kind: "TransferOutput", ...output } }
  }

  #addresses(count: number, salt = 0): Address[] {
    return this.#hashes(count, salt) as Address[]
  }

  /** Ascending hex of 20 bytes. */
  #hashes(count: number, salt = 0): string[] {
    const made = Array.from({ length: Math.max(1, Math.floor(count)) }, (_, i) => sha256Hex(utf8(`${this.#made} ${salt} ${i}`)))
    return made.map((hash) => hash.slice(0, 40)).sort()
  }

  /**
   * Makes a proof of possession. Each question has new ones, because the node remembers valid proofs; all transactions of a batch share
   * them.
   */
  #proof(index: number) {
    const secret = sha256(utf8(`proof ${this.#question} ${index}`))
    secret[0]! &= 0x3f
    this.#proofs[index] ??= { publicKey: bls().publicKey(secret), proofOfPossession: bls().signPossession(secret) }
    return this.#proofs[index]
  }
}

function withChange(bytes: Uint8Array, at: number): Uint8Array {
  const changed = bytes.slice()
  changed[changed.length + at]! ^= 1
  return changed
}
