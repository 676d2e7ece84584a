import { addTxSignatures, Context, info, pvm, secp256k1, TransferableOutput, type UnsignedTx, utils } from "@avalabs/avalanchejs"

/** A key, and its address as bytes and as text. */
export interface Key {
  readonly privateKey: Uint8Array
  readonly bytes: Uint8Array
  readonly address: string
}

/** The parameters of every builder of the library. */
export interface Common {
  readonly feeState: pvm.FeeState
  readonly fromAddressesBytes: Uint8Array[]
  readonly utxos: Awaited<ReturnType<pvm.PVMApi["getUTXOs"]>>["utxos"]
}

/** The keys that spend, and the keys that sign for a subnet or validator if they are others. */
export interface Signers {
  readonly from: readonly Key[]
  readonly owners?: readonly Key[]
}

export function keyOf(text: string, hrp: string): Key {
  const privateKey = utils.base58check.decode(text.replace("PrivateKey-", ""))
  const bytes = secp256k1.publicKeyBytesToAddress(secp256k1.getPublicKey(privateKey))
  return { privateKey, bytes, address: utils.format("P", hrp, bytes) }
}

/** A wallet that uses only avalanchejs: it builds, signs and issues transactions, and waits for them. */
export class Wallet {
  private constructor(
    readonly context: Context.Context,
    readonly platform: pvm.PVMApi,
    readonly info: info.InfoApi,
  ) {}

  static async open(url: string): Promise<Wallet> {
    return new Wallet(await Context.getContextFromURI(url), new pvm.PVMApi(url), new info.InfoApi(url))
  }

  key(text: string): Key {
    return keyOf(text, this.context.hrp)
  }

  /** An output of this amount in nAVAX for these owners, sorted as the chain requires. */
  output(amount: bigint, owners: readonly Key[], threshold = 1): TransferableOutput {
    return TransferableOutput.fromNative(this.context.avaxAssetID, amount, sortedBytes(owners), 0n, threshold)
  }

  async balance({ address }: Key): Promise<bigint> {
    return (await this.platform.getBalance({ addresses: [address] })).balance
  }

  async build(make: (common: Common) => UnsignedTx, { from, owners = from }: Signers): Promise<UnsignedTx> {
    const { utxos } = await this.platform.getUTXOs({ addresses: from.map(({ address }) => address) })
    const feeState = await this.platform.getFeeState()
    const unsignedTx = make({ feeState, fromAddressesBytes: from.map(({ bytes }) => bytes), utxos })
    await addTxSignatures({ unsignedTx, privateKeys: from.map(({ privateKey }) => privateKey) })
    await authorise(unsignedTx, owners)
    return unsignedTx
  }

  /** The ID of a transaction that was built, signed, issued and accepted. */
  async issue(make: (common: Common) => UnsignedTx, signers: Signers): Promise<string> {
    const { txID } = await this.platform.issueSignedTx((await this.build(make, signers)).getSignedTx())
    await this.committed(txID)
    return txID
  }

  async committed(txID: string): Promise<void> {
    for (;;) {
      const { status, reason } = await this.platform.getTxStatus({ txID })
      if (status === "Committed") return
      if (status !== "Processing") throw new Error(`${txID}: ${status} ${reason}`)
    }
  }
}

export const sortedBytes = (keys: readonly Key[]): Uint8Array[] => keys.map(({ bytes }) => bytes).sort(utils.bytesCompare)

/** The library signs inputs only; the last credential has the signatures of a subnet's or validator's owners. */
async function authorise(unsignedTx: UnsignedTx, owners: readonly Key[]): Promise<void> {
  if (unsignedTx.hasAllSignatures()) return
  const last = unsignedTx.getCredentials().length - 1
  const sorted = [...owners].sort((a, b) => utils.bytesCompare(a.bytes, b.bytes))
  for (const [i, { privateKey }] of sorted.entries()) {
    unsignedTx.addSignatureAt(await secp256k1.sign(unsignedTx.toBytes(), privateKey), last, i)
  }
}
