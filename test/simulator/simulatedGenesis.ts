import { allWrapperTables } from "../../src/core/consensus/proposer/tables.js"
import { applyGenesis } from "../../src/core/genesis/apply.js"
import { buildGenesis } from "../../src/core/genesis/build.js"
import { configToJson } from "../../src/core/genesis/configJson.js"
import type { Genesis } from "../../src/core/genesis/genesis.js"
import { localConfig } from "../../src/core/genesis/local.js"
import { ewoq } from "../../src/core/genesis/testKeys.js"
import { printJson } from "../../src/core/lib/json.js"
import { paramsFor, upgradesFor } from "../../src/core/networks/index.js"
import type { Rules } from "../../src/core/rules/context.js"
import { Diff } from "../../src/core/state/diff.js"
import { allTables } from "../../src/core/state/tables.js"
import { emptyView } from "../../src/core/state/view.js"
import type { NodeID } from "../../src/core/types/id.js"
import { crypto } from "../../src/platform/backends.js"
import { MemoryStore } from "../../src/store/memory/memoryStore.js"

/** The network of simulated nodes; the peers of tests announce the same. */
export const SIMULATED_NETWORK_ID = 12345

/** A network whose validators are these nodes, with equal stake and without BLS keys: checking one takes too long here. */
export interface SimulatedGenesis {
  readonly genesis: Genesis
  readonly rules: Rules
  /** The genesis as a genesis file spells it. */
  readonly genesisText: string
  /** Makes a new store that has only genesis. */
  newStore(): MemoryStore
}

export function simulatedGenesis(validators: readonly NodeID[], networkID = SIMULATED_NETWORK_ID): SimulatedGenesis {
  const initialStakers = validators.map((nodeID) => ({ nodeID, rewardAddress: ewoq.address, delegationFee: 20_000 }))
  const config = { ...localConfig(networkID), initialStakers }
  const genesis = buildGenesis(config)
  const params = paramsFor(networkID)
  const upgrades = upgradesFor(networkID)
  const rules = { crypto, networkID, avaxAssetID: genesis.avaxAssetID, params, upgrades }
  const diff = new Diff(emptyView)
  applyGenesis(diff, genesis, rules)
  return {
    genesis,
    rules,
    genesisText: printJson(configToJson(config)),
    newStore() {
      const store = new MemoryStore({ tables: [...allTables, ...allWrapperTables] })
      store.commit(diff.edits)
      return store
    },
  }
}
