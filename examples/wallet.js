// A small wallet that the other examples use: it builds transactions with avalanchejs, signs and issues them.
import { addTxSignatures, Context, pvm, secp256k1, utils } from "@avalabs/avalanchejs"

export const AVAX = 1_000_000_000n
export const PRIMARY_NETWORK = "11111111111111111111111111111111LpoYY"

/**
 * @param {string} url the address of the node, such as `http://127.0.0.1:9650`
 * @param {string} privateKey as text: `PrivateKey-…`
 */
export async function openWallet(url, privateKey) {
  const context = await Context.getContextFromURI(url)
  const platform = new pvm.PVMApi(url)
  const key = utils.base58check.decode(privateKey.replace("PrivateKey-", ""))
  const bytes = secp256k1.publicKeyBytesToAddress(secp256k1.getPublicKey(key))
  const address = utils.format("P", context.hrp, bytes)

  return {
    context,
    platform,
    key,
    address,
    bytes,

    /** Returns the amount that can be spent, nAVAX. */
    async balance() {
      return (await platform.getBalance({ addresses: [address] })).unlocked
    },

    /**
     * Builds a transaction, signs it and issues it.
     * @param {(common: Common) => import("@avalabs/avalanchejs").UnsignedTx} build
     * @returns {Promise<string>} the transaction's ID
     */
    async issue(build) {
      const { utxos } = await platform.getUTXOs({ addresses: [address] })
      const feeState = await platform.getFeeState()
      const unsignedTx = build({ feeState, fromAddressesBytes: [bytes], utxos })
      await addTxSignatures({ unsignedTx, privateKeys: [key] })
      if (!unsignedTx.hasAllSignatures()) {
        // All inputs are signed. The last credential is the signature of the owner of a subnet or validator.
        const last = unsignedTx.getCredentials().length - 1
        unsignedTx.addSignatureAt(await secp256k1.sign(unsignedTx.toBytes(), key), last, 0)
      }
      const { txID } = await platform.issueSignedTx(unsignedTx.getSignedTx())
      return txID
    },
  }
}

/**
 * The parameters that every builder of avalanchejs needs.
 * @typedef {object} Common
 * @property {import("@avalabs/avalanchejs").pvm.FeeState} feeState
 * @property {Uint8Array[]} fromAddressesBytes
 * @property {import("@avalabs/avalanchejs").Utxo[]} utxos
 */

/** @param {string} hex with `0x` in front */
export const bytesOf = (hex) => utils.hexToBuffer(hex)
