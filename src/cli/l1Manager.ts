import { printJson } from "../core/lib/json.js"
import { parseJson } from "../core/lib/parseJson.js"
import { type EvmLog, sentMessages } from "../evm/warpLogs.js"
import { cliError } from "./errors.js"
import { type CommandInput, optionalFlag } from "./flags/flags.js"
import { text } from "./flags/flagTypes.js"
import { post, type RemoteNode, remoteNodeFlags } from "./remoteNode.js"
import { factLines } from "./textTable.js"

/** The flags of the steps of a validator manager. */
export const l1ManagerFlags = {
  ...remoteNodeFlags,
  tx: optionalFlag(text, "With register and weight: the hash of the manager's transaction that sent the message to the P-Chain"),
  proof: optionalFlag(text, "With register: the proof of possession, 0x hex (default: that of a key which the node holds)"),
}

/** The flags of a step, with the balance of a validator that is registered, nAVAX. */
type FlagValues = CommandInput<typeof l1ManagerFlags>["flags"] & { readonly balance?: bigint | undefined }

/** Carries out the message that a transaction on the chain of an L1's manager sent to the P-Chain. */
export async function managerStep(
  verb: "register" | "weight",
  name: string,
  flags: FlagValues,
  node: RemoteNode,
): Promise<string> {
  const { url, json, tx, balance, proof } = flags
  if (tx === undefined) throw cliError("cli.missing_flag", { flag: "--tx" })
  const kind = verb === "register" ? "RegisterL1Validator" : "L1ValidatorWeight"
  const unsignedMessage = await sentMessage(`${url}/ext/bc/${await managerChainOf(name, node)}/rpc`, tx)
  const optional = { ...(balance === undefined ? {} : { balance }), ...(proof === undefined ? {} : { proofOfPossession: proof }) }
  const params = { unsignedMessage, ...optional }
  if (json) return `${printJson(await node.json("dev.issueL1Message", params))}\n`
  const issued = await node.call("dev.issueL1Message", params)
  return factLines({
    Message: issued.kind === kind ? kind : `${issued.kind}, which is no ${verb}`,
    Validation: issued.validationID,
    Transaction: issued.txID,
    Answer: issued.answer,
  })
}

/** Returns the chain of an L1's validator manager, which may be the C-Chain. Throws `cli.unknown_l1`. */
async function managerChainOf(name: string, node: RemoteNode): Promise<string> {
  const l1 = (await node.call("dev.listL1s")).l1s.find((each) => each.name === name || each.chainID === name)
  if (!l1) throw cliError("cli.unknown_l1", { name })
  return (await node.call("platform.getSubnet", { subnetID: l1.subnetID })).managerChainID
}

/** Returns the first Warp message that a transaction sent. Throws `cli.no_warp_message`. */
async function sentMessage(rpcUrl: string, hash: string): Promise<string> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getTransactionReceipt", params: [hash] })
  const { status, text } = await post(rpcUrl, body)
  const answer = status === 200 ? (parseJson(text) as { readonly result?: { readonly logs?: unknown } }) : undefined
  const logs = answer?.result?.logs
  const [message] = sentMessages(Array.isArray(logs) ? (logs as EvmLog[]) : [])
  if (message === undefined) throw cliError("cli.no_warp_message", { tx: hash, url: rpcUrl })
  return message
}
