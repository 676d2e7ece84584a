import { FUJI_ID, MAINNET_ID } from "../../core/networks/names.js"
import { described } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { ofState } from "../lifetimes.js"

/** The P-Chain's fixed fees before Etna, in nAVAX, for networks that had their own. They are no longer charged. */
interface FormerFees {
  readonly createSubnetTxFee: bigint
  readonly transformSubnetTxFee: bigint
  readonly createBlockchainTxFee: bigint
}

const formerFees: Readonly<Record<number, FormerFees>> = {
  [MAINNET_ID]: {
    createSubnetTxFee: 1_000_000_000n,
    transformSubnetTxFee: 10_000_000_000n,
    createBlockchainTxFee: 1_000_000_000n,
  },
  [FUJI_ID]: { createSubnetTxFee: 100_000_000n, transformSubnetTxFee: 1_000_000_000n, createBlockchainTxFee: 100_000_000n },
}
const privateFees: FormerFees = {
  createSubnetTxFee: 100_000_000n,
  transformSubnetTxFee: 100_000_000n,
  createBlockchainTxFee: 100_000_000n,
}

const fee = described(u64, "In nAVAX.")

export const getTxFee = method({
  name: "info.getTxFee",
  summary: "Returns the transaction fees in nAVAX: those of the X-Chain, and those that the P-Chain had before Etna.",
  deprecated: "since v1.12.2: the P-Chain's seven fees are no longer used; see platform.getFeeState",
  params: nothing,
  result: object({
    txFee: fee,
    createAssetTxFee: fee,
    createSubnetTxFee: fee,
    transformSubnetTxFee: fee,
    createBlockchainTxFee: fee,
    addPrimaryNetworkValidatorFee: fee,
    addPrimaryNetworkDelegatorFee: fee,
    addSubnetValidatorFee: fee,
    addSubnetDelegatorFee: fee,
  }),
  lifetime: ofState,
  examples: [
    {
      params: {},
      result: {
        txFee: "1000000",
        createAssetTxFee: "1000000",
        createSubnetTxFee: "100000000",
        transformSubnetTxFee: "100000000",
        createBlockchainTxFee: "100000000",
        addPrimaryNetworkValidatorFee: "0",
        addPrimaryNetworkDelegatorFee: "0",
        addSubnetValidatorFee: "1000000",
        addSubnetDelegatorFee: "1000000",
      },
    },
  ],

  handler: (_params, { node: { networkID }, rules: { params } }) => ({
    txFee: params.txFee,
    createAssetTxFee: params.createAssetTxFee,
    ...(formerFees[networkID] ?? privateFees),
    addPrimaryNetworkValidatorFee: 0n,
    addPrimaryNetworkDelegatorFee: 0n,
    addSubnetValidatorFee: 1_000_000n,
    addSubnetDelegatorFee: 1_000_000n,
  }),
})
