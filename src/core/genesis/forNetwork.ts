import type { Crypto } from "../crypto/crypto.js"
import { networkFor } from "../networks/index.js"
import { isProduction, isStandard, LOCAL_ID, networkNameOf } from "../networks/names.js"
import { type ID, idText } from "../types/id.js"
import { buildGenesis } from "./build.js"
import { type ConfigContext, checkConfig, type GenesisConfig, parseConfig } from "./config.js"
import { genesisError } from "./errors.js"
import { decodeGenesis, type Genesis } from "./genesis.js"
import { LOCAL_PERIOD, LOCAL_START_TIME, localConfig, localStartTime } from "./local.js"

export interface GenesisChoice extends ConfigContext {
  readonly crypto: Pick<Crypto, "bls" | "sha256Hex">
  readonly configText?: string | undefined
  /** The genesis bytes of Mainnet or Fuji, if the calling program has them. */
  readonly publishedBytes?: Uint8Array | undefined
  /** Start time of the built-in genesis (Unix seconds); AvalancheGo's by default. */
  readonly startTime?: bigint | undefined
}

/**
 * Returns the genesis of a network: built in for the local network and for others without a file, otherwise that of the file. Mainnet and
 * Fuji need their published file or its bytes.
 */
export function genesisFor(choice: GenesisChoice): Genesis {
  const { networkID, configText, publishedBytes, now, startTime } = choice
  const network = networkNameOf(networkID)
  if (configText === undefined) {
    if (isProduction(networkID)) {
      if (!publishedBytes) throw genesisError("genesis.file_needed", { network })
      return checkPublished(networkID, decodeGenesis(publishedBytes))
    }
    return buildGenesis(localConfig(networkID, startTime ?? localStartTime(now)))
  }
  if (startTime !== undefined) throw genesisError("genesis.start_time_with_file", { startTime })
  if (isProduction(networkID)) return publishedGenesis(networkID, parseConfig(configText, choice.crypto.bls))
  if (isStandard(networkID)) throw genesisError("genesis.file_not_allowed", { network })
  const config = parseConfig(configText, choice.crypto.bls)
  checkConfig(config, choice)
  return buildGenesis(config, choice.crypto.sha256Hex)
}

/** The published ID covers all of a file; the network is checked first only for a clearer message. */
function publishedGenesis(networkID: number, config: GenesisConfig): Genesis {
  if (config.networkID !== networkID) throw genesisError("genesis.wrong_network", { expected: networkID, got: config.networkID })
  return checkPublished(networkID, buildGenesis(config))
}

function checkPublished(networkID: number, genesis: Genesis): Genesis {
  const expected = networkFor(networkID).genesisID as ID
  if (genesis.id !== expected) {
    throw genesisError("genesis.not_published", {
      network: networkNameOf(networkID),
      expected: idText(expected),
      got: idText(genesis.id),
    })
  }
  return genesis
}

/** Number of periods of the local network's start time in a century. */
const PERIODS = (36_525n * 86_400n) / LOCAL_PERIOD

/** Returns the start time (Unix seconds) with which the built-in genesis has this genesis block, within a century. */
export function localStartTimeFor(genesisBlockID: ID, networkID: number = LOCAL_ID): bigint | undefined {
  for (let period = 0n; period <= PERIODS; period++) {
    const startTime = LOCAL_START_TIME + period * LOCAL_PERIOD
    if (buildGenesis(localConfig(networkID, startTime)).block.id === genesisBlockID) return startTime
  }
  return undefined
}
