import { fromHex } from "../../../core/lib/bytes.js"
import { fieldsOf } from "../../../core/wire/fields.js"
import { recognise } from "../../../core/wire/recognise.js"
import { bool, described, list, optional, string } from "../../../jsonrpc/schema/kinds.js"
import { number } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { json, nullable } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { platformError } from "../errors.js"

/** The maximum length of a kind's name, in characters. */
const MAX_KIND = 64

export const decodeMethod = method({
  name: "platform.decode",
  summary:
    "Decodes bytes that are a transaction, a block, a UTXO, a Warp message or another structure, and returns its kind, its JSON and the position of every field.",
  isExtension: true,
  params: object({
    bytes: described(string, "The bytes as hex, with or without `0x` and checksum, at most 64 KiB."),
    as: described(
      optional(string),
      "The kind to decode the bytes as, such as `TransferableOutput`. Without it the kind is recognised.",
    ),
  }),
  result: object({
    kind: string,
    id: described(nullable(id), "The ID of the structure, or null if the protocol gives it no ID."),
    checksum: described(bool, "Whether the bytes ended with a checksum."),
    value: described(json, "The structure in the JSON form of the API."),
    fields: described(
      list(
        object({
          path: string,
          start: described(number, "The position of the first byte of the field."),
          end: described(number, "The position after the last byte of the field."),
          value: optional(described(json, "The value of the field, present if it is a single number or string.")),
        }),
      ),
      "The fields in the order of the bytes, without gaps.",
    ),
  }),
  cost: 5,
  examples: [
    {
      title: "the transaction that rewards a validator",
      params: { bytes: "0x0000000000143d0ad12b8ee8928edf248ca91ca55600fb383f07c32bff1d6dec472b25cf59a700000000" },
      result: {
        kind: "RewardValidatorTx",
        id: "fbt5Rw6Q5MLBrtaaNH9Fx9gMezowx6Ggd8zcxvKXjxkWK8qqU",
        checksum: false,
        value: {
          unsignedTx: { txID: "TtF4d2QWbk5vzQGTEPrN48x6vwgAoAmKQ9cbp79inpQmcRKES" },
          credentials: [],
          id: "fbt5Rw6Q5MLBrtaaNH9Fx9gMezowx6Ggd8zcxvKXjxkWK8qqU",
        },
        fields: [
          { path: "version", start: 0, end: 2 },
          { path: "unsignedTx.typeID", start: 2, end: 6, value: 20 },
          { path: "unsignedTx.txID", start: 6, end: 38, value: "TtF4d2QWbk5vzQGTEPrN48x6vwgAoAmKQ9cbp79inpQmcRKES" },
          { path: "credentials.length", start: 38, end: 42, value: 0 },
        ],
      },
    },
  ],

  async handler({ bytes: text, as }, { node }, { pace }) {
    const { found, hasChecksum } = recognise(hexBytes(text), as?.slice(0, MAX_KIND))
    if (pace.isDue) await pace.pause()
    const textFormat = { hrp: node.hrp }
    const value = found.toJson(textFormat)
    if (pace.isDue) await pace.pause()
    return { kind: found.kind, id: found.id, checksum: hasChecksum, value, fields: fieldsOf(found, textFormat) }
  },
})

/**
 * The maximum size of decoded bytes: 64 KiB and a checksum. The JSON of a transaction with 3,000 owners and the position of every field
 * takes some 50 ms.
 */
const MAX_BYTES = (1 << 16) + 4

/** Reads hex with or without `0x`. Throws `platform.bad_hex` and `platform.too_many_bytes`. */
function hexBytes(text: string): Uint8Array {
  const digits = /^0x/i.test(text) ? text.slice(2) : text
  // The length is checked first, so that a long text is refused at once.
  const size = Math.ceil(digits.length / 2)
  if (size > MAX_BYTES) throw platformError("platform.too_many_bytes", { size, limit: MAX_BYTES })
  const bytes = fromHex(digits)
  if (!bytes) throw platformError("platform.bad_hex")
  return bytes
}
