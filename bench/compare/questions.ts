import type { Genesis } from "../../src/core/genesis/genesis.js"
import { hrpOf } from "../../src/core/networks/names.js"
import { addressText } from "../../src/core/types/address.js"
import { idText, nodeIDText } from "../../src/core/types/id.js"
import { genesisOwner } from "../fixtures/bigGenesis.js"

/** One kind of call that both nodes answer. */
export interface Question {
  /** The method, and the subject of the call. */
  readonly name: string
  readonly path: string
  /** The bodies of the requests, which are sent one after the other. */
  readonly bodies: readonly string[]
}

/** The number of different addresses, validators and transactions in the requests. */
const MANY = 100

/** Every read method, called on a chain at its genesis. */
export function questionsAbout(genesis: Genesis, owners: number): readonly Question[] {
  const hrp = hrpOf(genesis.networkID)
  const some = <T>(items: readonly T[]) => items.slice(0, MANY)
  const addresses = Array.from({ length: Math.min(MANY, owners) }, (_, i) => addressText(genesisOwner(i), hrp))
  const byOwner = (more: object = {}) => addresses.map((each) => ({ addresses: [each], ...more }))
  const txIDs = some(genesis.body().validators).map(({ id }) => idText(id))
  const nodeIDs = some(genesis.body().validators).map(({ unsignedTx }) => nodeIDText(unsignedTx.validator.nodeID))
  const [xChain, blockID] = [idText(genesis.xChainID), idText(genesis.block.id)]
  return [
    info("getNetworkID"),
    info("getNetworkName"),
    info("getNodeVersion"),
    info("getNodeID"),
    info("getNodeIP"),
    info("getTxFee"),
    info("getVMs"),
    info("upgrades"),
    info("peers"),
    info("uptime"),
    info("getBlockchainID", [{ alias: "X" }]),
    info("isBootstrapped", [{ chain: "P" }]),
    platform("getHeight"),
    platform("getProposedHeight"),
    platform("getTimestamp"),
    platform("getFeeState"),
    platform("getFeeConfig"),
    platform("getValidatorFeeState"),
    platform("getValidatorFeeConfig"),
    platform("getCurrentSupply"),
    platform("getMinStake"),
    platform("getStakingAssetID"),
    platform("getTotalStake"),
    platform("getSubnets"),
    platform("getBlockchains"),
    platform("getBlockchainStatus", [{ blockchainID: xChain }]),
    platform("validatedBy", [{ blockchainID: xChain }]),
    platform("validates", [{ subnetID: "11111111111111111111111111111111LpoYY" }]),
    platform("getBlockByHeight", [{ height: "0", encoding: "hex" }], "hex"),
    platform("getBlock", [{ blockID, encoding: "hex" }], "hex"),
    platform(
      "getTx",
      txIDs.map((txID) => ({ txID, encoding: "hex" })),
      "hex",
    ),
    platform(
      "getTx",
      txIDs.map((txID) => ({ txID, encoding: "json" })),
      "json",
    ),
    platform(
      "getTxStatus",
      txIDs.map((txID) => ({ txID })),
    ),
    platform(
      "getRewardUTXOs",
      txIDs.map((txID) => ({ txID, encoding: "hex" })),
    ),
    platform("getBalance", byOwner()),
    platform("getUTXOs", byOwner({ limit: 100, encoding: "hex" }), "100"),
    platform("getUTXOs", byOwner({ limit: 10, encoding: "hex" }), "limit 10"),
    platform("getStake", byOwner()),
    platform("getCurrentValidators", [{}], "all"),
    platform(
      "getCurrentValidators",
      nodeIDs.map((nodeID) => ({ nodeIDs: [nodeID] })),
      "one",
    ),
    platform("getValidatorsAt", [{ height: "0" }]),
    platform("sampleValidators", [{ size: "20" }], "20"),
  ]
}

const info = (method: string, params: readonly object[] = [{}]) => question("info", "/ext/info", method, params)
const platform = (method: string, params: readonly object[] = [{}], note?: string) =>
  question("platform", "/ext/bc/P", method, params, note)

function question(service: string, path: string, method: string, params: readonly object[], note?: string): Question {
  const bodies = params.map((each) => JSON.stringify({ jsonrpc: "2.0", id: 1, method: `${service}.${method}`, params: each }))
  return { name: `${service}.${method}${note === undefined ? "" : ` (${note})`}`, path, bodies }
}
