import { list } from "../codec/list.js"
import { bytes, u32 } from "../codec/primitives.js"
import type { ValueOf } from "../codec/struct.js"
import { withStep } from "../lib/invalid.js"
import type { PossessionContext } from "../rules/verifiable.js"
import { type ID, id, idText, P_CHAIN_ID, PRIMARY_NETWORK_ID } from "../types/id.js"
import { checkInput, checkInputOrder, transferableInput } from "../types/input.js"
import { checkOutput, checkOutputOrder, transferableOutput } from "../types/output.js"
import { txError } from "./errors.js"

/** The fields of all transactions except those that the chain itself makes for time and rewards. */
export const baseFields = {
  networkID: u32,
  blockchainID: id,
  outputs: list(transferableOutput),
  inputs: list(transferableInput),
  memo: bytes,
}

export type Base = ValueOf<typeof baseFields>

/** The maximum size of a memo, bytes. From Durango on execution allows none. */
export const MAX_MEMO_SIZE = 256

/** Properties of the network that checks without state need. */
export interface CheckContext extends PossessionContext {
  readonly networkID: number
  readonly avaxAssetID: ID
}

/** Checks the common fields: network, chain, memo, each output and input, and their order. */
export function checkBase(tx: Base, { networkID }: CheckContext): void {
  withStep("metadata failed verification: ", () => {
    if (tx.networkID !== networkID) throw txError("tx.wrong_network", { expected: networkID, got: tx.networkID })
    if (tx.blockchainID !== P_CHAIN_ID) throw txError("tx.wrong_chain", { got: idText(tx.blockchainID) })
    checkMemo(tx.memo, MAX_MEMO_SIZE)
  })
  withStep("output failed verification: ", () => tx.outputs.forEach(checkOutput))
  withStep("input failed verification: ", () => tx.inputs.forEach(checkInput))
  checkOutputOrder(tx.outputs)
  checkInputOrder(tx.inputs)
}

export function checkMemo(memo: Uint8Array, limit: number): void {
  if (memo.length > limit) throw txError("tx.memo_too_long", { size: memo.length, limit })
}

/** Refuses the primary network as a subnet. AvalancheGo has another message for each transaction. */
export function checkIsSubnet(subnetID: ID, reference: string): void {
  if (subnetID === PRIMARY_NETWORK_ID) throw txError("tx.subnet_is_primary_network", { reference })
}
