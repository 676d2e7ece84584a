import type { MessageInitShape } from "@bufbuild/protobuf"
import type { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt"
import { hexToBytes } from "../core/lib/bytes.js"
import { floorSeconds, SECOND } from "../core/lib/go/goDuration.js"
import { exactTimeOf, type UpgradeName, type Upgrades } from "../core/networks/upgrades.js"
import type { ID, NodeID } from "../core/types/id.js"
import type { InitializeRequestSchema } from "./proto/vm_pb.js"

/** What a VM is told about its chain, its node and the network. */
export interface VMSetup {
  readonly networkID: number
  readonly subnetID: ID
  readonly chainID: ID
  readonly nodeID: NodeID
  /** The compressed BLS key of the node. */
  readonly publicKey: Uint8Array
  readonly xChainID: ID
  readonly cChainID: ID
  readonly avaxAssetID: ID
  readonly upgrades: Upgrades
  /** The genesis of the chain, as in the transaction that created it. */
  readonly genesis: Uint8Array
  /** The VM's own files for its upgrades and its settings; empty by default. */
  readonly upgradeBytes: Uint8Array
  readonly config: Uint8Array
  /** A directory of the VM. */
  readonly dataDir: string
}

/** Makes the request that starts a chain, with the addresses of the host's services. */
export function initializeRequest(
  setup: VMSetup,
  addresses: { readonly database: string; readonly services: string },
): MessageInitShape<typeof InitializeRequestSchema> {
  return {
    networkId: setup.networkID,
    subnetId: hexToBytes(setup.subnetID),
    chainId: hexToBytes(setup.chainID),
    nodeId: hexToBytes(setup.nodeID),
    publicKey: setup.publicKey,
    xChainId: hexToBytes(setup.xChainID),
    cChainId: hexToBytes(setup.cChainID),
    avaxAssetId: hexToBytes(setup.avaxAssetID),
    chainDataDir: setup.dataDir,
    genesisBytes: setup.genesis,
    upgradeBytes: setup.upgradeBytes,
    configBytes: setup.config,
    dbServerAddr: addresses.database,
    serverAddr: addresses.services,
    networkUpgrades: upgradesMessage(setup.upgrades),
  }
}

function upgradesMessage(upgrades: Upgrades) {
  const { apricotPhase4MinPChainHeight, cortinaXChainStopVertexID, graniteEpochDuration } = upgrades
  const time = (name: UpgradeName): MessageInitShape<typeof TimestampSchema> => {
    const nanoseconds = exactTimeOf(upgrades, name)
    const seconds = floorSeconds(nanoseconds)
    return { seconds, nanos: Number(nanoseconds - seconds * SECOND) }
  }
  const duration: MessageInitShape<typeof DurationSchema> = {
    seconds: graniteEpochDuration / 1_000_000_000n,
    nanos: Number(graniteEpochDuration % 1_000_000_000n),
  }
  return {
    apricotPhase1Time: time("apricotPhase1"),
    apricotPhase2Time: time("apricotPhase2"),
    apricotPhase3Time: time("apricotPhase3"),
    apricotPhase4Time: time("apricotPhase4"),
    apricotPhase4MinPChainHeight,
    apricotPhase5Time: time("apricotPhase5"),
    apricotPhasePre6Time: time("apricotPhasePre6"),
    apricotPhase6Time: time("apricotPhase6"),
    apricotPhasePost6Time: time("apricotPhasePost6"),
    banffTime: time("banff"),
    cortinaTime: time("cortina"),
    cortinaXChainStopVertexId: hexToBytes(cortinaXChainStopVertexID),
    durangoTime: time("durango"),
    etnaTime: time("etna"),
    fortunaTime: time("fortuna"),
    graniteTime: time("granite"),
    graniteEpochDuration: duration,
    heliconTime: time("helicon"),
  }
}
