import { FUJI_ID, MAINNET_ID } from "../../core/networks/names.js"
import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"

/** The P-Chain's fixed fees of before Etna that networks had their own numbers for, in nAVAX. Nobody pays them any more. */
interface FormerFees {
  readonly createSubnetTxFee: string
  readonly transformSubnetTxFee: string
  readonly createBlockchainTxFee: string
}

const formerFees: Readonly<Record<number, FormerFees>> = {
  [MAINNET_ID]: { createSubnetTxFee: "1000000000", transformSubnetTxFee: "10000000000", createBlockchainTxFee: "1000000000" },
  [FUJI_ID]: { createSubnetTxFee: "100000000", transformSubnetTxFee: "1000000000", createBlockchainTxFee: "100000000" },
}
const privateFees: FormerFees = {
  createSubnetTxFee: "100000000",
  transformSubnetTxFee: "100000000",
  createBlockchainTxFee: "100000000",
}

export const getTxFee = method({
  name: "info.getTxFee",
  summary: "The fees of transactions, in nAVAX: those of the X-Chain, and the P-Chain's of before Etna.",
  deprecated: "since v1.12.2: the P-Chain's seven fees are no longer used; see platform.getFeeState",
  params: nothing,
  result: answer.object({
    txFee: answer.digits,
    createAssetTxFee: answer.digits,
    createSubnetTxFee: answer.digits,
    transformSubnetTxFee: answer.digits,
    createBlockchainTxFee: answer.digits,
    addPrimaryNetworkValidatorFee: answer.digits,
    addPrimaryNetworkDelegatorFee: answer.digits,
    addSubnetValidatorFee: answer.digits,
    addSubnetDelegatorFee: answer.digits,
  }),
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
    txFee: params.txFee.toString(),
    createAssetTxFee: params.createAssetTxFee.toString(),
    ...(formerFees[networkID] ?? privateFees),
    addPrimaryNetworkValidatorFee: "0",
    addPrimaryNetworkDelegatorFee: "0",
    addSubnetValidatorFee: "1000000",
    addSubnetDelegatorFee: "1000000",
  }),
})
