import { ewoq } from "../core/genesis/testKeys.js"
import { parsePrivateKey } from "../core/types/privateKey.js"
import { keyOfSecret } from "../producer/keys/key.js"
import { CChainAccount, type CChainCall, isAcceptedByC } from "./cChainAccount.js"
import type { Call } from "./client.js"
import { clientError } from "./errors.js"
import { RemoteWallet } from "./remoteWallet.js"

/** AVAX that a key moves from one chain to the other. */
export interface TransferRequest {
  readonly from: "P" | "C"
  readonly to: "P" | "C"
  /** What is exported, nAVAX. The fee of the import is taken from it, and that of the export is paid on top. */
  readonly amount: bigint
  /** `PrivateKey-…`, or hex with `0x`; the well-known key `ewoq` of the local network by default. */
  readonly privateKey?: string | undefined
}

/** A transfer that is done. */
export interface Transfer {
  readonly exportTxID: string
  readonly importTxID: string
  /** What has arrived, nAVAX. */
  readonly received: bigint
}

/** The node of a transfer, and the clock of this machine. */
export interface TransferPorts {
  readonly call: Call
  readonly cChain: CChainCall
  /** Unix milliseconds. */
  now(): number
  pause(milliseconds: number): Promise<unknown>
}

/** Milliseconds between two questions for the status of a transaction, and the time after which nobody asks any more. */
const [ASK_EVERY, PATIENCE] = [20, 60_000]

/**
 * Exports AVAX on one chain and imports it on the other one, with one key: on C its account, on P its address. Throws `client.*` and
 * `producer.insufficient_funds`.
 */
export async function transfer(
  ports: TransferPorts,
  { from, amount, privateKey = ewoq.privateKey }: TransferRequest,
): Promise<Transfer> {
  const { call, cChain } = ports
  const wallet = await RemoteWallet.open(call, { privateKey, now: BigInt(Math.floor(ports.now() / 1000)) })
  const account = await CChainAccount.open(call, cChain, keyOfSecret(parsePrivateKey(privateKey)))
  // What is exported and cannot pay its import would wait for ever.
  const fee = await (from === "C" ? wallet.importFeeOf(account.chainID, amount) : account.importFeeOf(amount))
  if (fee >= amount) throw clientError("client.amount_too_small", { amount, fee })
  const onP = (txID: string) => accepted(ports, async () => (await call("platform.getTxStatus", { txID })).status, txID)
  const onC = (txID: string) =>
    accepted(ports, async () => ((await isAcceptedByC(cChain, txID)) ? "Committed" : "Processing"), txID)
  if (from === "C") {
    const { txID: exportTxID, utxo } = await account.export(amount)
    await onC(exportTxID)
    const { txID: importTxID, received } = await wallet.importFrom(account.chainID, utxo)
    await onP(importTxID)
    return { exportTxID, importTxID, received }
  }
  const { txID: exportTxID, utxo } = await wallet.exportTo(account.chainID, amount)
  await onP(exportTxID)
  const { txID: importTxID, received } = await account.import(utxo)
  await onC(importTxID)
  return { exportTxID, importTxID, received }
}

/** Waits until a transaction is accepted. Throws `client.transfer_waits` if it was dropped, or after a minute. */
async function accepted({ now, pause }: TransferPorts, status: () => Promise<string>, txID: string): Promise<void> {
  for (const end = now() + PATIENCE; ; await pause(ASK_EVERY)) {
    const found = await status()
    if (found === "Committed") return
    if (found === "Dropped" || now() >= end) throw clientError("client.transfer_waits", { txID, status: found })
  }
}
