import { printJson } from "../../core/lib/json.js"
import { avaxText } from "../../core/types/avaxText.js"
import { command } from "../command.js"
import { remoteNode, remoteNodeFlags } from "../remoteNode.js"
import { factLines } from "../textTable.js"
import { parseAmount } from "../units.js"

/** `serac fund`: grants AVAX to an address of a private chain. */
export const fundCommand = command({
  takes: "ADDRESS AMOUNT",
  count: [2, 2],
  about: `
Grants AVAX to an address of a private chain, as dev.fund does. AMOUNT has its unit: 5avax, 1.5avax, 100navax. With --json it prints the answer of
dev.fund.`,
  examples: [
    { call: "serac fund P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6 5avax", does: "five AVAX" },
    { call: "serac fund P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6 1.5avax --json", does: "for scripts" },
  ],
  flags: remoteNodeFlags,
  async run({ flags: { url, json }, args: [address = "", amountText = ""] }, terminal) {
    const params = { address, amount: parseAmount(amountText) }
    const node = remoteNode(url)
    if (json) return terminal.print(`${printJson(await node.json("dev.fund", params))}\n`)
    const { txID, utxoID } = await node.call("dev.fund", params)
    await terminal.print(factLines({ Address: address, Amount: avaxText(params.amount), Transaction: txID, UTXO: utxoID }))
  },
})
