import { Chain } from "../core/chain/chain.js"
import { OuterChain } from "../core/consensus/proposer/outerChain.js"
import { type Log, silentLog } from "../core/lib/log.js"
import type { CopyHeader } from "../core/networks/chainIdentity.js"
import { project } from "../core/readmodel/fold.js"
import { READ_MODEL_VERSION } from "../core/readmodel/versions.js"
import { tables } from "../core/state/tables.js"
import type { Address } from "../core/types/address.js"
import type { CopiedOverrides } from "../datadir/copiedOverrides.js"
import { GenesisProofs } from "../datadir/genesis/genesisProofs.js"
import { bringUpHistory } from "../datadir/readModel.js"
import type { RequestedCopy } from "../datadir/requestedChain.js"
import { openCopy } from "../datadir/storedChain.js"
import { storedIdentity } from "../datadir/storedIdentity.js"
import { keepUpgrades } from "../datadir/upgradesOfChain.js"
import type { Store } from "../store/store.js"
import { atomicEdits } from "../sync/atomicFile.js"
import { syncError } from "../sync/errors.js"

export interface ReplayChoice extends RequestedCopy {
  /** UTXOs that wait to be imported, one per line. Imports are not checked if it is omitted. */
  readonly atomicText?: string | undefined
  readonly trustSignatures: boolean
  /** The header of the chain in the file, if an export wrote it. */
  readonly header?: CopyHeader | undefined
  /** The overrides of a private chain, which the file may have; none by default. */
  readonly overrides?: CopiedOverrides | undefined
  /** `on`, the default, if the rows for explorers follow the chain. */
  readonly history?: "on" | "off"
}

/** Opens the chain of a store, or a new one, to execute blocks. Throws `genesis.bad_proof`, and `sync.other_identity` for another chain. */
export async function chainToReplay(store: Store, choice: ReplayChoice, log: Log = silentLog): Promise<OuterChain> {
  const { atomicText, trustSignatures, header, overrides } = choice
  const { genesis, rules, isProven } = openCopy(store, choice)
  const { id } = storedIdentity(store) ?? {}
  if (header && id !== undefined && header.id !== id) throw syncError("sync.other_identity", { expected: id, got: header.id })
  if (!isProven) {
    const proofs = new GenesisProofs({ store, genesis, log })
    proofs.start()
    await proofs.verdict
  }
  keepUpgrades(store, rules.networkID)
  // The read model is updated with the chain if it is present in this version; otherwise the first node that opens the store rebuilds it.
  const isKeptUp = store.getMeta("readModel") === READ_MODEL_VERSION
  // A version that made the rows must not regard them as complete after blocks were added without them.
  if (!isKeptUp) store.putMeta({ readModel: undefined })
  const isNew = store.latest.get(tables.lastAccepted, null)?.height === 0n
  // UTXOs from other chains were recorded when the chain was new, and some may have been imported since.
  if (atomicText !== undefined && isNew) store.commit(atomicEdits(atomicText, genesis, store.latest))
  // Rows for explorers are derived from the others, and need them.
  if (isKeptUp || choice.history === "off") bringUpHistory(store, genesis, choice.history ?? "on", log)
  const projecting = isKeptUp ? { project } : {}
  const impersonating = overrides ? { isImpersonated: (owner: Address) => overrides.isImpersonated(owner) } : {}
  const checksImports = atomicText !== undefined
  return new OuterChain(new Chain({ rules, state: store, checksImports, trustSignatures, ...impersonating, ...projecting }))
}
