import { sha256Hex } from "../crypto/hash.js"
import { hexToBytes, utf8 } from "../lib/bytes.js"
import { signedTxOf } from "../txs/tx.js"
import { SECP256K1_FX_ID } from "../types/fx.js"
import { EMPTY_ID, type ID, idOfName, P_CHAIN_ID, PRIMARY_NETWORK_ID } from "../types/id.js"
import { type GenesisConfig, initialSupplyOf } from "./config.js"
import { AVM_ID, EVM_ID, type Genesis, type GenesisChain, type GenesisUtxo, genesisOf } from "./genesis.js"
import { genesisOutput } from "./output.js"
import { validatorTxsOf } from "./validators.js"
import { avaxAssetIDOf, xGenesisBytes } from "./xChain.js"

/** The order, which the rules of other transactions would not allow, is part of the bytes. */
const X_CHAIN_FXS = [SECP256K1_FX_ID, idOfName("nftfx"), idOfName("propertyfx")]

/** Builds a network's genesis. Throws `genesis.*` if its validators cannot be made; `checkConfig` finds more. */
export function buildGenesis(config: GenesisConfig, hash = sha256Hex): Genesis {
  const { networkID } = config
  const initialSupply = initialSupplyOf(config)
  const xGenesis = xGenesisBytes(networkID, config.allocations)
  const avaxAssetID = avaxAssetIDOf(xGenesis)
  const body = {
    utxos: utxosOf(config, avaxAssetID),
    validators: validatorTxsOf(config, avaxAssetID),
    chains: [
      chainTx(networkID, "X-Chain", AVM_ID, X_CHAIN_FXS, xGenesis),
      chainTx(networkID, "C-Chain", EVM_ID, [], utf8(config.cChainGenesis)),
    ],
    timestamp: config.startTime,
    initialSupply,
    message: config.message,
  }
  return genesisOf(body, hash)
}

/** Returns the unlock schedules of all funds that are not staked, in the order of the file, numbered throughout. */
function utxosOf({ allocations, initialStakedFunds, startTime }: GenesisConfig, assetID: ID): readonly GenesisUtxo[] {
  const staked = new Set(initialStakedFunds)
  const utxos: GenesisUtxo[] = []
  for (const { avaxAddr: address, ethAddr, unlockSchedule } of allocations) {
    if (staked.has(address)) continue
    const message = hexToBytes(ethAddr)
    for (const { amount, locktime } of unlockSchedule) {
      if (amount === 0n) continue
      const output = genesisOutput({ address, amount, locktime }, startTime)
      utxos.push({ txID: EMPTY_ID, outputIndex: utxos.length, assetID, output, message })
    }
  }
  return utxos
}

function chainTx(networkID: number, chainName: string, vmID: ID, fxIDs: readonly ID[], genesisData: Uint8Array): GenesisChain {
  const tx = signedTxOf(
    {
      kind: "CreateChainTx",
      networkID,
      blockchainID: P_CHAIN_ID,
      outputs: [],
      inputs: [],
      memo: new Uint8Array(0),
      subnetID: PRIMARY_NETWORK_ID,
      chainName,
      vmID,
      fxIDs,
      genesisData,
      subnetAuthorization: { kind: "Input", signatureIndices: [] },
    },
    [],
  )
  return tx as GenesisChain
}
