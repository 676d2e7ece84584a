import { printJson } from "../../core/lib/json.js"
import { avaxText } from "../../core/types/avaxText.js"
import { command } from "../command.js"
import { optionalFlag } from "../flags/flags.js"
import { text } from "../flags/flagTypes.js"
import { walletFlags, walletOf } from "../flags/walletFlags.js"
import { remoteNode } from "../remoteNode.js"
import { factLines } from "../textTable.js"
import { parseAmount, parseSeconds } from "../units.js"

/** `serac stake`: stakes AVAX of a key on the primary network. */
export const stakeCommand = command({
  takes: "AMOUNT DURATION",
  count: [2, 2],
  about: `
Stakes AVAX of a key on the primary network, from now on for DURATION (14d, 1d12h). With --node delegates to that validator; without it the
node at --url validates with the stake, by its own BLS key, and keeps 2% of the rewards of its delegators. Stake and rewards go back to the
key. With --json it prints the transaction's ID and status.`,
  examples: [
    { call: "serac stake 25avax 14d --node NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", does: "delegates" },
    { call: "serac stake 2000avax 30d --private-key-file key.txt", does: "makes the node a validator" },
  ],
  flags: { ...walletFlags, node: optionalFlag(text, "The validator to delegate to, NodeID-…") },
  async run({ flags, args: [amountText = "", durationText = ""] }, terminal) {
    const [amount, duration] = [parseAmount(amountText), parseSeconds(durationText)]
    const wallet = await walletOf(flags, remoteNode(flags.url).call, terminal)
    const { txID, status } = await wallet.stake({ amount, duration, nodeID: flags.node })
    if (flags.json) return terminal.print(`${printJson({ txID, status })}\n`)
    await terminal.print(
      factLines({
        From: wallet.address,
        Node: flags.node ?? "the node at --url",
        Amount: avaxText(amount),
        Transaction: txID,
        Status: status,
      }),
    )
  },
})
