import type { Json } from "../../../../src/core/lib/json.js"
import { EMPTY, FRIEND, X_CHAIN } from "../fixture.js"
import { type Case, refused } from "../table.js"

/** Every way in which an address can be wrong, with our reason and AvalancheGo's text. */
const wrongAddresses: readonly (readonly [address: string, reason: string, reference: string])[] = [
  ["nope", "the text is too short to hold its checksum", "no separator found in address"],
  ["", "the text is not base58", "no separator found in address"],
  [FRIEND.slice(2), `it lacks the chain that it belongs to: ${FRIEND}`, "no separator found in address"],
  [
    "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC",
    "it is an address of EVM chains; those of the P-Chain begin with P-local1, also for the same key",
    "no separator found in address",
  ],
  ["Q-nope", "it must be P-local1 and 38 more characters: some are missing or too many", "invalid bech32 string length 4"],
  [FRIEND.replace("P-", "nope-"), "there is no chain nope", "there is no ID with alias: nope"],
  [FRIEND.replace("P-", "X-"), "it belongs to another chain: X", `mismatched chainIDs: expected "${EMPTY}" but got "${X_CHAIN}"`],
  [
    "P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t",
    "it belongs to another network: fuji, not local",
    'expected hrp "local" but got "fuji"',
  ],
  [
    "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5U00z96u",
    "its letters must be lower case",
    "string not all lowercase or all uppercase",
  ],
  [
    "P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
    "its checksum does not match: a character is wrong",
    "invalid checksum (expected (bech32=6wmu4t, bech32m=6wmu4t0jtssf), got 00z96u)",
  ],
]

/** The cases of a method that takes addresses. */
export function badAddressCases(paramsWith: (address: string) => Json): Case[] {
  return wrongAddresses.map(([address, reason, reference]) =>
    refused(
      paramsWith(address),
      "platform.bad_address",
      address === "" ? { reason } : { address, reason },
      `couldn't parse address ${JSON.stringify(address)}: ${reference}`,
    ),
  )
}
