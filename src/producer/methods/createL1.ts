import { type ID, SUBNET_EVM } from "../../core/types/id.js"
import { described, list, optional, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { hex, id, nodeID } from "../../services/kinds.js"
import type { PreparedVM, VMRequest } from "../chainHosting.js"
import { hostedL1 } from "../chainHosting.js"
import { buildL1, type L1Request, type NewL1 } from "../dev/buildL1.js"
import { type DevContext, devMethod } from "./context.js"
import { devError } from "./errors.js"
import { requireHosting } from "./hostedL1.js"
import { l1ValidatorParams, ownerOf, secondsForGas } from "./l1Params.js"
import { checkCount, hexParam } from "./params.js"
import { vmFile } from "./vmFile.js"

const MAX_L1_VALIDATORS = 64

export const createL1 = devMethod({
  name: "dev.createL1",
  summary:
    "Creates an L1 by three real transactions from the well-known key: a subnet, a blockchain on it, and the conversion. Its validators exist only as keys, which the node keeps for `dev.signWarpMessage`. With `vm` the node also runs the virtual machine, from a plugin in `--plugin-dir`, and is the first validator itself. Without it no virtual machine runs: the P-Chain keeps the ID of the VM and the genesis.",
  params: object({
    validators: described(withDefault(u32, 1), `The number of validators, from 1 to ${MAX_L1_VALIDATORS}.`),
    ...l1ValidatorParams,
    chainName: described(
      optional(string),
      "The name of the blockchain on the P-Chain: letters, digits and spaces. The default is `name`, or L1.",
    ),
    vmID: described(optional(id), "The ID of the virtual machine, if it does not run here. The default is Subnet-EVM."),
    genesisData: described(
      optional(string),
      "The genesis of the blockchain as hex with `0x`, if its virtual machine does not run here. The default is empty.",
    ),
    vm: described(optional(string), "The virtual machine to run: subnet-evm, xsvm, or the ID of a plugin."),
    name: described(
      optional(string),
      "The name of the chain in paths, such as /ext/bc/mine/rpc: letters and digits. The default is chain1, chain2 and so on.",
    ),
    genesis: described(
      optional(vmFile),
      "The genesis of the virtual machine. The default for subnet-evm has funded keys, Warp messages, and blocks as fast as transactions come.",
    ),
    config: described(
      optional(vmFile),
      "The configuration of the virtual machine, as in AvalancheGo's file `config.json` of a chain. For subnet-evm it is merged over the developer's defaults.",
    ),
    upgrades: described(
      optional(vmFile),
      "The upgrades of the virtual machine, as in AvalancheGo's file `upgrade.json` of a chain.",
    ),
    evmChainID: described(
      optional(u64),
      "The chain ID of the developer's genesis of subnet-evm. The default is a free one from 99001 on. A `genesis` names its own.",
    ),
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
    l1: optional(described(hostedL1, "The chain in its virtual machine, if that runs here.")),
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

  async handler(params, context) {
    checkCount("validators", params.validators, 1, MAX_L1_VALIDATORS)
    const request = vmRequest(params)
    const { validators: made, ...created } = request
      ? await requireHosting(context).create(request, (prepared) =>
          build(params, context, hostedChain(params, prepared, context)),
        )
      : { ...(await build(params, context, unhostedChain(params))), l1: undefined }
    return { ...created, validators: made.map(({ validationID, identity }) => ({ ...identity, validationID })) }
  },
})

/** Creates the L1 on the P-Chain. */
function build(
  { validators, weight, balance, managerChainID, managerAddress, owner }: L1Params,
  context: DevContext,
  chain: Pick<L1Request, "chainName" | "vmID" | "genesisData" | "firstValidator">,
): Promise<NewL1> {
  const request = {
    ...chain,
    validators,
    weight,
    balance,
    managerChainID,
    owner: ownerOf(owner, context),
    managerAddress: hexParam("managerAddress", managerAddress),
  }
  return context.chain.turn((turn) => buildL1(turn, request))
}

/** The parameters of the L1 on the P-Chain. */
interface L1Params extends Pick<L1Request, "validators" | "weight" | "balance" | "managerChainID"> {
  readonly managerAddress: string
  readonly owner?: string | undefined
}

/** The parameters that choose the virtual machine and its files. */
interface VMParams extends Omit<VMRequest, "vm"> {
  readonly vm?: string | undefined
  readonly chainName?: string | undefined
  readonly vmID?: ID | undefined
  readonly genesisData?: string | undefined
}

/** Returns the request for a virtual machine; `undefined` if none is to run. Throws `dev.*`. */
function vmRequest({ vm, name, genesis, config, upgrades, evmChainID, vmID, genesisData }: VMParams): VMRequest | undefined {
  if (vm === undefined) {
    if ([name, genesis, config, upgrades, evmChainID].some((each) => each !== undefined)) throw devError("dev.no_vm")
    return undefined
  }
  if (vmID !== undefined || genesisData !== undefined) throw devError("dev.vm_or_genesis_data")
  if (evmChainID !== undefined && genesis !== undefined) throw devError("dev.genesis_or_evm_chain_id")
  if (evmChainID === 0n) throw devError("dev.zero_evm_chain_id")
  return { vm, name, genesis, config, upgrades, evmChainID }
}

function hostedChain({ chainName }: VMParams, { name, vmID, genesis }: PreparedVM, context: DevContext) {
  return { chainName: chainName ?? name, vmID, genesisData: genesis, firstValidator: requireHosting(context).validator }
}

function unhostedChain({ chainName = "L1", vmID = SUBNET_EVM, genesisData = "0x" }: VMParams) {
  return { chainName, vmID, genesisData: hexParam("genesisData", genesisData) }
}
