import { fieldsOf } from "../../../core/wire/fields.js"
import { recognise } from "../../../core/wire/recognise.js"
import { bool, described, list, optional, string } from "../../../jsonrpc/schema/kinds.js"
import { number } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { json, nullable } from "../../../jsonrpc/schema/outputs.js"
import { badParam } from "../../../jsonrpc/schema/param.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { hexBytes } from "./hexBytes.js"

/** Characters of 64 KiB in hex, with prefix and checksum: the JSON of 3,000 owners with the place of each takes some 50 ms. */
const MAX_TEXT = 2 * (1 << 16) + 10

/** More characters than any kind's name has. */
const MAX_KIND = 64

export const decodeMethod = method({
  name: "platform.decode",
  summary:
    "Says which structure bytes are (a transaction, a block, a UTXO, a Warp message), with its JSON and the place of every field. Ours: AvalancheGo has no such method.",
  params: object({
    bytes: described(string, "hex, with or without `0x` and checksum; at most 64 KiB"),
    as: described(
      optional(string),
      "a kind to read the bytes as, such as `TransferableOutput`; left out: the kind is recognised",
    ),
  }),
  result: object({
    kind: string,
    id: described(nullable(id), "null where the protocol gives such a structure no ID"),
    checksum: described(bool, "whether a checksum stood behind the bytes"),
    value: described(json, "as the API shows it"),
    fields: described(
      list(
        object({
          path: string,
          start: described(number, "its first byte"),
          end: described(number, "the byte after its last"),
          value: optional(described(json, "where it is one number or text")),
        }),
      ),
      "in the order of the bytes, without gaps",
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

  *handler({ bytes: text, as }, { node }) {
    if (text.length > MAX_TEXT) throw badParam("bytes", "at most 64 KiB in hex")
    const { found, hasChecksum } = recognise(hexBytes(text), as?.slice(0, MAX_KIND))
    yield
    const spelling = { hrp: node.hrp }
    const value = found.toJson(spelling)
    yield
    return { kind: found.kind, id: found.id, checksum: hasChecksum, value, fields: fieldsOf(found, spelling) }
  },
})
