import { printJson } from "../../../core/lib/json.js"
import type { Work } from "../../../core/lib/work.js"
import { type Amounts, type Balances, balancesOf } from "../../../core/readmodel/balances.js"
import { allUtxos } from "../../../core/readmodel/utxos.js"
import { type ID, idText } from "../../../core/types/id.js"
import type { Utxo } from "../../../core/types/utxo.js"
import { Raw } from "../../../jsonrpc/method.js"
import { answer } from "../../../jsonrpc/result.js"
import { described, list, string, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { type Context, method } from "../../context.js"
import { platformError } from "../errors.js"
import { parseAddresses } from "../params/addresses.js"

const amounts = answer.map(answer.digits, "asset ID")

const MAX_ADDRESSES = 1024

/** How many UTXOs are printed in one step: about a millisecond. */
const PRINTED_AT_ONCE = 1000

export const getBalance = method({
  name: "platform.getBalance",
  summary:
    "What addresses own, in nAVAX and by asset: each UTXO that one of them is an owner of counts, locked or not by this node's clock.",
  deprecated: "since v1.9.12; use getUTXOs",
  params: object({ addresses: described(withDefault(list(string), []), "at most 1024") }),
  result: answer.object({
    balance: answer.digits,
    unlocked: answer.digits,
    lockedStakeable: answer.digits,
    lockedNotStakeable: answer.digits,
    balances: amounts,
    unlockeds: amounts,
    lockedStakeables: amounts,
    lockedNotStakeables: amounts,
    utxoIDs: answer.nullable(answer.list(answer.object({ txID: answer.id, outputIndex: answer.integer }))),
  }),
  cost: 2,
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

  *handler({ addresses }, context) {
    const { view, node } = context
    checkCount(addresses.length)
    const owners = parseAddresses(addresses, context)
    const { value, store } = context.cache.addressSlot<Raw>(owners, "getBalance")
    if (value) return value
    const utxos = yield* allUtxos(view, owners)
    const balances = balancesOf(utxos, node.now())
    return store(yield* printed(utxos, balances, context), balances.changesAt)
  },
})

function checkCount(count: number): void {
  if (count <= MAX_ADDRESSES) return
  const reference = `number of addresses given, ${count}, exceeds maximum, ${MAX_ADDRESSES}`
  throw platformError("platform.too_many_addresses", { addresses: count, limit: MAX_ADDRESSES, reference })
}

/** The answer as JSON put together by hand, some UTXOs at a time: there may be very many. */
function* printed(utxos: readonly Utxo[], balances: Balances, { rules, dialect }: Context): Work<Raw> {
  const { total, unlocked, lockedStakeable, lockedNotStakeable } = balances
  const names = new Map([...total.keys()].map((assetID) => [assetID, idText(assetID)]))
  const avaxOf = (each: Amounts) => (each.get(rules.avaxAssetID) ?? 0n).toString()
  const sums = printJson({
    balance: avaxOf(total),
    unlocked: avaxOf(unlocked),
    lockedStakeable: avaxOf(lockedStakeable),
    lockedNotStakeable: avaxOf(lockedNotStakeable),
    balances: byAsset(total, names),
    unlockeds: byAsset(unlocked, names),
    lockedStakeables: byAsset(lockedStakeable, names),
    lockedNotStakeables: byAsset(lockedNotStakeable, names),
  })
  const utxoIDs: string[] = []
  for (const { txID, outputIndex } of utxos) {
    utxoIDs.push(`{"txID":"${idText(txID)}","outputIndex":${outputIndex}}`)
    if (utxoIDs.length % PRINTED_AT_ONCE === 0) yield
  }
  const list = utxos.length === 0 && dialect === "avalanchego" ? "null" : `[${utxoIDs.join()}]`
  return new Raw(Buffer.from(`${sums.slice(0, -1)},"utxoIDs":${list}}`, "latin1"))
}

/** Amounts as JSON, in the order of the assets' texts, which may have been spelled before. */
export function byAsset(amounts: Amounts, names?: ReadonlyMap<ID, string>): Readonly<Record<string, string>> {
  const entries = [...amounts].map(([assetID, amount]) => [names?.get(assetID) ?? idText(assetID), amount.toString()] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
