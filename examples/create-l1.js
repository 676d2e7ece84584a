// Creates a subnet and its chain, converts the subnet to an L1, registers a validator, changes its weight and removes it.
//
//   node examples/create-l1.js
//
// After the conversion the manager of the L1, a contract on its own chain, decides about its validators. It sends Warp messages to the
// P-Chain, which the L1's validators sign. Serac does not run that chain, so this program writes the messages, and Serac signs them.
import { L1Validator, PChainOwner, pvm, pvmSerial } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import {
  encode,
  encodePayload,
  encodePChainMessage,
  fromHexText,
  idText,
  parseID,
  parseNodeID,
  parsePChainAddress,
  registrationIDOf,
  toHexText,
  unsignedMessage,
} from "serac/codec"
import { AVAX, bytesOf, openWallet } from "./wallet.js"

const devnet = await startDevnet()
const [ewoq] = devnet.keys
const wallet = await openWallet(devnet.url, ewoq.privateKey)
const { context, platform } = wallet

// 1. Create a subnet, and a chain on it. The P-Chain only stores the VM's ID and the genesis of the chain; Serac does not run the VM.
const subnetId = await wallet.issue((common) => pvm.newCreateSubnetTx({ ...common, subnetOwners: [wallet.bytes] }, context))
const vmId = "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy" // Subnet-EVM
const chain = { chainName: "My L1", fxIds: [], genesisData: {}, vmId, subnetId, subnetAuth: [0] }
const chainId = await wallet.issue((common) => pvm.newCreateChainTx({ ...common, ...chain }, context))

// 2. Convert the subnet. The conversion names the manager and the first validators, each with a BLS key and a balance for its fees.
const manager = bytesOf("0x00000000000000000000000000000000000000aa")
const owner = PChainOwner.fromNative([wallet.bytes], 1)
const first = await devnet.dev.newIdentity()
const possession = new pvmSerial.ProofOfPossession(bytesOf(first.publicKey), bytesOf(first.proofOfPossession))
const validators = [L1Validator.fromNative(first.nodeID, 100n, 1n * AVAX, possession, owner, owner)]
await wallet.issue((common) =>
  pvm.newConvertSubnetToL1Tx({ ...common, subnetId, chainId, address: manager, subnetAuth: [0], validators }, context),
)
console.log(`${subnetId} is an L1 now`)

/** Signs a message of the manager with the keys of the L1's validators, which `dev.newIdentity` made and Serac has. */
async function signed(message) {
  const payload = encodePayload({ kind: "AddressedCall", sourceAddress: manager, payload: encodePChainMessage(message) })
  const unsigned = encode(unsignedMessage, { networkID: context.networkID, sourceChainID: parseID(chainId), payload })
  const { signedMessage } = await devnet.dev.signWarpMessage({ unsignedMessage: toHexText(unsigned, "hexnc") })
  return fromHexText(signedMessage, "hexnc")
}

// 3. Register a second validator. The registration must expire within a day, by the chain's clock.
const second = await devnet.dev.newIdentity()
const us = { threshold: 1, addresses: [parsePChainAddress(wallet.address, context.hrp)] }
const registration = {
  kind: /** @type {const} */ ("RegisterL1Validator"),
  subnetID: parseID(subnetId),
  nodeID: Buffer.from(parseNodeID(second.nodeID), "hex"),
  blsPublicKey: bytesOf(second.publicKey),
  expiry: devnet.now() + 3_600n,
  remainingBalanceOwner: us,
  disableOwner: us,
  weight: 10n,
}
const message = await signed(registration)
const blsSignature = bytesOf(second.proofOfPossession)
await wallet.issue((common) => pvm.newRegisterL1ValidatorTx({ ...common, balance: 1n * AVAX, blsSignature, message }, context))
const validationID = registrationIDOf(registration)
console.log(`${second.nodeID} has weight ${(await platform.getL1Validator(idText(validationID))).weight}`)

// 4. Double the weight of the validator, and then set it to 0, which removes the validator and returns its balance.
for (const [nonce, weight] of [
  [0n, 20n],
  [1n, 0n],
]) {
  const message = await signed({ kind: "L1ValidatorWeight", validationID, nonce, weight })
  await wallet.issue((common) => pvm.newSetL1ValidatorWeightTx({ ...common, message }, context))
  const left = (await platform.getCurrentValidators({ subnetID: subnetId })).validators
  console.log(`weights of the L1: ${left.map((validator) => validator.weight).join(", ")}`)
}

await devnet.stop()
