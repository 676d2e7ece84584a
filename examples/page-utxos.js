// Reads all UTXOs of an address, page by page.
//
//   node examples/page-utxos.js
import { pvm, utils } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"

const AVAX = 1_000_000_000n

const devnet = await startDevnet({ accounts: 1 })
const platform = new pvm.PVMApi(devnet.url)

// Give twelve more UTXOs to the account.
const [{ address }] = devnet.accounts
for (let i = 0; i < 12; i++) await devnet.dev.fund({ address, amount: String(AVAX) })

/**
 * Yields all UTXOs of an address. An answer has at most 1,024 of them, and `endIndex` is the position after the last one. A position is
 * a UTXO and not a number, so blocks that are accepted meanwhile cause no repetitions or gaps. The last page has fewer UTXOs than requested.
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
