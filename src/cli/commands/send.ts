import { cChainCallTo } from "../../client/cChainAccount.js"
import type { Call } from "../../client/client.js"
import { transfer } from "../../client/transfer.js"
import { avaxText } from "../../core/lib/avaxText.js"
import { printJson } from "../../core/lib/json.js"
import { command } from "../command.js"
import type { CommandInput } from "../flags/flags.js"
import { decidedStatus, decisionFlags, privateKeyOf, statusAt, walletFlags, walletOf, walletRules } from "../flags/walletFlags.js"
import { remoteNode } from "../remoteNode.js"
import type { Terminal } from "../terminal.js"
import { factLines } from "../textTable.js"
import { parseAmount } from "../units.js"

/** `serac send`: pays AVAX from a key to an address, or moves it between the chains. */
export const sendCommand = command({
  takes: "ADDRESS|P|C AMOUNT",
  count: [2, 2],
  about: `
Pays AVAX on the P-Chain from a key to an address: reads the UTXOs of the key from the node, makes a BaseTx, signs it here, issues it and
waits until the network has decided it, for a minute at most. The key never leaves this process. AMOUNT has its unit: 5avax, 1.5avax, 100navax. The fee is paid on top. With --json it prints the transaction's
ID and status. With P or C in place of an address AVAX of the key goes to this chain from the other one: an export, and an import from which
its fee is taken. The account of the key on the C-Chain is that of its EVM address.`,
  examples: [
    { call: "serac send P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6 5avax", does: "from the key ewoq of a local network" },
    { call: "serac send P 50avax", does: "from the C-Chain to the P-Chain" },
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
    if (address === "P" || address === "C") return moveTo(address, amount, flags, call, terminal)
    const wallet = await walletOf(flags, call, terminal)
    const issued = await wallet.send(address, amount)
    const { txID } = issued
    const status = await decidedStatus(issued, flags, statusAt(call), terminal)
    if (flags.json) return terminal.print(`${printJson({ txID, status })}\n`)
    await terminal.print(
      factLines({ From: wallet.address, To: address, Amount: avaxText(amount), Transaction: txID, Status: status }),
    )
  },
})

/** Moves AVAX of the key to a chain from the other one, and prints both transactions. */
async function moveTo(
  to: "P" | "C",
  amount: bigint,
  flags: CommandInput<typeof walletFlags>["flags"],
  call: Call,
  terminal: Terminal,
): Promise<void> {
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
  const ports = { call, cChain: cChainCallTo(flags.url), now: () => terminal.now(), pause }
  const request = { from: to === "P" ? "C" : "P", to, amount, privateKey: await privateKeyOf(flags, call) } as const
  const { exportTxID, importTxID, received } = await transfer(ports, request)
  if (flags.json) return terminal.print(`${printJson({ exportTxID, importTxID, received: received.toString() })}\n`)
  const facts = { From: request.from, To: to, Exported: avaxText(amount), Received: avaxText(received) }
  await terminal.print(factLines({ ...facts, Export: exportTxID, Import: importTxID }))
}
