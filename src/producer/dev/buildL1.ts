import { hexToBytes } from "../../core/lib/bytes.js"
import type { Tx } from "../../core/txs/tx.js"
import type { Address } from "../../core/types/address.js"
import type { ID } from "../../core/types/id.js"
import type { ConversionValidator } from "../../core/types/validator.js"
import { initialValidationIDOf } from "../../core/types/warp/pChainMessage.js"
import type { Purse } from "../funds/wallet.js"
import type { DevIdentity } from "../keys/identities.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { newIdentities, withKeysOf } from "./newIdentities.js"
import { putIntoBlocks } from "./putIntoBlock.js"

/** An L1 to create. */
export interface L1Request {
  readonly validators: number
  /** The first of the validators, if it is not to be a new identity. */
  readonly firstValidator?: DevIdentity | undefined
  /** The weight of each validator. */
  readonly weight: bigint
  /** The balance from which each validator pays its fees, nAVAX. */
  readonly balance: bigint
  /** The owner of the remaining balances, who may disable the validators; the treasury's key by default. */
  readonly owner?: Address | undefined
  readonly chainName: string
  readonly vmID: ID
  readonly genesisData: Uint8Array
  /** The address of the validator manager, and its chain; the new chain by default. */
  readonly managerAddress: Uint8Array
  readonly managerChainID?: ID | undefined
}

/** An initial validator of an L1, with its keys. */
export interface L1ValidatorKeys {
  readonly validationID: ID
  readonly identity: DevIdentity
}

/** An L1 that was created. */
export interface NewL1 {
  readonly subnetID: ID
  readonly chainID: ID
  /** The transactions that created the subnet and the chain, and converted the subnet. */
  readonly txIDs: readonly ID[]
  readonly validators: readonly L1ValidatorKeys[]
  /** The seconds by which the clock was moved until gas was available. */
  readonly seconds: bigint
}

/** Creates a subnet with a chain and converts it to an L1, by three transactions that the treasury pays. The keys of its validators are stored. */
export async function buildL1(chain: ChainTurn, wanted: L1Request): Promise<NewL1> {
  await chain.catchUp()
  const purse = chain.treasury.purse(chain.written(), chain.now())
  const price = chain.treasury.price(chain.now())
  const given = wanted.firstValidator ? [wanted.firstValidator] : []
  const made = [...given, ...(await newIdentities(chain, wanted.validators - given.length))]
  const identities = made.toSorted((a, b) => (a.nodeID < b.nodeID ? -1 : 1))
  const subnet = createSubnet(purse, price)
  const blockchain = createChain(purse, price, subnet.id, wanted)
  const conversion = convert(purse, price, { subnetID: subnet.id, chainID: blockchain.id, identities }, wanted)
  const txs = [subnet, blockchain, conversion]
  const seconds = await withKeysOf(chain, made, () => putIntoBlocks(chain, txs))
  const validators = identities.map((identity, i) => ({ identity, validationID: initialValidationIDOf(subnet.id, i) }))
  return { subnetID: subnet.id, chainID: blockchain.id, txIDs: txs.map(({ id }) => id), validators, seconds }
}

/** The treasury's key owns the subnet until its conversion, and signs for it as its only owner. */
const subnetAuthorization = { kind: "Input" as const, signatureIndices: [0] }

function createSubnet(purse: Purse, price: bigint): Tx {
  const owner = { kind: "OutputOwners" as const, locktime: 0n, threshold: 1, addresses: [purse.key.address] }
  return purse.pay({ amount: 0n, make: (parts) => ({ kind: "CreateSubnetTx", ...parts, owner }) }, price)
}

function createChain(purse: Purse, price: bigint, subnetID: ID, { chainName, vmID, genesisData }: L1Request): Tx {
  const fields = { subnetID, chainName, vmID, fxIDs: [], genesisData, subnetAuthorization }
  return purse.pay({ amount: 0n, make: (parts) => ({ kind: "CreateChainTx", ...parts, ...fields }) }, price)
}

interface Conversion {
  readonly subnetID: ID
  readonly chainID: ID
  readonly identities: readonly DevIdentity[]
}

function convert(purse: Purse, price: bigint, { subnetID, chainID, identities }: Conversion, wanted: L1Request): Tx {
  const { balance, weight, managerAddress: address, managerChainID = chainID } = wanted
  const owner = { threshold: 1, addresses: [wanted.owner ?? purse.key.address] }
  const validators = identities.map((identity) => conversionValidatorOf(identity, { weight, balance, owner }))
  const fields = { subnetID, chainID: managerChainID, address, validators, subnetAuthorization }
  const amount = balance * BigInt(validators.length)
  return purse.pay({ amount, make: (parts) => ({ kind: "ConvertSubnetToL1Tx", ...parts, ...fields }) }, price)
}

function conversionValidatorOf(
  { nodeID, publicKey, proofOfPossession }: DevIdentity,
  {
    weight,
    balance,
    owner,
  }: Pick<ConversionValidator, "weight" | "balance"> & { owner: ConversionValidator["deactivationOwner"] },
): ConversionValidator {
  return {
    nodeID: hexToBytes(nodeID),
    weight,
    balance,
    signer: { publicKey, proofOfPossession },
    remainingBalanceOwner: owner,
    deactivationOwner: owner,
  }
}
