import { hexToBytes } from "../../../../src/core/lib/bytes.js"
import { shortIDText } from "../../../../src/core/types/address.js"
import { toHexText } from "../../../../src/core/types/hexText.js"
import { idText } from "../../../../src/core/types/id.js"
import { AVAX_ID, COIN_ID, EMPTY, FRIEND, type MethodsFixture, STRANGER, X_CHAIN } from "../fixture.js"
import { friend } from "../scenario/scenario.js"
import { both, type Case, differ, noJson, refusalText, refused, type Table } from "../table.js"
import { badAddressCases } from "./addresses.js"

/** Cases of the methods about balances and UTXOs. */
export function moneyCases(facts: MethodsFixture): Table {
  return { ...balanceCases(facts), ...utxoCases(facts) }
}

function balanceCases({ ownedBy }: MethodsFixture): Table {
  const none = { balance: "0", unlocked: "0", lockedStakeable: "0", lockedNotStakeable: "0" }
  const maps = { balances: {}, unlockeds: {}, lockedStakeables: {}, lockedNotStakeables: {} }
  // D16
  const nothing = (params: Case["params"]) =>
    differ(params, { ...none, ...maps, utxoIDs: [] }, { ...none, ...maps, utxoIDs: null })
  const [locked, stakeable] = ["7000000000", "3000000000"]
  const [balance, unlocked] = ["324672994779", "314672994779"]
  const friendly = {
    ...{ balance, unlocked, lockedStakeable: stakeable, lockedNotStakeable: locked },
    balances: { [COIN_ID]: "11", [AVAX_ID]: balance },
    unlockeds: { [COIN_ID]: "11", [AVAX_ID]: unlocked },
    lockedStakeables: { [AVAX_ID]: stakeable },
    lockedNotStakeables: { [AVAX_ID]: locked },
    utxoIDs: ownedBy(friend).map(({ utxo }) => ({ txID: idText(utxo.txID), outputIndex: utxo.outputIndex })),
  }
  const bech32 = FRIEND.slice(2)
  // Every way to write an address, also all of them at once.
  const ways = [FRIEND, `platform-${bech32}`, `${EMPTY}-${bech32}`, `P-${bech32.toUpperCase()}`, shortIDText(friend)]
  return {
    "platform.getBalance": {
      takes: { addresses: "strings" },
      normal: [both({ addresses: [FRIEND] }, friendly)],
      "all parameters": [
        ...[...ways.map((way) => [way]), ways].map((addresses) => both({ addresses }, friendly)),
        nothing({ addresses: [STRANGER] }),
      ],
      "omitted parameters": [nothing(undefined), nothing({}), nothing({ addresses: [] }), nothing({ addresses: null })],
      errors: [
        ...badAddressCases((address) => ({ addresses: [FRIEND, address] })),
        refused(
          { addresses: Array(2000).fill(FRIEND) },
          "platform.too_many_addresses",
          { addresses: 2000, limit: 1024 },
          "number of addresses given, 2000, exceeds maximum, 1024",
        ),
      ],
    },
  }
}

function utxoCases({ ownedBy, waiting }: MethodsFixture): Table {
  const mine = ownedBy(friend)
  const page = (params: object, utxos: readonly string[], endIndex: object, encoding = "hex") =>
    both(params as never, { numFetched: String(utxos.length), utxos, endIndex, encoding })
  const all = mine.map(({ hex }) => hex)
  const last = { address: FRIEND, utxo: mine.at(-1)?.utxoID }
  const addresses = [FRIEND]
  const wrongStart = (startIndex: { address?: string; utxo?: string }, reason: string, reference: string): Case =>
    refused(
      { addresses, startIndex },
      "platform.bad_start_index",
      { startIndex: { address: "", utxo: "", ...startIndex }, reason },
      `couldn't parse start index ${reference}`,
    )
  const [first, second] = mine
  return {
    "platform.getUTXOs": {
      takes: { addresses: "strings", limit: "u32", startIndex: "startIndex", sourceChain: "string", encoding: "encoding" },
      normal: [page({ addresses }, all, last), page({ addresses: [FRIEND, FRIEND] }, all, last)],
      "all parameters": [
        page(
          { addresses, limit: 1, startIndex: { address: FRIEND, utxo: first?.utxoID }, sourceChain: "P", encoding: "hexnc" },
          [second?.hexnc as string],
          { address: FRIEND, utxo: second?.utxoID },
          "hexnc",
        ),
        ...[0, 1024, 1025, "5000", 4_294_967_295].map((limit) => page({ addresses, limit }, all, last)),
        ...["X", "avm", X_CHAIN].map((sourceChain) =>
          page(
            { addresses, sourceChain },
            waiting.map(({ hex }) => hex),
            { address: FRIEND, utxo: waiting.at(-1)?.utxoID },
          ),
        ),
        page({ addresses, sourceChain: "C" }, [], { address: FRIEND, utxo: EMPTY }),
        // Without a result the end index is the highest address, in any order.
        ...[
          [STRANGER, FRIEND],
          [FRIEND, STRANGER],
        ].map((each) => page({ addresses: each, sourceChain: "C" }, [], { address: STRANGER, utxo: EMPTY })),
        page({ addresses: [FRIEND, ...Array(1023).fill(STRANGER)] }, all, { address: STRANGER, utxo: last.utxo }),
      ],
      "omitted parameters": [
        refused({}, "platform.no_addresses", {}, "no addresses provided"),
        { ...refused({}, "platform.no_addresses", {}, "no addresses provided"), params: undefined as never },
      ],
      errors: [
        refused({ addresses: [] }, "platform.no_addresses", {}, "no addresses provided"),
        refused(
          { addresses: Array(1025).fill(FRIEND) },
          "platform.too_many_addresses",
          { addresses: 1025, limit: 1024 },
          "number of addresses given, 1025, exceeds maximum, 1024",
        ),
        refused(
          { addresses, sourceChain: "nope" },
          "platform.unknown_source_chain",
          { sourceChain: "nope" },
          'problem parsing source chainID "nope": there is no ID with alias: nope',
        ),
        ...badAddressCases((address) => ({ addresses: [address] })),
        wrongStart({ address: FRIEND }, "the text is not base58", "utxo: base58 decoding error: zero length string"),
        wrongStart(
          { utxo: EMPTY },
          "an address does not belong to this chain",
          'address "": couldn\'t parse address "": no separator found in address',
        ),
        noJson({ addresses }, refusalText(`couldn't encode UTXO ${first?.utxoID} as json: unsupported encoding in method`)),
        noJson(
          { addresses: [STRANGER] },
          { result: { numFetched: "0", utxos: [], endIndex: { address: STRANGER, utxo: EMPTY }, encoding: "json" } },
        ),
        // D22: in hex the contract takes it.
        {
          params: { addresses, limit: 1, startIndex: { address: FRIEND, utxo: toHexText(hexToBytes(first!.id)) } },
          contract: {
            result: {
              numFetched: "1",
              utxos: [second?.hex],
              endIndex: { address: FRIEND, utxo: second?.utxoID },
              encoding: "hex",
            },
          },
          avalanchego: refusalText("couldn't parse start index utxo: base58 decoding error: Invalid base58 digit ('0')"),
        },
      ],
    },
  }
}
