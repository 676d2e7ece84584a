// Pays from an output that two of three keys must sign: a multi-signature, or multisig.
//
//   node examples/multisig.js
import { addTxSignatures, pvm, TransferableOutput, utils } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import { AVAX, openWallet } from "./wallet.js"

const devnet = await startDevnet({ accounts: 3 })
const wallets = await Promise.all(devnet.accounts.map(({ privateKey }) => openWallet(devnet.url, privateKey)))
const [alice, bob, carol] = wallets
const { context, platform } = alice

// The output names its owners in the order of their bytes, and how many of them must sign.
const owners = wallets.map(({ bytes }) => bytes).sort(utils.bytesCompare)
const shared = TransferableOutput.fromNative(context.avaxAssetID, 10n * AVAX, owners, 0n, 2)
const txID = await alice.issue((common) => pvm.newBaseTx({ ...common, outputs: [shared] }, context))

// All three see it among their UTXOs. `getBalance` counts the whole output for each of them.
const { utxos } = await platform.getUTXOs({ addresses: [carol.address] })
const spent = utxos.filter(({ utxoId }) => utxoId.txID.toString() === txID)

// Two of them pay six AVAX to Carol; the change goes to Alice.
const unsignedTx = pvm.newBaseTx(
  {
    feeState: await platform.getFeeState(),
    fromAddressesBytes: [alice.bytes, bob.bytes],
    changeAddressesBytes: [alice.bytes],
    utxos: spent,
    outputs: [TransferableOutput.fromNative(context.avaxAssetID, 6n * AVAX, [carol.bytes])],
  },
  context,
)
// Each signs when it is their turn. `unsignedTx.toJSON()` carries the transaction from one to the other.
for (const { key } of [alice, bob]) {
  await addTxSignatures({ unsignedTx, privateKeys: [key] })
  console.log(`all signatures are there: ${unsignedTx.hasAllSignatures()}`)
}
const paid = await platform.issueSignedTx(unsignedTx.getSignedTx())
console.log(`${paid.txID} is ${(await platform.getTxStatus(paid)).status}`)

await devnet.stop()
