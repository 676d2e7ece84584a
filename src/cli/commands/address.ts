import type { AnswerOf } from "../../client/client.js"
import { avaxText } from "../../core/lib/avaxText.js"
import { groupThousands } from "../../core/lib/groupThousands.js"
import { type Json, printJson } from "../../core/lib/json.js"
import { command } from "../command.js"
import { flagWithDefault } from "../flags/flags.js"
import { integerFlag } from "../flags/flagTypes.js"
import { remoteNode, remoteNodeFlags } from "../remoteNode.js"
import { type Column, factLines, textTable } from "../textTable.js"

/** `serac address`: shows the balance of an address, and its last transactions. */
export const addressCommand = command({
  takes: "ADDRESS",
  count: [1, 1],
  about: `
Shows the balance and the stakes of an address, and its last transactions, newest first. With --json it prints one object: the answers of
platform.getBalance ("balance"), platform.getStake ("stake") and platform.getTxsByAddress ("history").`,
  examples: [
    { call: "serac address P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", does: "for people" },
    { call: "serac address P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u --limit 100 --json", does: "for scripts" },
  ],
  flags: { ...remoteNodeFlags, limit: flagWithDefault(integerFlag(1, 1024), "Number of transactions that are shown", 10) },
  async run({ flags: { url, json, limit }, args: [address = ""] }, terminal) {
    const node = remoteNode(url)
    const [owner, page] = [{ addresses: [address] }, { address, limit }]
    if (json) {
      const answers: { readonly [name: string]: Json } = {
        balance: await node.json("platform.getBalance", owner),
        stake: await node.json("platform.getStake", owner),
        history: await node.json("platform.getTxsByAddress", page),
      }
      return terminal.print(`${printJson({ address, ...answers })}\n`)
    }
    const { balance, unlocked, lockedStakeable, lockedNotStakeable } = await node.call("platform.getBalance", owner)
    const { staked } = await node.call("platform.getStake", owner)
    const { txs, cursor } = await node.call("platform.getTxsByAddress", page)
    const facts = factLines({
      Address: address,
      Balance: avaxText(balance),
      Unlocked: avaxText(unlocked),
      "Locked, for staking only": lockedStakeable === 0n ? undefined : avaxText(lockedStakeable),
      Locked: lockedNotStakeable === 0n ? undefined : avaxText(lockedNotStakeable),
      Staked: avaxText(staked),
    })
    const more = cursor === null ? "" : `Older transactions are omitted; --limit shows more.\n`
    await terminal.print(txs.length === 0 ? facts : `${facts}\n${textTable(columns, txs)}${more}`)
  },
})

type HistoryRow = AnswerOf<"platform.getTxsByAddress">["txs"][number]

const columns: readonly Column<HistoryRow>[] = [
  { title: "BLOCK", isNumber: true, cell: ({ height }) => groupThousands(height) },
  { title: "TIME", cell: ({ timestamp }) => timestamp },
  { title: "KIND", cell: ({ kind }) => kind },
  { title: "TRANSACTION", cell: ({ txID }) => txID },
]
