import { describe, expect, test } from "vitest"
import { type Block, decodeBlock, txsOf } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { Mempool } from "../../src/core/chain/mempool.js"
import { TxStatus, tables } from "../../src/core/state/tables.js"
import { consumedUtxoIDs } from "../../src/core/txs/amounts.js"
import { fromHexText } from "../../src/core/types/hexText.js"
import { type ID, parseID } from "../../src/core/types/id.js"
import { atomicEdits } from "../../src/sync/atomicFile.js"
import { admitNow } from "../fixtures/admitNow.js"
import { acceptAll, openGolden, timeOf } from "../fixtures/goldenChain.js"
import { readRecording } from "../recordings/recordings.js"
import { changedRefusals } from "./changedRefusals.js"
import { admissionOf, answerOf, contextOf, readTx, reasonOf } from "./issued.js"

interface RecordedRefusal {
  readonly name: string
  readonly kind: string
  readonly tx: string
  readonly error: string
  readonly answer: { readonly error?: { readonly message: string } }
  readonly height?: number
}

/** A request with a transaction, and the whole answer. */
interface Exchange {
  readonly name: string
  readonly method?: string
  readonly tx?: string
  readonly txID: string
  readonly answer: { readonly result?: Status; readonly error?: { readonly message: string } }
}

interface Status {
  readonly status?: string
  readonly reason?: string
}

interface RefusalFile {
  readonly facts: { readonly waitingFromX: readonly string[]; readonly xChain: string; readonly cChain: string }
  readonly chain: { readonly blocks: readonly string[]; readonly later: readonly string[] }
  readonly time: number
  readonly refusals: readonly RecordedRefusal[]
  readonly accepted: readonly RecordedRefusal[]
  readonly refusedLater: readonly RecordedRefusal[]
  readonly mempool: readonly Exchange[]
}

/** Refusals whose text in v1.13.0 differs from that in v1.14.2, which Serac follows (golden/README.md). */
const differs: Readonly<Record<string, string>> = {
  "ConvertSubnetToL1Tx: balances overflow": "getting utxos failed to add validator balance: overflow",
  "IncreaseL1ValidatorBalanceTx: balance overflows": "adding fee: overflow",
  "RegisterL1ValidatorTx: Warp signer beyond the set": "unknown validator: NumIndices (7) >= NumFilteredValidators (4)",
  "CreateChainTx: transaction above 64 KiB": "none",
}

describe.each(["v1.13.0", "v1.14.2"])("%s", (version) => {
  const file = readRecording<RefusalFile>(`golden/refusals-${version}.json`)
  const now = BigInt(file.time)
  const chainAtTip = chainsAtTip(version, file)
  const chain = chainAtTip()

  test.each(file.refusals)("refused $kind: $name", ({ kind, name, tx, error, answer }) => {
    const other = version === "v1.13.0" ? differs[`${kind}: ${name}`] : undefined
    const changed = changedRefusals[`${kind}: ${name}`]
    const verdict = admissionOf(tx, contextOf(chain, now))
    expect(blanked(reasonOf(verdict))).toBe(blanked(other ?? changed?.error ?? error))
    if (other === undefined) expect(blanked(answerOf(verdict))).toBe(blanked(changed?.answer ?? answer.error!.message))
  })

  test("accepted slightly changed transactions before their blocks, and refused their repetition afterwards", () => {
    const chain = chainAtTip()
    // Warp messages were signed by the sets of the tip, and named it.
    const tip = chain.lastAccepted.height
    const byHeight = new Map(file.accepted.map((each) => [each.height, each]))
    for (const block of file.chain.later.map((text) => decodeBlock(fromHexText(text)))) {
      const issued = byHeight.get(Number(block.height))
      if (issued) {
        const verdict = admissionOf(issued.tx, contextOf(chain, timeOf(block)!, tip))
        expect([issued.kind, issued.name, reasonOf(verdict)]).toEqual([issued.kind, issued.name, "none"])
      }
      acceptAll(chain, [block])
      byHeight.delete(Number(block.height))
    }
    expect([...byHeight.values()].map(({ name }) => name)).toEqual(version === "v1.14.2" ? ["transaction above 64 KiB"] : [])
    for (const { kind, name, tx, error } of file.refusedLater) {
      const verdict = admissionOf(tx, contextOf(chain, BigInt(file.time) + 120n, tip))
      expect([kind, name, reasonOf(verdict)]).toEqual([kind, name, error])
    }
  })

  // The mempool of v1.13.0 differs and has other messages; ours follows v1.14.2.
  if (version === "v1.14.2")
    test("answered for waiting and dropped transactions", async () => {
      const node = new SmallNode(chainAtTip(), file)
      // The first refusal, and then more than the mempool remembers.
      for (const { tx } of [...file.refusals.slice(0, 1), ...file.refusals.slice(-80)]) await node.issue(tx)
      for (const { name, tx, txID, answer } of file.mempool) {
        if (tx !== undefined) {
          expect([name, await node.issue(tx)]).toEqual([name, answer.error?.message])
          continue
        }
        const { status, reason } = answer.result!
        if (status === "Committed") node.acceptUntil(parseID(txID))
        expect([name, node.status(parseID(txID))]).toEqual([name, reason ? { status, reason } : { status }])
      }
    })
})

/** A chain, its mempool and its clock: the parts of a node that issue a transaction and return its status. */
class SmallNode {
  readonly #chain: Chain
  readonly #pool = new Mempool()
  readonly #later: Block[]
  #now: bigint

  constructor(chain: Chain, { chain: { later }, time }: RefusalFile) {
    this.#chain = chain
    this.#later = later.map((text) => decodeBlock(fromHexText(text)))
    this.#now = BigInt(time)
  }

  /** The error of issueTx for a refusal. */
  async issue(text: string): Promise<string | undefined> {
    const read = readTx(text)
    const verdict = "refused" in read ? read.refused : await admitNow(this.#pool, read.tx, contextOf(this.#chain, this.#now))
    return verdict.ok ? undefined : answerOf(verdict)
  }

  status(txID: ID): Status {
    if (this.#chain.state.get(tables.txs, txID)?.status === TxStatus.committed) return { status: "Committed" }
    if (this.#pool.has(txID)) return { status: "Processing" }
    const drop = this.#pool.dropOf(txID)
    return drop ? { status: "Dropped", reason: drop.reason } : { status: "Unknown" }
  }

  acceptUntil(txID: ID): void {
    while (!this.#chain.state.get(tables.txs, txID)) {
      const block = this.#later.shift()!
      acceptAll(this.#chain, [block])
      this.#now = timeOf(block)!
      for (const { id, unsignedTx } of txsOf(block)) {
        this.#pool.remove(id)
        this.#pool.removeConflicts(consumedUtxoIDs(unsignedTx))
      }
    }
  }
}

/** Makes chains at the tip on which transactions were tried, with the UTXOs that waited in shared memory. None of them writes to the store. */
function chainsAtTip(version: string, { chain: { blocks }, facts }: RefusalFile): () => Chain {
  const golden = openGolden({ blocks, networkID: 12345, flags: { "min-stake-duration": "30s" }, folder: `local-${version}` })
  // Only the signatures of the transactions that are tried matter.
  const chain = new Chain({ rules: golden.rules, state: golden.store, trustSignatures: true })
  acceptAll(chain, golden.blocks.slice(1))
  chain.flush()
  const peers = { xChainID: parseID(facts.xChain), cChainID: parseID(facts.cChain) }
  golden.store.commit(atomicEdits(facts.waitingFromX.join("\n"), peers, golden.store.latest))
  return () => new Chain({ rules: golden.rules, state: golden.store, checksImports: true })
}

/** Removes the time at which a transaction was tried from a text. */
const blanked = (text: string) => text.replace(/(it is currently |because time is )\d+/, "$1…")
