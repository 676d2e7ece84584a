import { printJson } from "../../core/lib/json.js"
import { hrpOf, LOCAL_ID } from "../../core/networks/names.js"
import { type Forms, formsOf, identifyText } from "../../core/wire/text.js"
import { keyMaker } from "../../evm/address.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { flagWithDefault, optionalFlag } from "../flags/flags.js"
import { network, oneOfWords, onOff } from "../flags/flagTypes.js"
import { excludes } from "../flags/withoutEffect.js"

/** The forms of a value by the words of `--to`. */
const forms = { cb58: "cb58", hex: "hex", nodeid: "nodeID", address: "address", evm: "evmAddress" } as const

/** `serac id`: recognises a value, and prints its other forms. */
export const idCommand = command({
  takes: "VALUE",
  count: [1, 1],
  about: `
Recognises a value and prints it in every other form: an ID, a node ID, an address of any chain, a short ID, a
private key (its public key, its address on every network, and that on the C-Chain and other EVM chains), a public key, a UTXO reference TXID:INDEX (the UTXO's ID), or hex of 20, 32, 33,
48, 65 or 96 bytes, with or without 0x and checksum.`,
  examples: [
    { call: "serac id NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg --to hex", does: "the 20 bytes of a node ID" },
    {
      call: "serac id PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN --to address --network-id fuji",
      does: "the address of a key on Fuji",
    },
    { call: "serac id 0x3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c", does: "20 bytes as node ID, short ID and address" },
  ],
  flags: {
    to: optionalFlag(oneOfWords("cb58", "hex", "nodeid", "address", "evm"), "Prints this form alone"),
    "network-id": optionalFlag(network, "Network whose address is shown (default: the one an address names, or local)"),
    json: flagWithDefault(onOff, "Prints JSON", false),
  },
  rules: [
    excludes("to", ["json"], "--to prints one form alone"),
    {
      flags: ["network-id"],
      applies: ({ to }) => to !== undefined && to !== "address",
      reason: "only addresses have a network, and --to prints another form",
    },
  ],
  async run({ flags, args: [value = ""] }, terminal) {
    const identified = identifyText(value.trim())
    const networkID = flags["network-id"]
    const hrp = networkID === undefined ? (identified.hrp ?? hrpOf(LOCAL_ID)) : hrpOf(networkID)
    const found = formsOf(identified, hrp, keyMaker)
    if (flags.to !== undefined) {
      const form = found[forms[flags.to]]
      if (form === undefined) throw cliError("cli.no_conversion", { kind: identified.kind, to: flags.to })
      return terminal.print(`${form}\n`)
    }
    const answer = { kind: identified.kind, size: identified.bytes.length, ...found }
    await terminal.print(flags.json ? `${printJson(answer, 2)}\n` : table({ ...answer, size: `${answer.size} bytes` }))
  },
})

function table(rows: Forms): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length)) + 2
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(width)}${value}\n`)
    .join("")
}
