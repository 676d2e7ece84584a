import { clientError } from "../errors.js"

/** The name and the version of the format. */
export const FORMAT = "serac-tx-file/1"

/** A place for a signature. */
export interface SignaturePlace {
  /** The address of the key that signs: `P-…` and `C-…` as bech32, an account of the C-Chain as `0x` and hex. */
  readonly signer: string
  /** The signature, 65 bytes as `0x` and hex; `null` while it is missing. */
  readonly signature: string | null
}

/** A transaction on its way to its signatures: the JSON of its file. */
export interface TxFile {
  readonly format: string
  readonly chain: "P" | "C"
  /** The bytes that are signed, as hex with a checksum. */
  readonly unsignedTx: string
  /** The UTXOs that its inputs spend, in the order of the inputs, as hex with a checksum. */
  readonly utxos: readonly string[]
  /** The signatures of each credential: those of the inputs, and last those that act for a subnet or a validator. */
  readonly signatures: readonly (readonly SignaturePlace[])[]
}

/** Checks the members of a transaction file and their types; nothing else may be in it. Throws `client.tx_file_form` with the path. */
export function checkForm(given: unknown): TxFile {
  const file = membersOf(given, "", ["format", "chain", "unsignedTx", "utxos", "signatures"])
  if (file.format !== FORMAT) throw wrong("format", FORMAT)
  if (file.chain !== "P" && file.chain !== "C") throw wrong("chain", "P or C")
  return {
    format: FORMAT,
    chain: file.chain,
    unsignedTx: textOf(file.unsignedTx, "unsignedTx"),
    utxos: listOf(file.utxos, "utxos").map((each, i) => textOf(each, `utxos.${i}`)),
    signatures: listOf(file.signatures, "signatures").map((places, i) =>
      listOf(places, `signatures.${i}`).map((place, j) => placeOf(place, `signatures.${i}.${j}`)),
    ),
  }
}

function placeOf(given: unknown, path: string): SignaturePlace {
  const { signer, signature } = membersOf(given, path, ["signer", "signature"])
  return {
    signer: textOf(signer, `${path}.signer`),
    signature: signature === null ? null : hexOf(signature, `${path}.signature`),
  }
}

function hexOf(given: unknown, path: string): string {
  const text = textOf(given, path)
  if (!/^0x[0-9a-fA-F]{130}$/.test(text)) throw wrong(path, "65 bytes as 0x and hex, or null")
  return text
}

const wrong = (path: string, expected: string) => clientError("client.tx_file_form", { path, expected })

function textOf(given: unknown, path: string): string {
  if (typeof given !== "string") throw wrong(path, "text")
  return given
}

function listOf(given: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(given)) throw wrong(path, "a list")
  return given
}

function membersOf(given: unknown, path: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw wrong(path, "an object")
  const other = Object.keys(given).find((name) => !names.includes(name)) ?? names.find((name) => !(name in given))
  if (other !== undefined) throw wrong(path === "" ? other : `${path}.${other}`, `the members ${names.join(", ")} and no others`)
  return given as Readonly<Record<string, unknown>>
}
