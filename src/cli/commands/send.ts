import { printJson } from "../../core/lib/json.js"
import { avaxText } from "../../core/types/avaxText.js"
import { command } from "../command.js"
import { walletFlags, walletOf } from "../flags/walletFlags.js"
import { remoteNode } from "../remoteNode.js"
import { factLines } from "../textTable.js"
import { parseAmount } from "../units.js"

/** `serac send`: pays AVAX from a key to an address. */
export const sendCommand = command({
  takes: "ADDRESS AMOUNT",
  count: [2, 2],
  about: `
Pays AVAX on the P-Chain from a key to an address: reads the UTXOs of the key from the node, makes a BaseTx, signs it here and issues it. The
key never leaves this process. AMOUNT has its unit: 5avax, 1.5avax, 100navax. The fee is paid on top. With --json it prints the transaction's
ID and status.`,
  examples: [
    { call: "serac send P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6 5avax", does: "from the key ewoq of a local network" },
    {
      call: "serac send P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6 5avax --private-key-file key.txt",
      does: "from another key",
    },
  ],
  flags: walletFlags,
  async run({ flags, args: [address = "", amountText = ""] }, terminal) {
    const amount = parseAmount(amountText)
    const wallet = await walletOf(flags, remoteNode(flags.url).call, terminal)
    const { txID, status } = await wallet.send(address, amount)
    if (flags.json) return terminal.print(`${printJson({ txID, status })}\n`)
    await terminal.print(
      factLines({ From: wallet.address, To: address, Amount: avaxText(amount), Transaction: txID, Status: status }),
    )
  },
})
