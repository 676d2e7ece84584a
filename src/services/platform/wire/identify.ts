import { formsOf, identifyText } from "../../../core/wire/text.js"
import { keyMaker } from "../../../evm/address.js"
import { described, string } from "../../../jsonrpc/schema/kinds.js"
import { number } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { record } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"

export const identify = method({
  name: "platform.identify",
  summary:
    "Recognises an ID, a node ID, an address, a key, a UTXO reference or hex, and returns the other forms in which it can be written.",
  isExtension: true,
  params: object({
    text: described(
      string,
      "The text to recognise. Do not send a private key that holds real funds: the call carries it to the node.",
    ),
  }),
  result: object({
    kind: string,
    size: described(number, "The number of bytes."),
    forms: record(string, "the name of the form"),
  }),
  cost: 5,
  examples: [
    {
      params: { text: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg" },
      result: {
        kind: "NodeID",
        size: 20,
        forms: {
          nodeID: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
          hex: "0x479f66c8be895830547e70b4b298cafd433dba6e",
          cb58: "7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
          address: "P-local1g70kdj9739vrq4r7wz6t9xx2l4pnmwnwec05uw",
          bech32: "local1g70kdj9739vrq4r7wz6t9xx2l4pnmwnwec05uw",
          shortID: "7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
        },
      },
    },
  ],

  handler({ text }, { node }) {
    const identified = identifyText(text.trim())
    return {
      kind: identified.kind,
      size: identified.bytes.length,
      forms: formsOf(identified, identified.hrp ?? node.hrp, keyMaker),
    }
  },
})
