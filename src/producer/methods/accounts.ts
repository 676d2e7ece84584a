import { addressText } from "../../core/types/address.js"
import { privateKeyText } from "../../core/types/privateKey.js"
import { described, list, optional, string } from "../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { devKeys, OWN_KEYS, shownAccounts } from "../dev/devAccounts.js"
import { devMethod } from "./context.js"

export const accounts = devMethod({
  name: "dev.accounts",
  summary:
    "Returns the funded accounts of the private chain with their keys, which are publicly known, and the amount that each can spend now.",
  params: object({}),
  result: object({
    accounts: list(
      object({
        number: optional(
          described(u32, "The number of the account, as the node prints it; absent for the two keys of the local network."),
        ),
        address: string,
        privateKey: described(string, "The private key, which is publicly known. Never use it on another network."),
        balance: described(u64, "The amount in nAVAX that the account can spend now."),
      }),
    ),
  }),
  examples: [
    {
      params: {},
      result: {
        accounts: [
          {
            address: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
            privateKey: "PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN",
            balance: "29997973999972831",
          },
          {
            address: "P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2",
            privateKey: "PrivateKey-vmRQiZeXEXYMyJhEiqdC2z5JhuDbxL8ix9UVvjgMu2Er1NepE",
            balance: "0",
          },
        ],
      },
    },
  ],

  handler(_params, { chain, node }) {
    return {
      accounts: shownAccounts(devKeys(chain), chain).map(({ address, secret, balance }, i) => ({
        number: i < OWN_KEYS ? undefined : i - OWN_KEYS,
        address: addressText(address, node.hrp),
        privateKey: privateKeyText(secret),
        balance,
      })),
    }
  },
})
