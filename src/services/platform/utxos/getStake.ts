import { clamp64 } from "../../../core/lib/math64.js"
import type { Work } from "../../../core/lib/work.js"
import { stakesOf } from "../../../core/readmodel/stakes.js"
import { tables } from "../../../core/state/tables.js"
import type { Address } from "../../../core/types/address.js"
import type { Encoding } from "../../../core/types/hexText.js"
import { type ID, idText } from "../../../core/types/id.js"
import type { Raw } from "../../../jsonrpc/method.js"
import { answer } from "../../../jsonrpc/result.js"
import { bool, described, list, string, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { cachedOr } from "../../cache/answerCache.js"
import { type Context, method } from "../../context.js"
import { encoding } from "../../kinds.js"
import { platformError } from "../errors.js"
import { parseAddresses } from "../params/addresses.js"
import { checkTextEncoding, textOf } from "../params/encodings.js"
import { rawOf } from "../rawJson.js"
import { byAsset } from "./getBalance.js"

const MAX_ADDRESSES = 256

export const getStake = method({
  name: "platform.getStake",
  summary: "What addresses have staked, on all subnets, now or in a period that has not begun; in nAVAX and by asset.",
  deprecated: "since v1.9.12; use getTx or an indexer",
  params: object({
    addresses: withDefault(list(string), []),
    validatorsOnly: described(withDefault(bool, false), "leave delegations out"),
    encoding: withDefault(encoding, "hex"),
  }),
  result: answer.object({
    staked: answer.digits,
    stakeds: answer.map(answer.digits, "asset ID"),
    stakedOutputs: answer.list(answer.hex),
    encoding: answer.encoding,
  }),
  cost: 2,
  examples: [
    {
      params: { addresses: ["P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2"], validatorsOnly: true },
      result: {
        staked: "10000000000000000",
        stakeds: { "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe": "10000000000000000" },
        stakedOutputs: [
          "0x0000dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700071afd498d00000000000000000000000000010000000146a9c04f4bf783aa69daabd519dcf36978168b66ed50b51f",
          "0x0000dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700071afd498d00000000000000000000000000010000000146a9c04f4bf783aa69daabd519dcf36978168b66ed50b51f",
          "0x0000dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700071afd498d00000000000000000000000000010000000146a9c04f4bf783aa69daabd519dcf36978168b66ed50b51f",
          "0x0000dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700071afd498d00000000000000000000000000010000000146a9c04f4bf783aa69daabd519dcf36978168b66ed50b51f",
          "0x0000dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700071afd498d00000000000000000000000000010000000146a9c04f4bf783aa69daabd519dcf36978168b66ed50b51f",
        ],
        encoding: "hex",
      },
    },
  ],

  handler({ addresses, validatorsOnly, encoding }, context) {
    const count = addresses.length
    if (count > MAX_ADDRESSES) {
      const reference = `${count} addresses provided but this method can take at most ${MAX_ADDRESSES}`
      throw platformError("platform.too_many_addresses", { addresses: count, limit: MAX_ADDRESSES, reference })
    }
    const owners = parseAddresses(addresses, context)
    checkTextEncoding(encoding, context)
    const question = `getStake ${validatorsOnly} ${encoding}`
    // A pending staker that becomes a current one changes places without a transaction.
    const mayMove = context.view.first(tables.pendingStakers) !== undefined
    const slot = mayMove
      ? context.cache.stateSlot<Raw>(`${question} ${owners.join()}`)
      : context.cache.addressSlot<Raw>(owners, question)
    return cachedOr(slot, () => printedStakes(owners, { validatorsOnly, encoding }, context))
  },
})

/** How many outputs are printed in one step: about a millisecond. */
const PRINTED_AT_ONCE = 500

function* printedStakes(
  owners: readonly Address[],
  { validatorsOnly, encoding }: { validatorsOnly: boolean; encoding: Encoding },
  context: Context,
): Work<Raw> {
  const amounts = new Map<ID, bigint>()
  const stakedOutputs: string[] = []
  for (const { assetID, amount, bytes } of yield* stakesOf(context.view, owners, { validatorsOnly })) {
    amounts.set(assetID, clamp64((amounts.get(assetID) ?? 0n) + amount))
    stakedOutputs.push(textOf(bytes, encoding, () => `couldn't encode output ${idText(assetID)} as ${encoding}: `))
    if (stakedOutputs.length % PRINTED_AT_ONCE === 0) yield
  }
  const staked = (amounts.get(context.rules.avaxAssetID) ?? 0n).toString()
  return rawOf({ staked, stakeds: byAsset(amounts), stakedOutputs, encoding })
}
