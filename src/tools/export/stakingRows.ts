import { avaxNumber } from "../../core/lib/avaxText.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { neverPausing } from "../../core/lib/pace.js"
import { hrpOf } from "../../core/networks/names.js"
import { isActive } from "../../core/networks/upgrades.js"
import { factsAt, genesisBlock, type PlacedTx, placedTxs, type ReadModelGenesis } from "../../core/readmodel/acceptedBlock.js"
import { blockTime } from "../../core/readmodel/blockTimes.js"
import { rowsOfList } from "../../core/readmodel/explorer/moments.js"
import { stakersOf, stakesOfTxs, stakingKinds } from "../../core/readmodel/explorer/stakeQueries.js"
import { explorerTables } from "../../core/readmodel/explorer/tables.js"
import { ownerKeysFor } from "../../core/readmodel/ownerGroups.js"
import { rewardsPaidBy } from "../../core/readmodel/rewardsByAddress.js"
import { type Moment, readTables } from "../../core/readmodel/tables.js"
import { RewardKind } from "../../core/state/facts.js"
import type { OwnerKey } from "../../core/state/ownerKey.js"
import { pastOf } from "../../core/state/pastReader.js"
import type { Table } from "../../core/state/table.js"
import type { IndexedView, View } from "../../core/state/view.js"
import { acceptedTx, stakerInfoOf } from "../../core/txs/execute.js"
import { type TxKind, txTypeOf } from "../../core/txs/unsignedTx.js"
import { type Address, addressText } from "../../core/types/address.js"
import { type ID, idText, nodeIDText } from "../../core/types/id.js"
import { innerOutput } from "../../core/types/output.js"
import { type ExportPart, type ExportRow, type ExportTable, requireBlockAt } from "./exportTable.js"

/** The names of the kinds of rewards, as in `platform.getRewardsByAddress`. */
const rewardKinds = Object.keys(RewardKind)

/** The rewards that were paid, oldest first. */
export const rewardTable: ExportTable = {
  columns: [
    ...["date", "AVAX", "amount", "assetID", "kind", "role", "nodeID", "addresses", "stakerTxID", "rewardTxID"],
    ...["height", "subnetID"],
  ],
  *rows(view, part) {
    const { networkID, avaxAssetID } = part.rules
    for (const height of heightsOfOwners(view, part, (owner) => [[readTables.rewardsByAddress, { owner }]])) {
      for (const placed of txsAt(view, height, part.genesis)) {
        for (const { utxo, kind } of rewardsPaidBy(placed, view)) {
          const { amount, addresses } = innerOutput(utxo.output)
          const { txID } = placed.tx.unsignedTx as { txID: ID }
          const staker = acceptedTx(view, txID)
          const info = staker && stakerInfoOf(staker.unsignedTx)
          if (!info || !isOfAny(addresses, part.addresses)) continue
          yield {
            date: printRfc3339(blockTime(view, height)),
            ...amounts(amount, utxo.assetID, avaxAssetID),
            ...{ kind: rewardKinds[kind] as string, role: info.role, nodeID: nodeIDText(info.nodeID) },
            addresses: textsOf(addresses, networkID),
            ...{ stakerTxID: idText(txID), rewardTxID: idText(placed.tx.id), height, subnetID: idText(info.subnetID) },
          }
        }
      }
    }
  },
}

/** The stakes, past and present, in the order in which they were added. */
export const stakeTable: ExportTable = {
  columns: [
    ...["date", "AVAX", "amount", "assetID", "kind", "role", "nodeID", "state", "startTime", "endTime", "paidAVAX"],
    ...[
      "potentialAVAX",
      "restakedValidationAVAX",
      "restakedDelegateeAVAX",
      "addresses",
      "stakerTxID",
      "rewardTxID",
      "height",
      "subnetID",
    ],
  ],
  async *rows(view, part) {
    const kinds: readonly TxKind[] = stakingKinds
    const typeIDs = kinds.map((kind) => txTypeOf(kind).typeID)
    const listsOf = (owner: OwnerKey): OwnerList[] => typeIDs.map((typeID) => [explorerTables.txsByOwnerKind, { owner, typeID }])
    for (const height of heightsOfOwners(view, part, listsOf)) {
      for (const { tx, index } of txsAt(view, height, part.genesis)) {
        const { kind } = tx.unsignedTx
        if (!kinds.includes(kind)) continue
        yield* stakeRows(view, part, { txID: tx.id, kind, height, index, time: blockTime(view, height) })
      }
    }
  },
}

async function* stakeRows(view: IndexedView, part: ExportPart, tx: Parameters<typeof stakesOfTxs>[1][number]) {
  const { addresses, rules } = part
  const startAtOnce = (time: bigint) => isActive(rules.upgrades, "durango", time)
  for (const stake of await stakesOfTxs(pastOf(view, neverPausing), [tx], startAtOnce, addresses)) {
    const { info, state, startTime, endTime, paidReward, potentialReward, restaked, rewardTxID } = stake
    const amount = info.stake.reduce((sum, { output }) => sum + innerOutput(output).amount, 0n)
    const assetID = info.stake[0]?.assetID ?? rules.avaxAssetID
    const isAvax = assetID === rules.avaxAssetID
    yield {
      date: printRfc3339(tx.time),
      ...amounts(amount, assetID, rules.avaxAssetID),
      ...{ kind: stake.kind, role: info.role, nodeID: nodeIDText(info.nodeID), state },
      ...{ startTime: printRfc3339(startTime), endTime: printRfc3339(endTime) },
      paidAVAX: isAvax ? avaxNumber(paidReward) : null,
      potentialAVAX: isAvax && potentialReward !== undefined ? avaxNumber(potentialReward) : null,
      restakedValidationAVAX: restaked ? avaxNumber(restaked.validation) : null,
      restakedDelegateeAVAX: restaked ? avaxNumber(restaked.delegatee) : null,
      addresses: textsOf(stakersOf(info), rules.networkID),
      stakerTxID: idText(stake.txID),
      rewardTxID: rewardTxID === undefined ? null : idText(rewardTxID),
      ...{ height: tx.height, subnetID: idText(info.subnetID) },
    }
  }
}

/** A table of moments, and the parts of the keys before the moment. */
type OwnerList = readonly [table: Table<Moment, unknown>, under: object]

/** Returns the heights of a part in order: all of them, or those that the lists of its addresses have. */
function* heightsOfOwners(
  view: View,
  { from, to, addresses }: ExportPart,
  listsOf: (owner: OwnerKey) => readonly (readonly [unknown, object])[],
): Iterable<bigint> {
  if (!addresses) {
    for (let height = from; height <= to; height++) yield height
    return
  }
  const heights = new Set<bigint>()
  for (const owner of [...addresses].flatMap((address) => ownerKeysFor(view, address))) {
    for (const [table, under] of listsOf(owner) as readonly OwnerList[]) {
      for (const [{ height }] of rowsOfList(view, table, under, { from, to })) heights.add(height)
    }
  }
  yield* [...heights].sort((a, b) => (a < b ? -1 : 1))
}

/** Returns the transactions of a block, or those of genesis. */
function txsAt(view: View, height: bigint, genesis: ReadModelGenesis): readonly PlacedTx[] {
  return height === 0n ? genesisBlock(genesis).txs : placedTxs(requireBlockAt(view, height), factsAt(view, height), false)
}

const isOfAny = (owners: readonly Address[], addresses: ReadonlySet<Address> | undefined): boolean =>
  !addresses || owners.some((owner) => addresses.has(owner))

/** Prints an amount in the smallest unit of its asset, and in AVAX if it is that. */
const amounts = (amount: bigint, assetID: ID, avaxAssetID: ID): ExportRow => ({
  AVAX: assetID === avaxAssetID ? avaxNumber(amount) : null,
  amount,
  assetID: idText(assetID),
})

const textsOf = (addresses: readonly Address[], networkID: number): string[] =>
  addresses.map((each) => addressText(each, hrpOf(networkID)))
