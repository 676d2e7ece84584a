import { groupThousands } from "../../core/lib/groupThousands.js"
import { printJson } from "../../core/lib/json.js"
import { nearest } from "../../core/lib/nearest.js"
import type { AnswerOf } from "../../node/client.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { flagWithDefault } from "../flags/flags.js"
import { onOff } from "../flags/flagTypes.js"
import { remoteNode, remoteNodeFlags } from "../remoteNode.js"
import { factLines } from "../textTable.js"
import { parseSeconds } from "../units.js"

/** `serac dev`: moves the clock of a private chain. */
export const devCommand = command({
  takes: "advance DURATION",
  count: [2, 2],
  about: `
Moves the clock of a private chain forward and makes every block that becomes due on the way: rewards, staker changes, L1 fees. DURATION
has its units: weeks (w), days (d), hours (h), minutes (m), seconds (s). With --json it prints the answer of dev.advanceTime. The other
methods of /ext/dev are called with serac call.`,
  examples: [
    { call: "serac dev advance 14d", does: "two weeks" },
    { call: "serac dev advance 1h30m --json", does: "for scripts" },
  ],
  flags: { ...remoteNodeFlags, force: flagWithDefault(onOff, "Allows more than 100 years", false) },
  words: ["advance"],
  async run({ flags: { url, json, force }, args: [action = "", duration = ""] }, terminal) {
    if (action !== "advance") throw unknownAction(action)
    const params = { seconds: parseSeconds(duration), force }
    const node = remoteNode(url)
    if (json) return terminal.print(`${printJson(await node.json("dev.advanceTime", params))}\n`)
    await terminal.print(journeyText(await node.call("dev.advanceTime", params)))
  },
})

function unknownAction(action: string) {
  const didYouMean = nearest(action, ["advance"])
  return cliError("cli.unknown_action", { command: "dev", action, ...(didYouMean ? { didYouMean } : { known: "advance" }) })
}

function journeyText(journey: AnswerOf<"dev.advanceTime">): string {
  const { clock, chainTime, height, blocks, rewarded, aborted, deactivated, l1sNotMoved = [] } = journey
  const unlessZero = (count: number) => (count === 0 ? undefined : groupThousands(count))
  return factLines({
    Clock: clock,
    "Chain time": chainTime,
    Height: groupThousands(height),
    "Blocks made": groupThousands(blocks),
    "Rewards paid": unlessZero(rewarded),
    "Rewards refused": unlessZero(aborted),
    "L1 validators without balance": unlessZero(deactivated),
    "Not moved": l1sNotMoved.length === 0 ? undefined : `${l1sNotMoved.join(", ")}: their VMs read the machine's clock`,
  })
}
