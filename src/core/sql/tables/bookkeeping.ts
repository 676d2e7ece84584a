import { asciiText, bytea, freeText, hexBytea, int2, int4, int8, numeric, orNull, timestamptz } from "../column.js"
import { sqlTable } from "../sqlTable.js"

/** The chain, its blocks, the tip, and the states that read servers start from. */
export const bookkeepingTables = {
  chain: sqlTable("chain", {
    comment: "The chain that this database holds. One row.",
    columns: {
      network_id: int8("The network: 1 is Mainnet, 5 is Fuji."),
      network: freeText("The name of the network."),
      genesis_id: asciiText("The ID of the genesis block, in cb58."),
      genesis: bytea("The bytes of the genesis."),
      upgrades: freeText("The times of the upgrades, as JSON in AvalancheGo's format."),
      rules: freeText("The flags that set rules of a private network, as JSON."),
      avax_asset_id: asciiText("The ID of the asset AVAX, in cb58."),
      hrp: asciiText("The human-readable part of the addresses."),
      kind: asciiText("How the publishing node came to the chain: private, joined, followed or fork."),
      identity: asciiText("The ID of the chain: its network and genesis block, or the random ID of a private chain or fork."),
    },
    primaryKey: ["genesis_id"],
  }),
  tip: sqlTable("tip", {
    comment: "The last published block. One row, written in the same transaction as the rows of the block.",
    columns: {
      height: int8("The height of the last published block."),
      block_id: asciiText("The ID of this block, in cb58."),
      time: timestamptz("The time of the chain after this block."),
      reverts: int8("Number of reverts of the chain to an earlier block. Only a private chain has any."),
      overrides: int8("How many changes of a private chain that no transaction made are published."),
      overrides_id: asciiText("A hash of these changes, in cb58."),
      accrued_fee: orNull(numeric("The fees of an L1 validator that is active since Etna, in nAVAX; null before Etna.")),
    },
    primaryKey: ["block_id"],
  }),
  blocks: sqlTable("blocks", {
    comment: "An accepted block. The block at height 0 is genesis.",
    columns: {
      height: int8("The height."),
      block_id: asciiText("The ID of the block, in cb58."),
      parent_id: asciiText("The ID of the block before it, in cb58."),
      time: timestamptz("The time of the chain after the block. A proposal has the time of its option."),
      kind: asciiText("The kind, such as BanffStandardBlock; Genesis at height 0."),
      tx_count: int4("How many transactions the block has."),
      size: int4("The number of bytes of the block."),
      gas_price: orNull(numeric("The price of a unit of gas after the block, in nAVAX; null if it is not recorded.")),
      validator_price: orNull(
        numeric("What an active L1 validator pays for a second after the block, in nAVAX; null if it is not recorded."),
      ),
      bytes: bytea("The bytes of the block."),
      wrapper_id: orNull(asciiText("The ID of the block's ProposerVM wrapper, in cb58, if it has one.")),
      wrapper_head: orNull(bytea("The bytes of the wrapper before the block.")),
      wrapper_tail: orNull(bytea("The bytes of the wrapper after the block.")),
      warp_height: orNull(
        int8("The P-Chain height at which the Warp messages of a private chain's block were verified, if it has any."),
      ),
    },
    primaryKey: ["height"],
    indexes: [["block_id"], ["wrapper_id"]],
    rangeIndexes: ["time"],
  }),
  removed_blocks: sqlTable("removed_blocks", {
    comment:
      "A block that was removed when a private chain was reverted, and the last block that stayed. The latest 4,096 are remembered.",
    columns: {
      revert: int8("The number of the revert, as tip.reverts has it."),
      height: int8("The height of the removed block."),
      block_id: asciiText("The ID of the removed block, in cb58."),
      common_height: int8("The height of the last block that stayed."),
      common_id: asciiText("The ID of this block, in cb58."),
    },
    primaryKey: ["revert", "height"],
  }),
  overrides: sqlTable("overrides", {
    comment: "A change of a private chain that no transaction made, in the program's own encoding, for its read servers.",
    columns: {
      position: int8("The number of the change, from 0."),
      height: int8("The height of the block after which it was made."),
      bytes: bytea("The bytes of the change."),
    },
    primaryKey: ["position"],
  }),
  history: sqlTable("history", {
    comment:
      "A row of one of the program's own tables that grow with the chain, in the program's own encoding, for its read servers.",
    columns: {
      number: int2("The number of the table."),
      key: hexBytea("The key of the row."),
      height: int8("The height of the block that wrote the row."),
      value: bytea("The value of the row."),
    },
    primaryKey: ["number", "key", "height"],
    rangeIndexes: ["height"],
  }),
  snapshots: sqlTable("snapshots", {
    comment: "A state of the chain that a read server starts from, in pieces.",
    columns: {
      height: int8("The height of the block after which the state was taken."),
      piece: int4("The number of the piece, from 0."),
      bytes: bytea("The bytes of the piece."),
    },
    primaryKey: ["height", "piece"],
  }),
} as const
