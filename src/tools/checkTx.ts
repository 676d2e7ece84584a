import { verifyForAdmission } from "../core/chain/admission.js"
import { Chain } from "../core/chain/chain.js"
import { Mempool } from "../core/chain/mempool.js"
import { Invalid, valueOrInvalid } from "../core/lib/invalid.js"
import type { Json } from "../core/lib/json.js"
import type { GenesisChains } from "../core/networks/aliases.js"
import { Diff } from "../core/state/diff.js"
import type { View } from "../core/state/view.js"
import { decodeTx } from "../core/txs/tx.js"
import { fromHexText } from "../core/types/hexText.js"
import { idText } from "../core/types/id.js"
import { storedChain } from "../datadir/storedChain.js"
import type { Store } from "../store/store.js"
import { atomicEdits } from "../sync/atomicFile.js"

export interface CheckOptions {
  /** The clock, Unix seconds. */
  readonly now: bigint
  /** The P-Chain height at which Warp messages are verified; the last accepted height by default. */
  readonly pChainHeight?: bigint | undefined
  /** UTXOs that can be imported, one per line, besides those in the store. */
  readonly atomicText?: string | undefined
}

/** Makes a function that checks whether `platform.issueTx` would accept a transaction, given as hex, with an empty mempool. It writes nothing. */
export function txChecker(store: Store, snapshot: View, { now, pChainHeight, atomicText }: CheckOptions): (text: string) => Json {
  const { rules, genesis } = storedChain(store)
  const state = atomicText === undefined ? snapshot : withAtomic(snapshot, atomicText, genesis)
  const chain = new Chain({ rules, state: { latest: state, commit: () => {} }, checksImports: true })
  const height = pChainHeight ?? chain.lastAccepted.height
  return (text) => checkTx(text, chain, now, height)
}

function withAtomic(view: View, text: string, peers: GenesisChains): View {
  const diff = new Diff(view)
  for (const [table, rows] of atomicEdits(text, peers, view)) {
    for (const [key, { value }] of rows) diff.put(table, table.key.fromText(key), value)
  }
  return diff
}

function checkTx(text: string, chain: Chain, now: bigint, pChainHeight: bigint): Json {
  const checked = valueOrInvalid(() => {
    const tx = decodeTx(fromHexText(text))
    const verdict = verifyForAdmission(tx, { blockContext: chain.blockContextAt(now), preferred: chain.state, pChainHeight })
    if (!verdict.ok) throw verdict.error
    new Mempool().add(tx, verdict)
    return { txID: idText(tx.id), fee: verdict.fee.toString(), complexity: { ...verdict.complexity } }
  })
  if (!(checked instanceof Invalid)) return { ok: true, ...checked }
  const { code, message, avalanchegoMessage: reference } = checked
  return { ok: false, error: { code, message, reference } }
}
