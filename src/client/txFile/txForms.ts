import { codecError } from "../../core/codec/errors.js"
import { hrpOf } from "../../core/networks/names.js"
import type { Owners } from "../../core/rules/authorise.js"
import { unsignedTx } from "../../core/txs/unsignedTx.js"
import { parsePChainAddress } from "../../core/types/address.js"
import { type ID, P_CHAIN_ID, PRIMARY_NETWORK_ID, parseNodeID } from "../../core/types/id.js"
import type { TransferableOutput } from "../../core/types/output.js"
import { clientError } from "../errors.js"
import type { UserTx } from "./unsigned.js"

/** What a transaction is made for: its network, its asset, the owners of what it spends, and the time (Unix seconds). */
export interface TxPlace {
  readonly networkID: number
  readonly avaxAssetID: ID
  readonly owners: Owners
  readonly now: bigint
}

/** Makes a transaction without its inputs and its change. */
export type TxForm = (place: TxPlace) => UserTx

/** A payment to an address of the P-Chain, nAVAX. */
export const paymentForm =
  (to: string, amount: bigint): TxForm =>
  (place) => ({ kind: "BaseTx", ...baseOf(place), outputs: [outputTo(ownerOf(to, place), amount, place)] })

/** A delegation (nAVAX) to a validator of the primary network, from now on for a duration in seconds. Stake and reward go to the owners. */
export const delegationForm =
  (nodeID: string, weight: bigint, duration: bigint): TxForm =>
  (place) => ({
    kind: "AddPermissionlessDelegatorTx",
    ...baseOf(place),
    validator: { nodeID: parseNodeID(nodeID), start: 0n, end: place.now + duration, weight },
    subnetID: PRIMARY_NETWORK_ID,
    stake: [outputTo(place.owners, weight, place)],
    rewardsOwner: { kind: "OutputOwners", ...owned(place.owners) },
  })

/** An export (nAVAX) to another chain, for an address of the P-Chain or for the owners. */
export const exportForm =
  (destinationChain: ID, amount: bigint, to?: string): TxForm =>
  (place) => {
    const owners = to === undefined ? place.owners : ownerOf(to, place)
    return { kind: "ExportTx", ...baseOf(place), destinationChain, exportedOutputs: [outputTo(owners, amount, place)] }
  }

/** An import of what another chain has put. All of it that remains after the fee is change. */
export const importForm =
  (sourceChain: ID): TxForm =>
  (place) => ({ kind: "ImportTx", ...baseOf(place), sourceChain, importedInputs: [] })

/**
 * A transaction of any kind from the JSON that AvalancheGo's API shows, with its `kind`. What the builder adds may be left out: network, chain,
 * inputs, memo, and the positions of the signers for a subnet or a validator. Throws `codec.*`.
 */
export const jsonForm =
  (json: unknown): TxForm =>
  (place) => {
    if (typeof json !== "object" || json === null || !("kind" in json)) {
      throw codecError("codec.missing_member", { path: "kind" })
    }
    const { kind, ...members } = json
    const codec = typeof kind === "string" ? unsignedTx.ofKind(kind) : undefined
    const all = unsignedTx.variants.find((variant) => variant.kind === kind)?.members ?? []
    if (!codec || !all.includes("inputs")) throw clientError("client.unsigned_kind", { kind: String(kind) })
    const added = { ...baseJson, networkID: place.networkID }
    const missing = Object.fromEntries(Object.entries(added).filter(([name]) => all.includes(name)))
    return codec.fromJson({ ...missing, ...members }, { hrp: hrpOf(place.networkID) }) as UserTx
  }

const NO_SIGNERS = { signatureIndices: [] }

/** The members that the builder adds. */
const baseJson = {
  blockchainID: "11111111111111111111111111111111LpoYY",
  outputs: [],
  inputs: [],
  importedInputs: [],
  memo: "0x",
  subnetAuthorization: NO_SIGNERS,
  disableAuthorization: NO_SIGNERS,
  auth: NO_SIGNERS,
}

const baseOf = ({ networkID }: TxPlace) => ({
  ...{ networkID, blockchainID: P_CHAIN_ID, outputs: [], inputs: [] },
  memo: new Uint8Array(0),
})

const owned = ({ locktime = 0n, threshold, addresses }: Owners) => ({ locktime, threshold, addresses: [...addresses] })

const ownerOf = (address: string, { networkID }: TxPlace): Owners => ({
  threshold: 1,
  addresses: [parsePChainAddress(address, hrpOf(networkID))],
})

const outputTo = (owners: Owners, amount: bigint, { avaxAssetID: assetID }: TxPlace): TransferableOutput => ({
  assetID,
  output: { kind: "TransferOutput", amount, ...owned(owners) },
})
