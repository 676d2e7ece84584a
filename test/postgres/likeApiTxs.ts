import type { Json } from "../../src/core/lib/json.js"
import { idText, parseID } from "../../src/core/types/id.js"
import { utxoID } from "../../src/core/types/utxo.js"
import type { Ask } from "../fixtures/explorerAsk.js"
import type { Answer, Line } from "./likeApi.js"

/** Compares the rows of a query with lines that the API gives. */
export type Compare = (what: string, query: string, answers: Iterable<Line>) => Promise<void>

/** A transaction as the API shows it: its facts, and its JSON. */
interface SeenTx {
  readonly txID: string
  readonly info: Answer
  readonly json: Answer
  /** The number of its bytes. */
  readonly size: number
}

const list = (value: Json | undefined) => (value ?? []) as unknown as readonly Answer[]
const seconds = (time: Json | undefined) => Math.floor(new Date(String(time)).getTime() / 1000)
const bytesOf = (hex: Json | undefined) => String(hex ?? "0x").slice(2)
const owners = (owner: Json | undefined) => (owner as Answer | undefined)?.addresses
const epoch = (column: string) => `extract(epoch from ${column})::bigint`

/** Reads every transaction by the API. */
async function seenTxs(ask: Ask, txIDs: readonly string[]): Promise<readonly SeenTx[]> {
  const seen = txIDs.map(async (txID): Promise<SeenTx> => {
    const [info, hex, { tx }] = await Promise.all([
      ask("platform.getTxInfo", { txID }),
      ask("platform.getTx", { txID, encoding: "hex" }),
      ask("platform.getTx", { txID, encoding: "json" }),
    ])
    // The text ends with a checksum of four bytes.
    return { txID, info, json: (tx as Answer).unsignedTx as Answer, size: String(hex.tx).length / 2 - 1 - 4 }
  })
  return await Promise.all(seen)
}

/** Compares every column that tells of a transaction with the same transaction in the API. */
export async function expectTxs(compare: Compare, ask: Ask, txIDs: readonly string[], durango: bigint): Promise<void> {
  const txs = await seenTxs(ask, txIDs)
  await compare(
    "txs",
    `select distinct on (tx_id) tx_id, kind, ${epoch("time")}, status, fee, encode(memo, 'hex'), size from serac.txs order by tx_id, height desc`,
    txs.map(({ txID, info, json, size }) => {
      const { kind, timestamp, status, fee } = info
      return [txID, kind, seconds(timestamp), status, fee, bytesOf(json.memo), size]
    }),
  )
  await expectAmounts(compare, txs)
  await expectAdded(compare, txs, durango)
}

/** The roles of outputs that are none of the P-Chain. */
const ELSEWHERE: readonly unknown[] = ["stake", "export"]

async function expectAmounts(compare: Compare, txs: readonly SeenTx[]): Promise<void> {
  const spent = ({ info }: SeenTx) => list(info.inputs).filter(({ sourceChain }) => sourceChain === undefined)
  await compare(
    "inputs",
    "select spent_by, input_index, tx_id, output_index, asset_id, amount from serac.inputs",
    txs.flatMap((tx) =>
      spent(tx).map(({ txID, outputIndex, assetID, amount }, i) => [tx.txID, i, txID, outputIndex, assetID, amount]),
    ),
  )
  await compare(
    "outputs of transactions",
    `select o.created_by, o.tx_id, o.output_index, o.kind, o.asset_id, o.amount, o.addresses, o.threshold, o.locktime, o.stakeable_locktime, i.spent_by
     from serac.outputs o left join serac.inputs i using (tx_id, output_index) where created_by is not null`,
    txs.flatMap(({ txID: createdBy, info }) =>
      list(info.outputs).flatMap((output) => {
        const { txID, outputIndex, role, assetID, amount, addresses, threshold, locktime, stakeableLocktime, spentBy } = output
        if (ELSEWHERE.includes(role)) return []
        return [
          [
            createdBy,
            txID,
            outputIndex,
            role,
            assetID,
            amount,
            addresses,
            threshold,
            locktime ?? 0,
            stakeableLocktime ?? 0,
            spentBy,
          ],
        ]
      }),
    ),
  )
  await compare(
    "cross_chain_transfers",
    "select tx_id, transfer_index, direction, chain_id, asset_id, amount, addresses from serac.cross_chain_transfers",
    txs.flatMap(({ txID, info, json }) => {
      const imports = list(info.inputs).filter(({ sourceChain }) => sourceChain !== undefined)
      const exports = list(info.outputs).filter(({ role }) => role === "export")
      return [
        ...imports.map(({ sourceChain, assetID, amount }, i) => [txID, i, "import", sourceChain, assetID, amount, ""]),
        ...exports.map(({ assetID, amount, addresses }, i) => [
          txID,
          i,
          "export",
          json.destinationChain,
          assetID,
          amount,
          addresses,
        ]),
      ]
    }),
  )
  await compare(
    "rewards by transaction",
    `select o.created_by, r.tx_id, r.output_index, r.staker_tx_id, r.node_id, r.subnet_id, r.asset_id, r.amount, r.addresses from serac.rewards r
     join serac.outputs o using (tx_id, output_index)`,
    txs.flatMap(({ txID: createdBy, info }) => {
      const staker = info.staker as Answer
      return list(info.outputs).flatMap(({ role, txID, outputIndex, assetID, amount, addresses }) =>
        role === "reward"
          ? [[createdBy, txID, outputIndex, staker.txID, staker.nodeID, staker.subnetID, assetID, amount, addresses]]
          : [],
      )
    }),
  )
}

/** Compares stakers, subnets, chains and L1 validators with the transactions that added or changed them. */
async function expectAdded(compare: Compare, txs: readonly SeenTx[], durango: bigint): Promise<void> {
  const of = (...wanted: string[]) => txs.filter(({ info }) => wanted.includes(String(info.kind)) && info.status === "Committed")
  await compare(
    "stakers",
    `select tx_id, role, subnet_id, node_id, ${epoch("start_time")}, ${epoch("end_time")}, weight, encode(public_key, 'hex'), delegation_shares, is_auto_renewed,
       reward_addresses, delegation_reward_addresses from serac.stakers`,
    txs
      .filter(({ info, json }) => "staker" in info && !("txID" in json) && info.status === "Committed")
      .map((tx) => stakerLine(tx, durango)),
  )
  await compare(
    "subnets as created",
    "select subnet_id, owner_addresses, owner_threshold from serac.subnets",
    of("CreateSubnetTx").map(({ txID, json }) => [txID, owners(json.owner), (json.owner as Answer).threshold]),
  )
  await compare(
    "subnet_changes",
    `select tx_id, subnet_id, change, owner_addresses, owner_threshold, asset_id, manager_chain_id, encode(manager_address, 'hex')
     from serac.subnet_changes`,
    [
      ...of("TransferSubnetOwnershipTx").map(({ txID, json: { subnetID, newOwner } }) => {
        return [txID, subnetID, "owner", owners(newOwner), (newOwner as Answer).threshold, null, null, null]
      }),
      ...of("TransformSubnetTx").map(({ txID, json: { subnetID, assetID } }) => {
        return [txID, subnetID, "elastic", null, null, assetID, null, null]
      }),
      ...of("ConvertSubnetToL1Tx").map(({ txID, json: { subnetID, chainID, address } }) => {
        return [txID, subnetID, "l1", null, null, null, chainID, bytesOf(address)]
      }),
    ],
  )
  const registered = of("ConvertSubnetToL1Tx", "RegisterL1ValidatorTx")
  await compare(
    "l1_validators as registered",
    "select tx_id, validation_id, subnet_id, node_id, weight, balance from serac.l1_validators",
    registered.flatMap(({ txID, info }) =>
      list(info.l1Validators).map((each) => [txID, each.validationID, each.subnetID, each.nodeID, each.weight, each.added]),
    ),
  )
}

function stakerLine({ txID, info, json }: SeenTx, durango: bigint): Line {
  const { role, subnetID, nodeID } = info.staker as Answer
  const { validator, signer, kind = info.kind } = json
  const isRenewed = kind === "AddAutoRenewedValidatorTx"
  const rewarded = owners(json.rewardsOwner ?? json.validationRewardsOwner)
  const stake = list(json.stake).reduce((sum, { output }) => sum + BigInt(String((output as Answer).amount)), 0n)
  const shares = role === "validator" && rewarded !== undefined ? (json.shares ?? json.delegationShares) : null
  const accepted = seconds(info.timestamp)
  // From Durango on a staker begins with its block.
  const startsAtOnce = info.height !== "0" && accepted >= durango
  const { start, end, weight } = (validator ?? {}) as Answer
  return [
    ...[txID, role, subnetID, nodeID, startsAtOnce ? accepted : start, isRenewed ? accepted + Number(json.period) : end],
    ...[isRenewed ? stake : weight],
    ...[bytesOf((signer as Answer | undefined)?.publicKey) || null, shares, isRenewed, rewarded ?? ""],
    // Before permissionless validators the validator's share went to the owner of its own reward.
    role === "validator" ? (owners(json.delegationRewardsOwner) ?? rewarded ?? "") : "",
  ]
}

/** Compares outputs that no transaction created with the API. */
export async function expectUntraced(compare: Compare, ask: Ask, places: readonly (readonly [string, number])[]): Promise<void> {
  const lines = places.map(async ([txID, outputIndex]) => {
    const found = await ask("platform.getUTXOInfo", { utxoID: utxoIDText(txID, outputIndex) })
    const { assetID, amount, addresses, threshold, locktime, stakeableLocktime, spent } = found
    const spender = spent as Answer | null
    return [txID, outputIndex, assetID, amount, addresses, threshold, locktime ?? 0, stakeableLocktime ?? 0, spender?.txID]
  })
  await compare(
    "outputs without a transaction",
    `select o.tx_id, o.output_index, o.asset_id, o.amount, o.addresses, o.threshold, o.locktime, o.stakeable_locktime, i.spent_by
     from serac.outputs o left join serac.inputs i using (tx_id, output_index) where created_by is null and o.kind in ('genesis', 'override')`,
    await Promise.all(lines),
  )
}

const utxoIDText = (txID: string, outputIndex: number) => idText(utxoID(parseID(txID), outputIndex))
