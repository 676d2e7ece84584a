import { avaxText } from "../../core/lib/avaxText.js"
import { printJson } from "../../core/lib/json.js"
import { command } from "../command.js"
import { decidedStatus, decisionFlags, walletFlags, walletOf, walletRules } from "../flags/walletFlags.js"
import { remoteNode } from "../remoteNode.js"
import { factLines } from "../textTable.js"
import { parseAmount } from "../units.js"

/** `serac send`: pays AVAX from a key to an address. */
export const sendCommand = command({
  takes: "ADDRESS AMOUNT",
  count: [2, 2],
  about: `
Pays AVAX on the P-Chain from a key to an address: reads the UTXOs of the key from the node, makes a BaseTx, signs it here, issues it and
waits until the network has decided it, for a minute at most. The key never leaves this process. AMOUNT has its unit: 5avax, 1.5avax, 100navax. The fee is paid on top. With --json it prints the transaction's
ID and status.`,
  examples: [
    { call: "serac send P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6 5avax", does: "from the key ewoq of a local network" },
    {
      call: "serac send P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6 5avax --private-key-file key.txt",
      does: "from another key",
    },
  ],
  flags: { ...walletFlags, ...decisionFlags },
  rules: walletRules,
  async run({ flags, args: [address = "", amountText = ""] }, terminal) {
    const amount = parseAmount(amountText)
    const { call } = remoteNode(flags.url)
    const wallet = await walletOf(flags, call, terminal)
    const issued = await wallet.send(address, amount)
    const { txID } = issued
    const status = await decidedStatus(issued, flags, call, terminal)
    if (flags.json) return terminal.print(`${printJson({ txID, status })}\n`)
    await terminal.print(
      factLines({ From: wallet.address, To: address, Amount: avaxText(amount), Transaction: txID, Status: status }),
    )
  },
})
