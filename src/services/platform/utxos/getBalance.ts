import type { TypeOf } from "../../../core/codec/schema.js"
import type { ChargedPace } from "../../../core/lib/pace.js"
import { type Amounts, BalanceSum } from "../../../core/readmodel/balances.js"
import { utxoPages } from "../../../core/readmodel/utxos.js"
import type { Address } from "../../../core/types/address.js"
import { type ID, idText } from "../../../core/types/id.js"
import { described, list, string, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { nullable, textOutput } from "../../../jsonrpc/schema/outputs.js"
import { type Context, method } from "../../context.js"
import { id } from "../../kinds.js"
import { untilTouched } from "../../lifetimes.js"
import { checkAddressCount, exceedsMaximum, parseAddresses } from "../params/addresses.js"
import { amountsByAsset, sortedByAsset } from "./amountsByAsset.js"

const MAX_ADDRESSES = 1024

/** An ID whose text is not cached, because an address may have very many. */
const scannedID = textOutput(id.jsonSchema, idText)

const result = object({
  balance: described(u64, "All AVAX of the addresses, in nAVAX."),
  unlocked: described(u64, "The part that can be spent now, in nAVAX."),
  lockedStakeable: described(u64, "The part that is locked and can be staked, in nAVAX."),
  lockedNotStakeable: described(u64, "The part that is locked and cannot be staked, in nAVAX."),
  balances: amountsByAsset,
  unlockeds: amountsByAsset,
  lockedStakeables: amountsByAsset,
  lockedNotStakeables: amountsByAsset,
  utxoIDs: nullable(list(object({ txID: scannedID, outputIndex: u32 }))),
})

export const getBalance = method({
  name: "platform.getBalance",
  summary:
    "Returns the balance of the given addresses in nAVAX and by asset. Every UTXO that one of the addresses owns is counted; the node's clock decides which are locked.",
  deprecated: "since v1.9.12; use getUTXOs",
  params: object({ addresses: described(withDefault(list(string), []), "At most 1024 addresses.") }),
  result,
  cost: 2,
  lifetime: untilTouched<{ readonly addresses: readonly string[] }, Partial<Balance>>(
    ({ addresses }, context) => parseAddresses(addresses, context),
    { changesAt: ({ changesAt }) => changesAt },
  ),
  examples: [
    {
      params: { addresses: ["P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"] },
      result: {
        balance: "2115374344799",
        unlocked: "2107374344799",
        lockedStakeable: "3000000000",
        lockedNotStakeable: "5000000000",
        balances: { "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe": "2115374344799" },
        unlockeds: { "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe": "2107374344799" },
        lockedStakeables: { "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe": "3000000000" },
        lockedNotStakeables: { "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe": "5000000000" },
        utxoIDs: [
          { txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq", outputIndex: 1 },
          { txID: "2EVaAE38MsgWh3QAht3Mj7L7dsEAKWdZR6VqXUvNGas4KWL4jo", outputIndex: 2 },
          { txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq", outputIndex: 3 },
          { txID: "2EVaAE38MsgWh3QAht3Mj7L7dsEAKWdZR6VqXUvNGas4KWL4jo", outputIndex: 1 },
          { txID: "EFLzHqU7pYK4bC6H93HhRgQgG87zWdWy5a2HHbLLpcFdcHkWu", outputIndex: 1 },
          { txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq", outputIndex: 0 },
        ],
      },
    },
  ],

  async handler({ addresses }, context, { pace }) {
    checkAddressCount(addresses.length, MAX_ADDRESSES, exceedsMaximum)
    return balanceOf(parseAddresses(addresses, context), context, pace)
  },
})

/** A balance, and the time at which the next of its UTXOs is unlocked, Unix seconds. */
type Balance = TypeOf<typeof result> & { readonly changesAt: bigint | undefined }

async function balanceOf(
  owners: readonly Address[],
  { view, node, rules, dialect }: Context,
  pace: ChargedPace,
): Promise<Balance> {
  using answer = node.answerRoom.begin()
  const sum = new BalanceSum(node.now())
  const utxoIDs: { readonly txID: ID; readonly outputIndex: number }[] = []
  for (const page of utxoPages(view, owners)) {
    for (const utxo of page) {
      sum.add(utxo)
      utxoIDs.push({ txID: utxo.txID, outputIndex: utxo.outputIndex })
    }
    await answer.grow(utxoIDs.length * PRINTED_ID_BYTES, pace)
    if (pace.isDue) await pace.pause()
  }
  const avaxOf = (amounts: Amounts) => amounts.get(rules.avaxAssetID) ?? 0n
  return {
    balance: avaxOf(sum.total),
    unlocked: avaxOf(sum.unlocked),
    lockedStakeable: avaxOf(sum.lockedStakeable),
    lockedNotStakeable: avaxOf(sum.lockedNotStakeable),
    balances: sortedByAsset(sum.total),
    unlockeds: sortedByAsset(sum.unlocked),
    lockedStakeables: sortedByAsset(sum.lockedStakeable),
    lockedNotStakeables: sortedByAsset(sum.lockedNotStakeable),
    utxoIDs: utxoIDs.length === 0 && dialect === "avalanchego" ? null : utxoIDs,
    changesAt: sum.changesAt,
  }
}

/** The length of a printed UTXO ID at least, bytes. */
const PRINTED_ID_BYTES = 75
