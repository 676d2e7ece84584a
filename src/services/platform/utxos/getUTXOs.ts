import { encode } from "../../../core/codec/decode.js"
import { toHex } from "../../../core/lib/bytes.js"
import { goQuote } from "../../../core/lib/go/goQuote.js"
import { Invalid } from "../../../core/lib/invalid.js"
import { type UtxoPage, type UtxoPlace, utxoPage } from "../../../core/readmodel/utxos.js"
import type { Address } from "../../../core/types/address.js"
import { type Encoding, fromHexText } from "../../../core/types/hexText.js"
import { EMPTY_ID, type ID, ID_SIZE, idText, P_CHAIN_ID, parseID } from "../../../core/types/id.js"
import { topLevelUtxo, utxoID } from "../../../core/types/utxo.js"
import { described, list, string, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u32, u32Text } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import type { Context } from "../../context.js"
import { method } from "../../context.js"
import { addressOutput, encodedBytes, encoding, id } from "../../kinds.js"
import { untilTouched } from "../../lifetimes.js"
import { platformError } from "../errors.js"
import { checkAddressCount, exceedsMaximum, parseAddresses, readAddress } from "../params/addresses.js"
import { chainOf } from "../params/aliases.js"
import { checkTextEncoding, encodedAs } from "../params/encodings.js"

const MAX_ADDRESSES = 1024
const MAX_LIMIT = 1024

/** Size of the UTXOs after which a page ends, bytes, because UTXOs may have thousands of owners. */
const MAX_BYTES = 4 * 1024 * 1024

const index = { address: string, utxo: string }
const startIndex = object({ address: withDefault(index.address, ""), utxo: withDefault(index.utxo, "") })

const result = object({
  numFetched: u32Text,
  utxos: list(encodedBytes),
  endIndex: object({ address: addressOutput, utxo: id }),
  encoding,
})

/** The parameters that decide how long an answer holds. */
interface Query {
  readonly addresses: readonly string[]
  readonly sourceChain: string
}

export const getUTXOs = method({
  name: "platform.getUTXOs",
  summary:
    "Returns the UTXOs of the given addresses, page by page in the order of address and UTXO ID. With `sourceChain` it returns the UTXOs that can be imported from that chain.",
  params: object({
    addresses: described(withDefault(list(string), []), "The addresses whose UTXOs are returned, at most 1024."),
    limit: described(
      withDefault(u32, MAX_LIMIT),
      "The largest number of UTXOs on a page, at most 1024; 0 means 1024. A page also ends after 4 MiB of UTXOs.",
    ),
    startIndex: described(withDefault(startIndex, { address: "", utxo: "" }), "The endIndex of the previous page."),
    sourceChain: described(withDefault(string, ""), "The alias or ID of the chain to import from."),
    encoding: described(withDefault(encoding, "hex"), "The encoding of the result."),
  }),
  result,
  cost: 2,
  lifetime: untilTouched<Query, unknown>(({ addresses }, context) => parseAddresses(addresses, context), {
    // UTXOs to import come from other chains, whose transactions this node does not see.
    isOfState: ({ sourceChain }, context) => sourceOf(sourceChain, context) !== P_CHAIN_ID,
  }),
  examples: [
    {
      title: "The first two UTXOs, and the index at which the next page starts",
      params: { addresses: ["P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"], limit: 2 },
      result: {
        numFetched: "2",
        utxos: [
          "0x0000ec416e645e9b26680f2ab35340cc6cd0bf8f3d7874b221e1e975c53f6b47086e00000001dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700000001a13b86000000000000000000000000010000000111111111111111111111111111111111111111115d7a964d",
          "0x0000a2552dc6c4ddb807780b9fb562bbd96a6e97d33fab665388b1426b77de55558400000002dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db000000070000000016500c5f00000000000000000000000100000001111111111111111111111111111111111111111119ee68fb",
        ],
        endIndex: {
          address: "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6",
          utxo: "hfsWso7GHBK2YcvHpAybdEV6PUujt5N7ah8uPvhNGyuHPb4LP",
        },
        encoding: "hex",
      },
    },
    {
      title: "UTXOs that can be imported from another chain",
      params: { addresses: ["P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"], sourceChain: "X", limit: 1 },
      result: {
        numFetched: "1",
        utxos: [
          "0x0000999999999999999999999999999999999999999999999999999999999999999900000001dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db000000070000000077359400000000000000000000000001000000011111111111111111111111111111111111111111f9a6cfa4",
        ],
        endIndex: {
          address: "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6",
          utxo: "T8xknTHroe7oq6oEGDooF7Ae6jLYrNevZVdkaBjkitBmJ892y",
        },
        encoding: "hex",
      },
    },
  ],

  handler({ addresses, limit: asked, startIndex, sourceChain, encoding }, context) {
    if (addresses.length === 0) throw platformError("platform.no_addresses")
    checkAddressCount(addresses.length, MAX_ADDRESSES, exceedsMaximum)
    const source = sourceOf(sourceChain, context)
    const owners = parseAddresses(addresses, context)
    const after = placeOf(startIndex, context)
    checkTextEncoding(encoding, context)
    const limit = asked === 0 || asked > MAX_LIMIT ? MAX_LIMIT : asked
    const query = { addresses: owners, limit, maxBytes: MAX_BYTES, ...(after ? { after } : {}) }
    const page = utxoPage(context.view, source === P_CHAIN_ID ? query : { ...query, sourceChain: source })
    return pageValue(page, owners, encoding)
  },
})

function pageValue({ utxos, end }: UtxoPage, owners: readonly Address[], encoding: Encoding) {
  const endIndex = { address: end.address ?? (owners[0] as Address), utxo: end.utxoID ?? EMPTY_ID }
  const encoded = utxos.map((utxo) =>
    encodedAs(encode(topLevelUtxo, utxo), encoding, () => {
      const { txID, outputIndex } = utxo
      return `couldn't encode UTXO ${idText(utxoID(txID, outputIndex))} as ${encoding}: `
    }),
  )
  return { numFetched: utxos.length, utxos: encoded, endIndex, encoding }
}

function sourceOf(sourceChain: string, context: Context): ID {
  const source = sourceChain === "" ? P_CHAIN_ID : chainOf(context, sourceChain)
  if (source === undefined) throw platformError("platform.unknown_source_chain", { sourceChain })
  return source
}

/** Returns the position after the last page. Both members count if one of them is given. */
function placeOf({ address, utxo }: { address: string; utxo: string }, context: Context): UtxoPlace | undefined {
  if (address === "" && utxo === "") return undefined
  const fail = (error: unknown, prefix: string) => {
    if (!(error instanceof Invalid)) throw error
    const data = { startIndex: { address, utxo }, reason: error.sentence, reference: `${prefix}: ${error.avalanchegoMessage}` }
    return platformError("platform.bad_start_index", data)
  }
  let start: UtxoPlace["address"]
  try {
    start = readAddress(address, context)
  } catch (error) {
    throw fail(error, `couldn't parse start index address ${goQuote(address)}`)
  }
  try {
    return { address: start, utxoID: utxoIDOf(utxo, context) }
  } catch (error) {
    throw fail(error, "couldn't parse start index utxo")
  }
}

/** Reads a UTXO ID in cb58, or in hex with a checksum, which the contract's documents also show. */
function utxoIDOf(text: string, { dialect }: Context): ID {
  if (dialect === "avalanchego" || !text.startsWith("0x")) return parseID(text)
  const bytes = fromHexText(text)
  if (bytes.length !== ID_SIZE) throw platformError("platform.bad_start_index", { utxo: text, reference: "" })
  return toHex(bytes) as ID
}
