import { parseID } from "../../core/types/id.js"
import { described, list, optional, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u32 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { hex, id, nodeID } from "../../services/kinds.js"
import { devMethod } from "./context.js"
import { l1ValidatorParams, ownerOf, secondsForGas } from "./l1Params.js"
import { checkCount, hexParam } from "./params.js"

const MAX_L1_VALIDATORS = 64

/** The ID of Subnet-EVM. */
const SUBNET_EVM = parseID("srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy")

export const createL1 = devMethod({
  name: "dev.createL1",
  summary:
    "Creates an L1 by three real transactions from the well-known key: a subnet, a blockchain on it, and the conversion. Its validators exist only as keys, which the node keeps for `dev.signWarpMessage`. No virtual machine runs: the P-Chain keeps the ID of the VM and the genesis.",
  params: object({
    validators: described(withDefault(u32, 1), `The number of validators, from 1 to ${MAX_L1_VALIDATORS}.`),
    ...l1ValidatorParams,
    chainName: described(withDefault(string, "L1"), "The name of the blockchain: letters, digits and spaces."),
    vmID: described(withDefault(id, SUBNET_EVM), "The ID of the virtual machine. The default is Subnet-EVM."),
    genesisData: described(withDefault(string, "0x"), "The genesis of the blockchain as hex with `0x`."),
    managerAddress: described(
      withDefault(string, `0x${"00".repeat(20)}`),
      "The address of the validator manager as hex with `0x`.",
    ),
    managerChainID: described(
      optional(id),
      "The ID of the blockchain with the validator manager. The default is the new blockchain.",
    ),
  }),
  result: object({
    subnetID: id,
    chainID: id,
    txIDs: described(list(id), "The IDs of the CreateSubnetTx, the CreateChainTx and the ConvertSubnetToL1Tx."),
    validators: list(object({ validationID: id, nodeID, publicKey: hex, secret: hex })),
    seconds: secondsForGas,
  }),
  cost: 20,
  examples: [
    {
      params: { validators: 1, chainName: "My L1" },
      result: {
        subnetID: "2RReTHVqw7iwYMVsnNpqTqw9nm2uvwS6S2DEuQHg4y6qKSnPVC",
        chainID: "282Z875nKi6udpvejm7gk52b2SiJVxnDCMNQMR9XYp999jk8Mb",
        txIDs: [
          "2RReTHVqw7iwYMVsnNpqTqw9nm2uvwS6S2DEuQHg4y6qKSnPVC",
          "282Z875nKi6udpvejm7gk52b2SiJVxnDCMNQMR9XYp999jk8Mb",
          "kJwUKWSqxxgRh2VhXN5RKjZTgdhZwhpZy2rUme7dAfGAxbcBT",
        ],
        validators: [
          {
            validationID: "ZDnGyUCetSSV5mn6Kkv1aJyidmg4cx21n6Y4zPLLQb1rq9R3R",
            nodeID: "NodeID-HpReov6DXjDJvf9auU4SwTQR4EEkCnR4W",
            publicKey: "0x82e7285ad78ae5f7b07838b218157040ee2bf3fa55398ea9d3a9c1cb9aea86b829ca25ce9cd5514d2e47278b70fc7477",
            secret: "0x246257a2f12f314b7171c4155313fc5f569983c740d218ca86814bc0dfc3ae25",
          },
        ],
        seconds: "0",
      },
    },
  ],

  async handler({ validators: count, genesisData, managerAddress, owner, ...wanted }, context) {
    checkCount("validators", count, 1, MAX_L1_VALIDATORS)
    const created = await context.dev.createL1({
      ...wanted,
      validators: count,
      owner: ownerOf(owner, context),
      genesisData: hexParam("genesisData", genesisData),
      managerAddress: hexParam("managerAddress", managerAddress),
    })
    const validators = created.validators.map(({ validationID, identity }) => ({ ...identity, validationID }))
    return { ...created, validators }
  },
})
