import { randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { toHex } from "../../core/lib/bytes.js"
import { printJson } from "../../core/lib/json.js"
import { hrpOf, LOCAL_ID } from "../../core/networks/names.js"
import { addressOfKey, addressText } from "../../core/types/address.js"
import { parsePrivateKey, privateKeyText } from "../../core/types/privateKey.js"
import { evmAddressOf } from "../../evm/address.js"
import { OWNER_FILE } from "../../files/ownerOnly.js"
import { loadSecp256k1, secp256k1 } from "../../platform/backends.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { readNamedFile, reasonOf } from "../files.js"
import { flagWithDefault } from "../flags/flags.js"
import { network, onOff } from "../flags/flagTypes.js"
import { factLines } from "../textTable.js"

/** Bytes of a file with a key. */
const MAX_KEY_FILE = 1024

const VERBS = ["new", "show"] as const

/** `serac key`: private keys in files, with which other commands sign. */
export const keyCommand = command({
  takes: "(new|show) FILE",
  count: [2, 2],
  about: `
Makes a private key in a new file that its owner alone may read, or shows the addresses of the key in a file: on the P-Chain, and on the C-Chain and
other EVM chains. The key itself is never printed. Other commands sign with it by --private-key-file. Whoever has the file has the funds, and
nobody can make it again, so keep a copy of it.`,
  examples: [
    { call: "serac key new key.txt --network-id fuji", does: "makes a key" },
    { call: "serac key show key.txt --network-id fuji --json", does: "for scripts" },
  ],
  flags: {
    "network-id": flagWithDefault(network, "Network whose address on the P-Chain is shown", LOCAL_ID, "local"),
    json: flagWithDefault(onOff, "Prints JSON", false),
  },
  words: VERBS,
  async run({ flags, args: [verb = "", file = ""] }, terminal) {
    if (verb !== "new" && verb !== "show") throw cliError("cli.unknown_action", { action: verb, known: VERBS.join(" ") })
    await loadSecp256k1()
    const secret = verb === "new" ? newKeyIn(file) : keyIn(file)
    const publicKey = secp256k1().publicKey(secret)
    const facts = {
      address: addressText(addressOfKey(publicKey), hrpOf(flags["network-id"])),
      evmAddress: evmAddressOf(publicKey) ?? "",
      publicKey: `0x${toHex(publicKey)}`,
    }
    const { address: pChain, evmAddress: evm, publicKey: shown } = facts
    const table = factLines({ File: file, Address: pChain, "EVM address": evm, "Public key": shown })
    await terminal.print(flags.json ? `${printJson({ file, ...facts })}\n` : table)
  },
})

/** Writes a new key to a file. Throws `cli.unwritable_file`, also if there is such a file already: it may have a key. */
function newKeyIn(file: string): Uint8Array {
  const secret = new Uint8Array(randomBytes(32))
  try {
    writeFileSync(file, `${privateKeyText(secret)}\n`, { flag: "wx", mode: OWNER_FILE, flush: true })
  } catch (error) {
    throw cliError("cli.unwritable_file", { file, reason: reasonOf(error) })
  }
  return secret
}

const keyIn = (file: string): Uint8Array => parsePrivateKey(new TextDecoder().decode(readNamedFile(file, MAX_KEY_FILE)).trim())
