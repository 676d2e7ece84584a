// The life of an L1: create a subnet and its chain, convert it, register a validator, change its weight, remove it.
//
//   node examples/create-l1.js
//
// After the conversion the L1 rules itself: its manager, a contract on its own chain, sends Warp messages to the P-Chain, signed
// by the L1's validators. There is no such chain here, so we write the messages ourselves and let Serac sign them.
import { L1Validator, PChainOwner, pvm, pvmSerial } from "@avalabs/avalanchejs"
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
  startDevnet,
  toHexText,
  unsignedMessage,
} from "serac"
import { AVAX, bytesOf, openWallet } from "./wallet.js"

const devnet = await startDevnet()
const [ewoq] = devnet.keys
const wallet = await openWallet(devnet.url, ewoq.privateKey)
const { context, platform } = wallet

// 1. A subnet, and a chain on it. The VM is never run: the P-Chain only keeps its name and genesis.
const subnetId = await wallet.issue((common) => pvm.newCreateSubnetTx({ ...common, subnetOwners: [wallet.bytes] }, context))
const vmId = "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy" // Subnet-EVM
const chain = { chainName: "My L1", fxIds: [], genesisData: {}, vmId, subnetId, subnetAuth: [0] }
const chainId = await wallet.issue((common) => pvm.newCreateChainTx({ ...common, ...chain }, context))

// 2. The conversion names the manager and the first validators. Each brings a BLS key, and a balance from which it pays.
const manager = bytesOf("0x00000000000000000000000000000000000000aa")
const owner = PChainOwner.fromNative([wallet.bytes], 1)
const first = await devnet.dev.newIdentity()
const possession = new pvmSerial.ProofOfPossession(bytesOf(first.publicKey), bytesOf(first.proofOfPossession))
const validators = [L1Validator.fromNative(first.nodeID, 100n, 1n * AVAX, possession, owner, owner)]
await wallet.issue((common) =>
  pvm.newConvertSubnetToL1Tx({ ...common, subnetId, chainId, address: manager, subnetAuth: [0], validators }, context),
)
console.log(`${subnetId} is an L1 now`)

/** A message of the manager, signed by the L1's validators whose keys Serac holds: those made by `dev.newIdentity`. */
async function signed(message) {
  const payload = encodePayload({ kind: "AddressedCall", sourceAddress: manager, payload: encodePChainMessage(message) })
  const unsigned = encode(unsignedMessage, { networkID: context.networkID, sourceChainID: parseID(chainId), payload })
  const { signedMessage } = await devnet.dev.signWarpMessage({ unsignedMessage: toHexText(unsigned, "hexnc") })
  return fromHexText(signedMessage, "hexnc")
}

// 3. A second validator. The expiry lies less than a day ahead, by the chain's clock.
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

// 4. Twice the weight; then none, which removes it and gives its balance back.
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
