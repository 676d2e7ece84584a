import { acps } from "./acps.js"
import { getBlockchainID } from "./getBlockchainID.js"
import { getNetworkID } from "./getNetworkID.js"
import { getNetworkName } from "./getNetworkName.js"
import { getNodeID } from "./getNodeID.js"
import { getNodeIP } from "./getNodeIP.js"
import { getNodeVersion } from "./getNodeVersion.js"
import { getServices } from "./getServices.js"
import { getTxFee } from "./getTxFee.js"
import { getVMs } from "./getVMs.js"
import { isBootstrapped } from "./isBootstrapped.js"
import { peers } from "./peers.js"
import { upgrades } from "./upgrades.js"
import { uptime } from "./uptime.js"

/** The methods of `/ext/info`. */
export const infoMethods = [
  acps,
  getBlockchainID,
  getNetworkID,
  getNetworkName,
  getNodeID,
  getNodeIP,
  getNodeVersion,
  getServices,
  getTxFee,
  getVMs,
  isBootstrapped,
  peers,
  upgrades,
  uptime,
] as const
