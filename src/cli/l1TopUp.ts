import { isPrivate } from "../client/nodeFacts.js"
import type { RemoteWallet } from "../client/remoteWallet.js"
import { avaxText } from "../core/lib/avaxText.js"
import { escapeLine } from "../core/lib/escapeControls.js"
import { printJson } from "../core/lib/json.js"
import { cliError } from "./errors.js"
import { decidedStatus, statusAt, walletOf } from "./flags/walletFlags.js"
import { type L1HealthInput, subnetOf, untilOf, type Validator } from "./l1Health.js"
import type { RemoteNode } from "./remoteNode.js"
import type { Terminal } from "./terminal.js"
import { parseAmount } from "./units.js"

/** An amount (nAVAX) for the balance of a validator. */
export interface TopUp {
  readonly nodeID: string
  readonly validationID: string
  readonly amount: bigint
}

/**
 * Increases the balances of validators: those that --increase names, or those of the plan until a time. One wallet pays for all, and each
 * transaction is decided before the next one is issued. What was issued is printed, also if a later one is refused.
 */
export async function topUpL1(name: string, flags: L1HealthInput, node: RemoteNode, terminal: Terminal): Promise<void> {
  const subnetID = await subnetOf(name, node)
  if ((flags.until === undefined) === (flags.increase === undefined)) throw cliError("cli.top_up_what")
  const health = await node.call("platform.getL1Health", { subnetID, ...(await untilOf(flags, { subnetID }, node)) })
  if (health.plan?.isPossible === false) throw cliError("cli.no_plan")
  const planned = (health.plan?.topUps ?? []).map(({ validationID = "", nodeID, amount }) => ({ validationID, nodeID, amount }))
  const topUps: readonly TopUp[] = flags.increase?.map((each) => namedTopUp(each, health.validators)) ?? planned
  const issued: object[] = []
  const pay = await payerOf(flags, node, terminal)
  try {
    for (const { nodeID, validationID, amount } of topUps) {
      const { txID, status } = await pay(validationID, amount)
      issued.push({ nodeID, validationID, amount: String(amount), txID, status })
      if (!flags.json) await terminal.print(`${escapeLine(`${nodeID}  ${avaxText(amount)}  ${txID}  ${status}`)}\n`)
    }
  } finally {
    if (flags.json) await terminal.print(`${printJson({ topUps: issued as never })}\n`)
  }
  if (topUps.length === 0 && !flags.json) await terminal.print("No balance needs to be increased.\n")
}

/** Returns what pays a top-up, and waits for its decision: the wallet of a key, or a private chain itself. */
async function payerOf(flags: L1HealthInput, { call }: RemoteNode, terminal: Terminal) {
  const hasKey = flags.account !== undefined || flags["private-key-file"] !== undefined
  if (!hasKey && (await isPrivate(call))) {
    return async (validationID: string, amount: bigint) => {
      const { txID } = await call("dev.increaseL1Balance", { validationID, amount })
      return { txID, status: "Committed" }
    }
  }
  let wallet: RemoteWallet | undefined
  return async (validationID: string, amount: bigint) => {
    wallet ??= await walletOf(flags, call, terminal)
    const issued = await wallet.increaseL1Balance(validationID, amount)
    return { ...issued, status: await decidedStatus(issued, flags, statusAt(call), terminal) }
  }
}

/** Reads `NodeID-…=0.5avax`. Throws `cli.unknown_validator`. */
export function namedTopUp(text: string, validators: readonly Validator[]): TopUp {
  const [named = "", amount = ""] = text.split("=", 2)
  const validator = validators.find(({ nodeID, validationID }) => named !== "" && (nodeID === named || validationID === named))
  if (!validator?.validationID) throw cliError("cli.unknown_validator", { validator: named })
  return { nodeID: validator.nodeID, validationID: validator.validationID, amount: parseAmount(amount) }
}
