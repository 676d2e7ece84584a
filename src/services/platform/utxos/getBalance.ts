import { printJson } from "../../../core/lib/json.js"
import { type Amounts, balancesOf } from "../../../core/readmodel/balances.js"
import { utxosOf } from "../../../core/readmodel/utxos.js"
import { type ID, idText } from "../../../core/types/id.js"
import { outputIndexIn, txIDIn, type UtxoText } from "../../../core/types/utxoText.js"
import { Raw } from "../../../jsonrpc/method.js"
import { answer } from "../../../jsonrpc/result.js"
import { list, string, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { answerAbout } from "../cache/lasting.js"
import { parseAddresses } from "../params/addresses.js"

const amounts = answer.map(answer.digits, "asset ID")

export const getBalance = method({
  name: "platform.getBalance",
  summary:
    "What addresses own, in nAVAX and by asset: each UTXO that one of them is an owner of counts, locked or not by this node's clock.",
  deprecated: "since v1.9.12; use getUTXOs",
  params: object({ addresses: withDefault(list(string), []) }),
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

  handler({ addresses }, context) {
    const { view, node, rules, dialect } = context
    const owners = parseAddresses(addresses, context)
    return answerAbout(context, owners, "getBalance", () => {
      const utxos = utxosOf(view, owners)
      const { total, unlocked, lockedStakeable, lockedNotStakeable, changesAt } = balancesOf(utxos, node.now())
      const names = new Map([...total.keys()].map((assetID) => [assetID, idText(assetID)]))
      const avaxOf = (each: Amounts) => (each.get(rules.avaxAssetID) ?? 0n).toString()
      const json = {
        balance: avaxOf(total),
        unlocked: avaxOf(unlocked),
        lockedStakeable: avaxOf(lockedStakeable),
        lockedNotStakeable: avaxOf(lockedNotStakeable),
        balances: byAsset(total, names),
        unlockeds: byAsset(unlocked, names),
        lockedStakeables: byAsset(lockedStakeable, names),
        lockedNotStakeables: byAsset(lockedNotStakeable, names),
      }
      const utxoIDs = utxos.length === 0 && dialect === "avalanchego" ? "null" : printedIDs(utxos)
      return { raw: new Raw(Buffer.from(`${printJson(json).slice(0, -1)},"utxoIDs":${utxoIDs}}`, "latin1")), until: changesAt }
    })
  },
})

/** What UTXOs are named by, as JSON put together by hand: there may be very many. */
function printedIDs(utxos: readonly UtxoText[]): string {
  let list = ""
  for (const text of utxos) list += `${list === "" ? "" : ","}{"txID":"${txIDIn(text)}","outputIndex":${outputIndexIn(text)}}`
  return `[${list}]`
}

/** Amounts as JSON, in the order of the assets' texts, which may have been spelled before. */
export function byAsset(amounts: Amounts, names?: ReadonlyMap<ID, string>): Readonly<Record<string, string>> {
  const entries = [...amounts].map(([assetID, amount]) => [names?.get(assetID) ?? idText(assetID), amount.toString()] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
