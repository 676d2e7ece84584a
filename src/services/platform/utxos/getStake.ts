import { addAmount } from "../../../core/readmodel/balances.js"
import { stakesOf } from "../../../core/readmodel/stakes.js"
import { tables } from "../../../core/state/tables.js"
import { type ID, idText } from "../../../core/types/id.js"
import { bool, described, list, string, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { type EncodedBytes, encodedBytes, encoding } from "../../kinds.js"
import { untilTouched } from "../../lifetimes.js"
import { checkAddressCount, parseAddresses } from "../params/addresses.js"
import { checkTextEncoding, encodedAs } from "../params/encodings.js"
import { amountsByAsset, sortedByAsset } from "./amountsByAsset.js"

const MAX_ADDRESSES = 256

const result = object({
  staked: described(u64, "All staked AVAX, in nAVAX."),
  stakeds: amountsByAsset,
  stakedOutputs: list(encodedBytes),
  encoding,
})

export const getStake = method({
  name: "platform.getStake",
  summary:
    "Returns the amounts that the given addresses have staked on all subnets, in nAVAX and by asset. Staking periods that have not started yet are included.",
  deprecated: "since v1.9.12; use getTx or an indexer",
  params: object({
    addresses: described(withDefault(list(string), []), "The addresses whose stakes are returned, at most 256."),
    validatorsOnly: described(withDefault(bool, false), "Whether delegations are excluded."),
    encoding: described(withDefault(encoding, "hex"), "The encoding of the result."),
  }),
  result,
  cost: 2,
  lifetime: untilTouched<{ readonly addresses: readonly string[] }, unknown>(
    ({ addresses }, context) => parseAddresses(addresses, context),
    // A pending staker becomes a current one without a transaction.
    { isOfState: (_params, { view }) => view.first(tables.pendingStakers) !== undefined },
  ),
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

  async handler({ addresses, validatorsOnly, encoding }, context, { pace }) {
    checkAddressCount(addresses.length, MAX_ADDRESSES)
    const owners = parseAddresses(addresses, context)
    checkTextEncoding(encoding, context)
    const amounts = new Map<ID, bigint>()
    const stakedOutputs: EncodedBytes[] = []
    for (const { assetID, amount, bytes } of await stakesOf(context.view, owners, pace, { validatorsOnly })) {
      addAmount(amounts, assetID, amount)
      stakedOutputs.push(encodedAs(bytes, encoding, () => `couldn't encode output ${idText(assetID)} as ${encoding}: `))
    }
    const staked = amounts.get(context.rules.avaxAssetID) ?? 0n
    return { staked, stakeds: sortedByAsset(amounts), stakedOutputs, encoding }
  },
})
