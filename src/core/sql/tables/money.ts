import { asciiText, asciiTexts, bytea, int4, int8, numeric, orNull, timestamptz } from "../column.js"
import { sqlTable } from "../sqlTable.js"

/** Transactions, and the amounts that they move. */
export const moneyTables = {
  txs: sqlTable("txs", {
    comment:
      "An accepted transaction. Those at height 0 are the transactions of genesis. Before Banff, an AdvanceTimeTx that was aborted and then committed is one transaction at two heights.",
    columns: {
      tx_id: asciiText("The ID of the transaction, in cb58."),
      height: int8("The height of its block."),
      tx_index: int4("Its position among the transactions of the block, from 0."),
      time: timestamptz("The time of the chain after the block."),
      kind: asciiText("The kind, such as BaseTx or AddPermissionlessValidatorTx."),
      status: asciiText("Committed, or Aborted if the validators decided against a proposal."),
      fee: numeric("The AVAX that it burned, in nAVAX."),
      memo: bytea("The memo. Empty since Durango."),
      size: int4("The number of bytes of the transaction."),
    },
    primaryKey: ["tx_id", "height"],
    indexes: [
      ["height", "tx_index"],
      ["kind", "height"],
    ],
    rangeIndexes: ["time"],
  }),
  outputs: sqlTable("outputs", {
    comment: "An output that was created on the P-Chain. It is unspent as long as inputs has no row of it; see the view utxos.",
    columns: {
      tx_id: asciiText(
        "The transaction under which the output is numbered, in cb58. Stake and rewards are numbered under the staker's.",
      ),
      output_index: int4("Its number under this transaction."),
      height: int8("The height of the block that created it."),
      created_by: orNull(
        asciiText("The transaction that created it, in cb58; none for genesis and for a private chain's overrides."),
      ),
      kind: asciiText(
        "payment, returned (stake), reward, refund (of an L1 validator's balance), genesis, or override (of a private chain).",
      ),
      asset_id: asciiText("The asset, in cb58."),
      amount: numeric("The amount, in nAVAX if the asset is AVAX."),
      addresses: asciiTexts("The addresses of the owners."),
      threshold: int8("How many of the owners must sign."),
      locktime: numeric("The time in Unix seconds before which the owners cannot spend it; 0 for none."),
      stakeable_locktime: numeric("The time in Unix seconds before which it can only be staked; 0 for none."),
    },
    primaryKey: ["tx_id", "output_index"],
    indexes: [["created_by"]],
    rangeIndexes: ["height"],
    listIndexes: ["addresses"],
  }),
  inputs: sqlTable("inputs", {
    comment: "An output of the P-Chain that was spent.",
    columns: {
      tx_id: asciiText("The transaction of the output, as in outputs."),
      output_index: int4("The number of the output, as in outputs."),
      spent_by: asciiText("The transaction that spent it, in cb58."),
      input_index: int4("The number of the input in this transaction."),
      height: int8("The height of the block that spent it."),
      asset_id: asciiText("The asset, in cb58."),
      amount: numeric("The amount."),
    },
    primaryKey: ["tx_id", "output_index"],
    indexes: [["spent_by"]],
    rangeIndexes: ["height"],
  }),
  cross_chain_transfers: sqlTable("cross_chain_transfers", {
    comment: "An amount that was imported from another chain or exported to one.",
    columns: {
      tx_id: asciiText("The ImportTx or ExportTx, in cb58."),
      transfer_index: int4("The number of the imported input or the exported output."),
      height: int8("The height of the block."),
      time: timestamptz("The time of the chain after the block."),
      direction: asciiText("import or export."),
      chain_id: asciiText("The other chain, in cb58."),
      asset_id: asciiText("The asset, in cb58."),
      amount: numeric("The amount."),
      addresses: asciiTexts("The owners of an exported output. None for an import, whose owners only the other chain knows."),
    },
    primaryKey: ["tx_id", "transfer_index"],
    rangeIndexes: ["height"],
    listIndexes: ["addresses"],
  }),
  address_history: sqlTable("address_history", {
    comment:
      "What a transaction gave to an address and took from it, by asset. An output of several owners counts whole for each of them.",
    columns: {
      address: asciiText("The address."),
      height: int8("The height of the block."),
      tx_index: int4("The position of the transaction in the block; -1 for genesis, less for overrides of a private chain."),
      asset_id: asciiText("The asset, in cb58."),
      tx_id: asciiText("The transaction, in cb58."),
      time: timestamptz("The time of the chain after the block."),
      kind: asciiText("The kind of the transaction; Genesis or Override where there is none."),
      received: numeric("The sum of the outputs that the address got."),
      sent: numeric("The sum of the outputs of the address that were spent."),
    },
    primaryKey: ["address", "height", "tx_index", "asset_id"],
    rangeIndexes: ["height"],
  }),
} as const
