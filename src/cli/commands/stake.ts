import type { StakePlan } from "../../client/remoteWallet.js"
import { avaxText } from "../../core/lib/avaxText.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { printJson } from "../../core/lib/json.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { flagWithDefault, optionalFlag } from "../flags/flags.js"
import { onOff, text } from "../flags/flagTypes.js"
import { decidedStatus, decisionFlags, statusAt, walletFlags, walletOf, walletRules } from "../flags/walletFlags.js"
import { excludes } from "../flags/withoutEffect.js"
import { remoteNode } from "../remoteNode.js"
import { factLines } from "../textTable.js"
import { parseAmount, parseSeconds, parseShare } from "../units.js"

/** `serac stake`: stakes AVAX of a key on the primary network. */
export const stakeCommand = command({
  takes: "AMOUNT DURATION",
  count: [2, 2],
  about: `
Stakes AVAX of a key on the primary network, from now on for DURATION (14d, 1d12h), and prints the fee, the end and the expected reward once the
node has taken the transaction. Then it waits until the network has decided it, for a minute at most. With --node it delegates to that
validator, which keeps its share of the reward. Without it the node at --url validates with the stake, by its own BLS key, and keeps the share
--delegation-fee of the rewards of its delegators; if it validates already and has a private chain, a new node that exists only as keys
validates. Nodes of AvalancheGo count a validator that does not run the X-Chain and the C-Chain as offline, so such a node is refused without
--force. The stake goes back to the key, and so do rewards unless --reward-address names another address. With --json it prints all this and the
transaction's ID and status.`,
  examples: [
    { call: "serac stake 25avax 14d --node NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5", does: "delegates" },
    { call: "serac stake 2000avax 30d --account 0", does: "adds a validator to a private chain, from its first account" },
    { call: "serac stake 2000avax 30d --private-key-file key.txt", does: "makes the node a validator" },
    { call: "serac stake 2000avax 14d --auto-renew 50%", does: "a validator that renews itself every two weeks" },
  ],
  flags: {
    ...walletFlags,
    ...decisionFlags,
    node: optionalFlag(text, "The validator to delegate to, NodeID-…"),
    "delegation-fee": optionalFlag(text, "A new validator's share of the rewards of its delegators, 2% to 100% (default: 2%)"),
    "reward-address": optionalFlag(text, "The address that gets the rewards (default: the key's)"),
    "auto-renew": optionalFlag(
      text,
      "A new validator renews itself after each DURATION and restakes this share of its rewards, 0% to 100%",
    ),
    force: flagWithDefault(onOff, "Makes the node a validator although it does not run all chains of the primary network", false),
  },
  rules: [
    ...walletRules,
    excludes("node", ["force"], "only a new validator is refused without it, and --node names a validator"),
    excludes("node", ["auto-renew"], "only a new validator renews itself, and --node names a validator"),
    excludes("node", ["delegation-fee"], "the validator that --node names has set its fee"),
  ],
  async run({ flags, args: [amountText = "", durationText = ""] }, terminal) {
    const [amount, duration] = [parseAmount(amountText), parseSeconds(durationText)]
    const { call } = remoteNode(flags.url)
    const wallet = await walletOf(flags, call, terminal)
    const { "delegation-fee": fees, "auto-renew": restaked } = flags
    const plan = await wallet.planStake({
      amount,
      duration,
      nodeID: flags.node,
      rewardAddress: flags["reward-address"],
      shares: fees === undefined ? undefined : parseShare(fees),
      restaked: restaked === undefined ? undefined : parseShare(restaked),
    })
    const { nodeID, end, fee, reward, shares, uptime, missingChains = [], issue } = plan
    if (missingChains.length > 0 && !flags.force) {
      throw cliError("cli.unrewarded_validator", { nodeID, missing: missingChains.join(", ") })
    }
    const facts = {
      From: wallet.address,
      Node: nodeID,
      Amount: avaxText(amount),
      [restaked === undefined ? "Ends" : "First cycle ends"]: printRfc3339(end),
      Fee: avaxText(fee),
      [REWARD]: `${avaxText(reward)}${shares === undefined ? "" : `, after the validator's share of ${shares / 10_000} %`}`,
    }
    if (uptime && uptime.measured < uptime.required) terminal.note(tooShort(nodeID, uptime))
    const issued = await issue()
    // A reward is promised only for a stake that the node has taken.
    if (!flags.json) await terminal.print(factLines(facts))
    const { txID } = issued
    const status = await decidedStatus(issued, flags, statusAt(call), terminal)
    const json = { nodeID, end: printRfc3339(end), fee: fee.toString(), reward: reward.toString(), txID, status }
    await terminal.print(flags.json ? `${printJson(json)}\n` : factLines({ Transaction: txID, Status: status }, REWARD.length))
  },
})

const REWARD = "Expected reward"

const tooShort = (nodeID: string, { measured, required }: NonNullable<StakePlan["uptime"]>) =>
  `${nodeID} was online for ${measured} % of its time, as the node at --url measured it, and a reward requires ${required} %: it and its delegators may get none\n`
