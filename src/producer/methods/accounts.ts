import { toHex } from "../../core/lib/bytes.js"
import { addressText } from "../../core/types/address.js"
import { privateKeyText } from "../../core/types/privateKey.js"
import { evmAddressOf } from "../../evm/address.js"
import { described, list, optional, string } from "../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { secp256k1 } from "../../platform/backends.js"
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
        evmAddress: described(
          string,
          "The address of the same key on EVM chains, such as the C-Chain, with the checksum of EIP-55.",
        ),
        privateKey: described(string, "The private key, which is publicly known. Never use it on another network."),
        privateKeyHex: described(string, "The private key in the form of EVM wallets: `0x` and hex."),
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
            evmAddress: "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC",
            privateKey: "PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN",
            privateKeyHex: "0x56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027",
            balance: "29997973999972831",
          },
          {
            address: "P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2",
            evmAddress: "0x1f0e5C64AFdf53175f78846f7125776E76FA8F34",
            privateKey: "PrivateKey-vmRQiZeXEXYMyJhEiqdC2z5JhuDbxL8ix9UVvjgMu2Er1NepE",
            privateKeyHex: "0x7a14fdf6bb1d53e28384f70209280dd8848bdc96b5f9eb7fdde9fcddc7ef1a0d",
            balance: "0",
          },
        ],
      },
    },
  ],

  handler(_params, { chain, node }) {
    return {
      accounts: shownAccounts(devKeys(chain), chain).map(({ address, secret, publicKey, balance }, i) => ({
        number: i < OWN_KEYS ? undefined : i - OWN_KEYS,
        address: addressText(address, node.hrp),
        evmAddress: evmAddressOf(publicKey ?? secp256k1().publicKey(secret)) as string,
        privateKey: privateKeyText(secret),
        privateKeyHex: `0x${toHex(secret)}`,
        balance,
      })),
    }
  },
})
