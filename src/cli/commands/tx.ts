import type { AnswerOf } from "../../client/client.js"
import { combineTxFiles, signTxFile } from "../../client/txFile/txFile.js"
import { ewoq } from "../../core/genesis/testKeys.js"
import { avaxText } from "../../core/lib/avaxText.js"
import { groupThousands } from "../../core/lib/groupThousands.js"
import { Invalid } from "../../core/lib/invalid.js"
import { type Json, printJson } from "../../core/lib/json.js"
import { parsePrivateKey } from "../../core/types/privateKey.js"
import { loadSecp256k1 } from "../../platform/backends.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { type CommandInput, optionalFlag } from "../flags/flags.js"
import { text } from "../flags/flagTypes.js"
import { decisionFlags, privateKeyOf, walletFlags, walletRules } from "../flags/walletFlags.js"
import { type RemoteNode, remoteNode } from "../remoteNode.js"
import type { Terminal } from "../terminal.js"
import { factLines } from "../textTable.js"
import { builtFile, FORMS, inspectFile, printFile, readTxFile, sendFile } from "../txFiles.js"
import { l1ValidatorTable, txParts } from "../txParts.js"

const VERBS = ["build", "inspect", "sign", "combine", "send"] as const

/** The verbs that have a flag; the others, and a transaction ID in the place of a verb, have not. */
const verbsOf: Partial<Record<keyof typeof txFlags, readonly string[]>> = {
  from: ["build"],
  change: ["build"],
  utxos: ["build"],
  known: ["inspect"],
  "private-key-file": ["sign"],
  account: ["sign"],
  "no-wait": ["send"],
}

const txFlags = {
  ...walletFlags,
  ...decisionFlags,
  from: optionalFlag(text, "With build: the addresses whose funds are spent and whose keys will sign, with commas between them"),
  change: optionalFlag(text, "With build: the address that gets the change (default: the owners of what is spent)"),
  utxos: optionalFlag(
    text,
    "With build: the UTXOs that may be spent, txID:index, with commas between them (default: all of --from)",
  ),
  known: optionalFlag(text, "With inspect: addresses that may get something besides the signers; others are called unusual"),
}

type TxInput = CommandInput<typeof txFlags>

/** `serac tx`: shows a transaction, or takes one from unsigned bytes to the chain in a file. */
export const txCommand = command({
  takes: "ID | build WHAT… | inspect FILE | sign FILE | combine FILE… | send FILE",
  count: [1, 66],
  about: `
Shows a transaction: its kind and status, the block that has it, its fee, its inputs and its outputs with their
owners, and the node and L1 validators that it concerns. For a waiting or dropped transaction it
shows the status and the reason; for an unknown one the exit code is 1. With --json it prints one object: the answer of
platform.getTxInfo and the whole transaction as "tx", or the answer of platform.getTxStatus if it is in no block.

The verbs take a transaction through a file to keys that are elsewhere. build makes it without a key, from what the node at --url knows
of --from; inspect says what it asks of each key, with --url also whether the node has its UTXOs; sign adds the signatures of one key;
combine puts those of several files together; send issues it. build, sign and combine print the file; FILE may be - for stdin. WHAT is
${FORMS.join(", ")}.`,
  examples: [
    { call: "serac tx 2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq", does: "for people" },
    { call: "serac tx build send P-local1… 5avax --from P-local1…,P-local1… > tx.json", does: "where there is no key" },
    { call: "serac tx sign tx.json --private-key-file key.txt > signed.json", does: "where the key is" },
    { call: "serac tx combine signed1.json signed2.json > both.json", does: "the signatures of two owners" },
    { call: "serac tx send both.json", does: "issues it, and waits" },
  ],
  flags: txFlags,
  rules: [
    ...walletRules,
    ...Object.entries(verbsOf).map(([flag, verbs]) => ({
      flags: [flag],
      applies: (_: TxInput["flags"], [verb = ""]: readonly string[]) => !verbs.includes(verb),
      reason: `only serac tx ${verbs.join(" and ")} has it`,
    })),
    {
      flags: ["json"],
      applies: (_, [verb = ""]) => ["build", "sign", "combine"].includes(verb),
      reason: "the file is JSON",
    },
    {
      flags: ["url"],
      applies: ({ account }, [verb = ""]) => verb === "combine" || (verb === "sign" && account === undefined),
      reason: "no node is asked",
    },
  ],
  groups: {
    Node: ["url", "json", "no-wait"],
    Addresses: ["from", "change", "utxos", "known"],
    Keys: ["private-key-file", "account"],
  },
  words: VERBS,
  async run(given, terminal) {
    const [verb = "", ...rest] = given.args
    const known = VERBS.find((each) => each === verb)
    if (known) return runVerb(known, rest, given, terminal)
    if (rest[0] !== undefined) throw cliError("cli.extra_argument", { argument: rest[0], takes: "ID" })
    await showTx(verb, given, terminal)
  },
})

async function showTx(txID: string, { flags: { url, json } }: TxInput, terminal: Terminal): Promise<void> {
  const node = remoteNode(url)
  const info = await infoOf(node, txID)
  if (info) {
    if (json) return terminal.print(`${printJson(await acceptedJson(node, txID))}\n`)
    const { assetID } = await node.call("platform.getStakingAssetID", {})
    const parts = [factsOf(info), txParts(info, assetID), l1ValidatorTable(info)]
    return terminal.print(parts.filter((part) => part !== "").join("\n"))
  }
  const { status, reason } = await node.call("platform.getTxStatus", { txID })
  if (status === "Unknown") throw cliError("cli.unknown_tx", { txID })
  const waiting = { txID, status, ...(reason === undefined ? {} : { reason }) }
  await terminal.print(json ? `${printJson(waiting)}\n` : factLines({ ID: txID, Status: status, Reason: reason }))
}

/** Does one step of a transaction file. */
async function runVerb(
  verb: (typeof VERBS)[number],
  args: readonly string[],
  { flags, set }: TxInput,
  terminal: Terminal,
): Promise<void> {
  const { url, from, change, utxos, known, json } = flags
  if (verb === "build")
    return printFile(
      await builtFile(
        args,
        { url, from: textsIn(from), utxos: utxos === undefined ? undefined : textsIn(utxos), change },
        terminal,
      ),
      terminal,
    )
  const [first, ...others] = args
  if (first === undefined) throw cliError("cli.missing_argument", { command: `tx ${verb}`, takes: "FILE" })
  if (verb !== "combine" && others[0] !== undefined) throw cliError("cli.extra_argument", { argument: others[0], takes: "FILE" })
  const file = await readTxFile(first, terminal)
  if (verb === "inspect") {
    const trusted = known === undefined ? undefined : textsIn(known)
    return inspectFile(file, { known: trusted, url: set.has("url") ? url : undefined, json }, terminal)
  }
  if (verb === "sign") {
    await loadSecp256k1()
    const secret = parsePrivateKey((await privateKeyOf(flags, remoteNode(url).call)) ?? ewoq.privateKey)
    return printFile(signTxFile(file, secret), terminal)
  }
  if (verb === "combine") {
    const files = await Promise.all(others.map((each) => readTxFile(each, terminal)))
    return printFile(combineTxFiles([file, ...files]), terminal)
  }
  await sendFile(file, flags, terminal)
}

const textsIn = (texts: string | undefined): readonly string[] => (texts ?? "").split(",").filter((each) => each !== "")

/** The codes of a node that has no such transaction in a block; one that answers in AvalancheGo's dialect gives no code of its own. */
const NOT_IN_A_BLOCK: readonly string[] = ["platform.unknown_tx", "rpc.call_failed"]

/** Returns the block of a transaction; `undefined` if it is in no block. */
async function infoOf(node: RemoteNode, txID: string): Promise<AnswerOf<"platform.getTxInfo"> | undefined> {
  try {
    return await node.call("platform.getTxInfo", { txID })
  } catch (error) {
    if (error instanceof Invalid && NOT_IN_A_BLOCK.includes(error.code)) return undefined
    throw error
  }
}

async function acceptedJson(node: RemoteNode, txID: string): Promise<Json> {
  const info = (await node.json("platform.getTxInfo", { txID })) as { readonly [name: string]: Json }
  const { tx } = (await node.json("platform.getTx", { txID, encoding: "json" })) as { readonly tx: Json }
  return { ...info, tx }
}

function factsOf({ txID, kind, status, height, blockID, timestamp, fee, staker }: AnswerOf<"platform.getTxInfo">): string {
  return factLines({
    ID: txID,
    Kind: kind,
    Status: status,
    Block: `${groupThousands(height)}  ${blockID}`,
    Time: timestamp,
    Fee: avaxText(fee),
    Node: staker?.nodeID,
  })
}
