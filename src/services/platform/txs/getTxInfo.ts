import { blockTime } from "../../../core/readmodel/blockTimes.js"
import { l1ChangesOf, stakerOfTx } from "../../../core/readmodel/explorer/subjects.js"
import { TxStatus, tables } from "../../../core/state/tables.js"
import { feePaid } from "../../../core/txs/amounts.js"
import { describeTx } from "../../../core/txs/describeTx.js"
import { decodeTx } from "../../../core/txs/tx.js"
import { type ID, idText } from "../../../core/types/id.js"
import { described, list, oneOf, optional, string } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id, nodeID } from "../../kinds.js"
import { platformError } from "../errors.js"
import { utxoMembers } from "../params/utxoOutput.js"
import { inputFacts, outputFacts, outputRoles } from "./txOutputs.js"

export const getTxInfo = method({
  name: "platform.getTxInfo",
  summary:
    "Returns the block and the time at which a transaction was accepted, the fee that it paid, its inputs with owners and amounts, its outputs with what became of them, and the staker or L1 validators that it concerns.",
  isExtension: true,
  params: object({ txID: described(id, "The ID of the transaction.") }),
  result: object({
    txID: id,
    kind: string,
    status: oneOf("Committed", "Aborted"),
    blockID: id,
    height: u64,
    timestamp: described(time, "The time of the chain after the block."),
    effect: described(string, "What the transaction does, in a few words for a person."),
    fee: described(u64, "The amount burned, in nAVAX."),
    inputs: described(
      list(
        object({
          ...utxoMembers,
          addresses: described(
            optional(utxoMembers.addresses),
            "The owners, the first 64 if there are more. Omitted for imports.",
          ),
          threshold: optional(utxoMembers.threshold),
          sourceChain: described(optional(id), "The chain that an imported output comes from."),
        }),
      ),
      "The outputs that the transaction spends.",
    ),
    outputs: described(
      list(
        object({
          ...utxoMembers,
          role: described(
            oneOf(...outputRoles),
            "What the output is for: a payment, a stake, an export, a stake that comes back, a reward, or the rest of an L1 validator's balance.",
          ),
          spentBy: described(optional(id), "The transaction that spent the output."),
        }),
      ),
      "The outputs that the transaction creates, stakes or exports.",
    ),
    staker: described(
      optional(
        object({
          txID: described(id, "The ID of the transaction that added the staker."),
          role: oneOf("validator", "delegator"),
          nodeID,
          subnetID: id,
        }),
      ),
      "The staker that the transaction adds, changes or rewards.",
    ),
    l1Validators: described(
      list(
        object({
          validationID: id,
          subnetID: optional(id),
          nodeID: optional(nodeID),
          weight: described(optional(u64), "The weight from then on."),
          added: described(optional(u64), "What is added to the balance, in nAVAX."),
        }),
      ),
      "The L1 validators that the transaction registers, changes, tops up or disables.",
    ),
  }),
  cost: 5,
  examples: [
    {
      params: { txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq" },
      result: {
        txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq",
        kind: "BaseTx",
        status: "Committed",
        blockID: "RCW7r4XEJdMwv2KrEJmRQ47cqT321wZGz6r6FNs1MPd9Td6YJ",
        height: "1",
        timestamp: "2024-07-15T04:00:01Z",
        effect: "5 AVAX to P-local1zy…8dg6, 7 AVAX to P-local1zy…8dg6, and 2 more outputs",
        fee: "1000000",
        inputs: [
          {
            utxoID: "LUC1cmcxnfNR9LdkACS2ccGKLEK7SYqB4gLLTycQfg1koyfSq",
            txID: "11111111111111111111111111111111LpoYY",
            outputIndex: 0,
            assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
            amount: "20000000000000000",
            addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
            threshold: 1,
          },
        ],
        outputs: [
          {
            utxoID: "2Lm7sWHNtpdwqhGcuqdBib7PpkzHRACJQFzq3faQ2TKJWFvgWs",
            txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq",
            outputIndex: 0,
            assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
            amount: "5000000000",
            addresses: ["P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"],
            threshold: 1,
            locktime: "1723608000",
            role: "payment",
          },
          {
            utxoID: "X3WtToF3pk4n2jBoodsZpNxX6wZyswtvWdzuZpJx7aHXUECUx",
            txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq",
            outputIndex: 1,
            assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
            amount: "7000000000",
            addresses: ["P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"],
            threshold: 1,
            role: "payment",
          },
          {
            utxoID: "2ja38gnJwnRmCkjt7DSm7rTxmc1Rt3vpXS1rGrUQ4Muuh5GMhi",
            txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq",
            outputIndex: 2,
            assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
            amount: "19999984999000000",
            addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
            threshold: 1,
            role: "payment",
            spentBy: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka",
          },
          {
            utxoID: "jAJAHdibaVxgrZesB2s7Bu75guFMFFekxthVWXaWNC8oTpey3",
            txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq",
            outputIndex: 3,
            assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
            amount: "3000000000",
            addresses: ["P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"],
            threshold: 1,
            stakeableLocktime: "1723608000",
            role: "payment",
          },
        ],
        l1Validators: [],
      },
    },
  ],

  async handler({ txID }, { past: pastWith, rules, node }, { pace }) {
    const past = pastWith(pace)
    const row = await past.read((view) => view.get(tables.txs, txID))
    if (!row) throw platformError("platform.unknown_tx", { txID: idText(txID) })
    const tx = decodeTx(row.bytes, {})
    const { unsignedTx } = tx
    const { height } = row
    const block = await past.read((view) => ({
      blockID: view.get(tables.blockIDs, height) as ID,
      timestamp: blockTime(view, height),
      staker: stakerOfTx(tx, view),
      l1Validators: l1ChangesOf(unsignedTx, view).map(({ validator, weight, added, validationID }) => {
        return { validationID, subnetID: validator?.subnetID, nodeID: validator?.nodeID, weight, added }
      }),
    }))
    return {
      txID,
      kind: unsignedTx.kind,
      status: row.status === TxStatus.aborted ? ("Aborted" as const) : ("Committed" as const),
      height,
      ...block,
      effect: describeTx(unsignedTx, { hrp: node.hrp, avaxAssetID: rules.avaxAssetID }),
      fee: feePaid(unsignedTx, rules.avaxAssetID),
      inputs: await inputFacts(past, tx),
      outputs: await outputFacts(past, tx, row),
    }
  },
})
