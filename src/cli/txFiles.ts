import { cChainCallTo, isAcceptedByC } from "../client/cChainAccount.js"
import type { Call } from "../client/client.js"
import { buildAtomicTxAt, buildTxAt, issueTxFile, utxosNotAt, wrapTxAt } from "../client/txFile/atNode.js"
import type { TxFile } from "../client/txFile/format.js"
import { reviewTxFile, type TxReview } from "../client/txFile/reviewTxFile.js"
import { delegationForm, exportForm, importForm, jsonForm, paymentForm, type TxForm } from "../client/txFile/txForms.js"
import { avaxText } from "../core/lib/avaxText.js"
import { printRfc3339 } from "../core/lib/go/rfc3339.js"
import { groupThousands } from "../core/lib/groupThousands.js"
import { printJson } from "../core/lib/json.js"
import { parseJson } from "../core/lib/parseJson.js"
import { wholeSeconds } from "../core/lib/wholeSeconds.js"
import { parseID } from "../core/types/id.js"
import { cliError } from "./errors.js"
import { readNamedFile } from "./files.js"
import type { CommandInput } from "./flags/flags.js"
import { decidedStatus, type decisionFlags } from "./flags/walletFlags.js"
import { readText } from "./input.js"
import { remoteNode } from "./remoteNode.js"
import type { Terminal } from "./terminal.js"
import { factLines, textTable } from "./textTable.js"
import { parseAmount, parseSeconds } from "./units.js"

/** What `serac tx build` makes, for its help. */
export const FORMS: readonly string[] = [
  "send ADDRESS AMOUNT",
  "delegate NODE-ID AMOUNT DURATION",
  "export P|C AMOUNT [ADDRESS]",
  "import P|C [ADDRESS]",
  "the JSON or @FILE of any kind without its inputs",
  "the hex of unsigned bytes",
]

interface BuildFlags {
  readonly url: string
  readonly from: readonly string[]
  readonly utxos: readonly string[] | undefined
  readonly change: string | undefined
}

/** Makes the file that the words ask for. */
export async function builtFile(words: readonly string[], flags: BuildFlags, terminal: Terminal): Promise<TxFile> {
  const { url, from, utxos, change } = flags
  if (from.length === 0) throw cliError("cli.missing_flag", { flag: "--from" })
  const { call } = remoteNode(url)
  const now = wholeSeconds(terminal.now())
  const [what = "", ...args] = words
  const [first = "", second = "", third] = args
  const atP = (form: TxForm, sourceChain?: string) => buildTxAt(call, { form, from, utxos, change, sourceChain, now })
  const need = (least: number, most: number, takes: string) => {
    if (args.length < least) throw cliError("cli.missing_argument", { command: `tx build ${what}`, takes })
    if (args.length > most) throw cliError("cli.extra_argument", { argument: args[most], takes })
  }
  if (what === "send") {
    need(2, 2, "ADDRESS AMOUNT")
    return atP(paymentForm(first, parseAmount(second)))
  }
  if (what === "delegate") {
    need(3, 3, "NODE-ID AMOUNT DURATION")
    return atP(delegationForm(first, parseAmount(second), parseSeconds(third ?? "")))
  }
  if (what === "export" || what === "import") {
    if (what === "export") need(2, 3, "P|C AMOUNT [ADDRESS]")
    else need(1, 2, "P|C [ADDRESS]")
    if (first !== "P" && first !== "C") throw cliError("cli.unknown_chain", { chain: first })
    if (what === "export" && first === "P") return atomicExport(call, flags, parseAmount(second), third)
    const cChainID = async () => parseID((await call("info.getBlockchainID", { alias: "C" })).blockchainID)
    if (what === "export") return atP(exportForm(await cChainID(), parseAmount(second), third))
    if (first === "P") return atP(importForm(await cChainID()), "C")
    need(2, 2, "C ADDRESS")
    return buildAtomicTxAt(call, cChainCallTo(url), { kind: "import", from, to: evmAddress(second), now })
  }
  if (!/^(\s*[{@]|0x)/.test(what)) {
    throw cliError("cli.unknown_action", { command: "tx build", action: what, known: FORMS.join(", ") })
  }
  need(0, 0, "JSON, @FILE or HEX")
  if (what.startsWith("0x")) return wrapTxAt(call, what, from)
  const text = what.startsWith("@") ? new TextDecoder().decode(readNamedFile(what.slice(1))) : what
  const json = parseJson(text)
  const source = (json as { readonly sourceChain?: unknown }).sourceChain
  return atP(jsonForm(json), typeof source === "string" ? source : undefined)
}

/** Exports from the account of the C-Chain that `--from` names. */
function atomicExport(call: Call, { url, from }: BuildFlags, amount: bigint, to: string | undefined): Promise<TxFile> {
  const [account = "", other] = from
  if (other !== undefined) throw cliError("cli.extra_argument", { argument: other, takes: "one account as --from" })
  if (to === undefined) throw cliError("cli.missing_argument", { command: "tx build export P", takes: "P AMOUNT ADDRESS" })
  return buildAtomicTxAt(call, cChainCallTo(url), { kind: "export", from: evmAddress(account), to, amount })
}

function evmAddress(text: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw cliError("cli.bad_evm_address", { address: text })
  return text
}

/** Reads a transaction file. */
export async function readTxFile(name: string, terminal: Terminal): Promise<TxFile> {
  // Its form is checked where it is opened.
  return parseJson(await readText(name, terminal)) as unknown as TxFile
}

/** Prints a transaction file, and what it asks for to people. */
export async function printFile(file: TxFile, terminal: Terminal): Promise<void> {
  terminal.note(reviewText(reviewTxFile(file, { now: wholeSeconds(terminal.now()) })))
  await terminal.print(`${JSON.stringify(file, undefined, 2)}\n`)
}

interface InspectFlags {
  readonly known: readonly string[] | undefined
  /** The node that is asked for the UTXOs; none if it is `undefined`. */
  readonly url: string | undefined
  readonly json: boolean
}

/** Prints what a transaction file asks for. */
export async function inspectFile(file: TxFile, { known, url, json }: InspectFlags, terminal: Terminal): Promise<void> {
  const review = reviewTxFile(file, { now: wholeSeconds(terminal.now()), known })
  const missing = url === undefined ? undefined : await utxosNotAt(remoteNode(url).call, cChainCallTo(url), file)
  if (json) return terminal.print(`${printJson({ ...review, ...(missing && { unknownUtxos: missing }) })}\n`)
  await terminal.print(reviewText(review))
  if (missing === undefined) return
  const answer =
    missing.length === 0
      ? "The node has all of these UTXOs, with these owners."
      : `The node has no such UTXO: ${missing.join(", ")}`
  await terminal.print(`\n${answer}\n`)
}

type SendFlags = CommandInput<typeof decisionFlags>["flags"] & { readonly url: string; readonly json: boolean }

/** Issues a transaction file, and waits until it is decided. */
export async function sendFile(file: TxFile, flags: SendFlags, terminal: Terminal): Promise<void> {
  const { call } = remoteNode(flags.url)
  const cChain = cChainCallTo(flags.url)
  const { chain, txID } = await issueTxFile(call, cChain, file)
  const statusOf = async () => {
    if (chain === "P") return await call("platform.getTxStatus", { txID })
    return { status: (await isAcceptedByC(cChain, txID)) ? ("Committed" as const) : ("Processing" as const) }
  }
  const status = await decidedStatus({ txID, ...(await statusOf()) }, flags, statusOf, terminal)
  await terminal.print(flags.json ? `${printJson({ txID, status })}\n` : factLines({ Transaction: txID, Status: status }))
}

/** The review of a transaction for people. */
function reviewText({ network, networkID, chain, kind, what, hash, txID, fee, ...review }: TxReview): string {
  const { inputs, outputs, signers, rights, unusual } = review
  const signed = signers.filter(({ isSigned }) => isSigned).length
  const amountText = ({ amount, assetID }: { readonly amount: bigint; readonly assetID?: string }) =>
    assetID === undefined ? avaxText(amount) : `${groupThousands(amount)} of ${assetID}`
  const parts = [
    factLines({
      Network: `${network} (${networkID}), chain ${chain}`,
      Transaction: what === "" ? kind : `${kind}: ${what}`,
      ID: txID,
      Hash: `${hash}, which is signed for all inputs at once`,
      Fee: avaxText(fee),
      Signed: `by ${signed} of ${signers.length} keys`,
    }),
    textTable<TxReview["inputs"][number]>(
      [
        { title: "TAKES", isNumber: true, cell: amountText },
        { title: "FROM", cell: ({ from }) => from },
        { title: "SIGNERS", cell: ({ signers: named }) => named.join(", ") },
      ],
      inputs,
    ),
    textTable<TxReview["outputs"][number]>(
      [
        { title: "GIVES", isNumber: true, cell: amountText },
        { title: "AS", cell: ({ part, isChange }) => (isChange && part === "output" ? "change" : part) },
        { title: "OWNERS", cell: ownersText },
        { title: "LOCKED UNTIL", cell: ({ lockedUntil }) => (lockedUntil === undefined ? "" : printRfc3339(lockedUntil)) },
      ],
      outputs,
    ),
    textTable<TxReview["rights"][number]>(
      [
        { title: "RIGHT", cell: ({ right }) => right },
        { title: "OWNERS", cell: ownersText },
      ],
      rights,
    ),
    textTable<TxReview["signers"][number]>(
      [
        { title: "KEY", cell: ({ signer }) => signer },
        { title: "TAKES", isNumber: true, cell: ({ takes }) => avaxText(takes) },
        { title: "GETS", isNumber: true, cell: ({ gets }) => avaxText(gets) },
        { title: "SIGNED", cell: ({ isSigned }) => (isSigned ? "yes" : "no") },
      ],
      signers,
    ),
    unusual.map(({ sentence }) => `Unusual: ${sentence}.\n`).join(""),
  ]
  return parts.filter((part) => part !== "").join("\n")
}

const ownersText = ({ addresses, threshold }: { readonly addresses: readonly string[]; readonly threshold: number }) =>
  `${addresses.join(", ")}${threshold > 1 ? ` (${threshold} of ${addresses.length})` : ""}`
