// Goes through all UTXOs of an address, page by page.
//
//   node examples/page-utxos.js
import { pvm, utils } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"

const AVAX = 1_000_000_000n

const devnet = await startDevnet({ accounts: 1 })
const platform = new pvm.PVMApi(devnet.url)

// Twelve more outputs for a key of ours.
const [, , { address }] = devnet.keys
for (let i = 0; i < 12; i++) await devnet.dev.fund({ address, amount: String(AVAX) })

/**
 * All UTXOs. An answer holds at most 1,024; `endIndex` says where the next one begins. It names a place and not a number, so
 * nothing is seen twice or missed when blocks are accepted meanwhile. The last page is the one with fewer than were asked for.
 */
async function* utxosOf(address, limit = 1_024) {
  for (let startIndex; ; ) {
    const page = await platform.getUTXOs({ addresses: [address], limit, ...(startIndex ? { startIndex } : {}) })
    yield* page.utxos
    if (page.utxos.length < limit) return
    startIndex = page.endIndex
  }
}

let [count, sum] = [0, 0n]
for await (const utxo of utxosOf(address, 5)) {
  count++
  if (utils.isTransferOut(utxo.output)) sum += utxo.output.amount()
}
console.log(`${count} UTXOs, ${sum / AVAX} AVAX`)

await devnet.stop()
