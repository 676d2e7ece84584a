// Creates a subnet whose owner names its validators, adds one, removes it, and gives the subnet to two other owners.
//
//   node examples/permissioned-subnet.js
import { pvm, utils } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import { openWallet } from "./wallet.js"

const DAY = 24n * 60n * 60n

const devnet = await startDevnet({ accounts: 3 })
const [owner, ...others] = await Promise.all(devnet.accounts.map(({ privateKey }) => openWallet(devnet.url, privateKey)))
const { context, platform } = owner

const subnetId = await owner.issue((common) => pvm.newCreateSubnetTx({ ...common, subnetOwners: [owner.bytes] }, context))

// A validator of a subnet validates the primary network, too. `subnetAuth` has the positions of the owners that sign.
const [nodeId] = (await devnet.dev.addValidators({ count: 1 })).nodeIDs
const end = devnet.now() + 10n * DAY
await owner.issue((common) =>
  pvm.newAddSubnetValidatorTx({ ...common, nodeId, subnetId, subnetAuth: [0], start: 0n, end, weight: 42n }, context),
)
const weights = async () => {
  const { validators } = await platform.getCurrentValidators({ subnetID: subnetId })
  return validators.map(({ weight }) => weight)
}
console.log("weights of the validators:", await weights())

await owner.issue((common) => pvm.newRemoveSubnetValidatorTx({ ...common, nodeId, subnetId, subnetAuth: [0] }, context))
console.log("weights of the validators:", await weights())

// From here on both others must sign.
const subnetOwners = others.map(({ bytes }) => bytes).sort(utils.bytesCompare)
await owner.issue((common) =>
  pvm.newTransferSubnetOwnershipTx({ ...common, subnetId, subnetAuth: [0], subnetOwners, threshold: 2 }, context),
)
const { controlKeys, threshold } = await platform.getSubnet({ subnetID: subnetId })
console.log(`${threshold} of ${controlKeys.length} owners must sign now`)

await devnet.stop()
