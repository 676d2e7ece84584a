// Sends AVAX from one key to another.
//
//   node examples/send-avax.js
import { addTxSignatures, Context, pvm, secp256k1, TransferableOutput, utils } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"

const AVAX = 1_000_000_000n // amounts are in nAVAX

// Start a private P-Chain in this process. If you have started one with `npx serac`, use its URL instead: "http://127.0.0.1:9650".
const devnet = await startDevnet()
const { url } = devnet

// Read the facts that every builder needs: the network ID, the chain IDs, the price of gas.
const context = await Context.getContextFromURI(url)
const platform = new pvm.PVMApi(url)

// The sender is the key `ewoq`, which owns most of the local network, and the receiver is a new key. `ewoq` is public: never use it elsewhere.
const [ewoq] = devnet.keys
const key = utils.base58check.decode(ewoq.privateKey.replace("PrivateKey-", ""))
const from = secp256k1.publicKeyBytesToAddress(secp256k1.getPublicKey(key))
const to = secp256k1.publicKeyBytesToAddress(secp256k1.getPublicKey(secp256k1.randomPrivateKey()))
const addressOf = (bytes) => utils.format("P", context.hrp, bytes)

// Build, sign and issue the transaction. The change is an output to the sender.
const { utxos } = await platform.getUTXOs({ addresses: [addressOf(from)] })
const feeState = await platform.getFeeState()
const outputs = [TransferableOutput.fromNative(context.avaxAssetID, 5n * AVAX, [to])]
const unsignedTx = pvm.newBaseTx({ feeState, fromAddressesBytes: [from], utxos, outputs }, context)
await addTxSignatures({ unsignedTx, privateKeys: [key] })
const { txID } = await platform.issueSignedTx(unsignedTx.getSignedTx())

// A private chain of Serac answers when the transaction is in a block. On another network, repeat this call until the status is "Committed".
const { status } = await platform.getTxStatus({ txID })
const { balance } = await platform.getBalance({ addresses: [addressOf(to)] })
console.log(`${txID} is ${status}`)
console.log(`${addressOf(to)} owns ${balance / AVAX} AVAX`)

await devnet.stop()
