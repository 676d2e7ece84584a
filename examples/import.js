// Imports AVAX that another chain has exported to the P-Chain, here the X-Chain, which Serac does not run.
//
//   node examples/import.js
//
// Between the C-Chain and the P-Chain `devnet.transfer` does both sides (stake-from-c.js).
import { pvm } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import { AVAX, openWallet } from "./wallet.js"

const devnet = await startDevnet({ accounts: 1 })
const [{ address, privateKey }] = devnet.accounts
const { context, platform, bytes, ...wallet } = await openWallet(devnet.url, privateKey)

// As if the X-Chain had exported eleven AVAX to this address.
await devnet.dev.creditAtomic({ sourceChain: "X", address, amount: 11n * AVAX })
const waiting = async () => (await platform.getUTXOs({ addresses: [address], sourceChain: "X" })).utxos
console.log(`${(await waiting()).length} UTXO waits for its import`)

// The fee is taken from what is imported.
const utxos = await waiting()
const before = await wallet.balance()
await wallet.issue(({ feeState }) =>
  pvm.newImportTx(
    { feeState, fromAddressesBytes: [bytes], toAddressesBytes: [bytes], sourceChainId: context.xBlockchainID, utxos },
    context,
  ),
)
const gained = (await wallet.balance()) - before
console.log(`${(Number(gained) / Number(AVAX)).toFixed(3)} AVAX came in, ${(await waiting()).length} UTXOs wait`)

await devnet.stop()
