import { addressText } from "../../core/types/address.js"
import { privateKeyText } from "../../core/types/privateKey.js"
import { described, list, string } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"

export const accounts = devMethod({
  name: "dev.accounts",
  summary: "The funded keys that the node prints when it starts, with what each can spend now.",
  params: object({}),
  result: object({
    accounts: list(
      object({
        address: string,
        privateKey: described(string, "public: never use it elsewhere"),
        balance: described(u64, "nAVAX that it can spend now"),
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

  handler(_params, { dev, node }) {
    return {
      accounts: dev.accounts().map(({ address, secret, balance }) => ({
        address: addressText(address, node.hrp),
        privateKey: privateKeyText(secret),
        balance,
      })),
    }
  },
})
