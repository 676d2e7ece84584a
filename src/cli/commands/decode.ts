import { toHex } from "../../core/lib/bytes.js"
import { escapeLine } from "../../core/lib/escapeControls.js"
import { Invalid } from "../../core/lib/invalid.js"
import { type Json, printJson } from "../../core/lib/json.js"
import { hrpOf, LOCAL_ID } from "../../core/networks/names.js"
import { checksumOf } from "../../core/types/cb58.js"
import { idText } from "../../core/types/id.js"
import { type Field, fieldsOf } from "../../core/wire/fields.js"
import { kindNames, otherKindsOf, type Reading, recognise } from "../../core/wire/recognise.js"
import type { DecodedValue } from "../../core/wire/wireType.js"
import { command } from "../command.js"
import { invalidJson } from "../describe.js"
import { flagWithDefault, optionalFlag } from "../flags/flags.js"
import { network, onOff, text } from "../flags/flagTypes.js"
import { excludes } from "../flags/withoutEffect.js"
import { bytesOfHex, readBytes, readLines } from "../input.js"
import { progressOn } from "../progress.js"
import type { Terminal } from "../terminal.js"

const BYTES_A_LINE = 32

/** `serac decode`: recognises bytes, and prints them as JSON or field by field. */
export const decodeCommand = command({
  takes: "[HEX | @FILE | -]",
  count: [0, 1],
  about: `
Recognises a transaction (signed or not), block, UTXO, output, Warp message, ProposerVM block or genesis by its bytes, and
prints its kind, its ID (null if it has none) and its JSON as the API prints it. HEX may start with 0x and may end in a
checksum, which is then verified. @FILE names a file with hex or with the bytes themselves; - is stdin, which is also
read when there is no argument. Inner structures are decoded too: the block of a ProposerVM block, the payload of a Warp message.

Kinds for --as: ${wrapped(kindNames)}`,
  examples: [
    {
      call: "serac decode 0x0000000000143d0ad12b8ee8928edf248ca91ca55600fb383f07c32bff1d6dec472b25cf59a700000000",
      does: "a transaction that rewards a validator",
    },
    { call: "serac decode @tx.hex --fields", does: "the bytes line by line, with offset, name and value of every field" },
    {
      call: "serac decode --as TransferableOutput --network-id fuji @output.hex",
      does: "a kind that is named, addresses of Fuji",
    },
    { call: "serac decode --lines @blocks.txt | jq -r .kind | sort | uniq -c", does: "one JSON line for each line of a file" },
  ],
  flags: {
    as: optionalFlag({ ...text, value: "KIND" }, "Reads the bytes as this kind, whatever they look like"),
    "network-id": optionalFlag(network, "Network whose addresses are shown (default: the one the value names, or local)"),
    fields: flagWithDefault(onOff, "Prints the bytes line by line, with offset and name of every field", false),
    lines: flagWithDefault(onOff, 'Reads one input per line; writes {"kind","id","value"} or {"error"} for each', false),
  },
  rules: [
    excludes("lines", ["fields"], "--lines prints one line for each input"),
    {
      flags: ["lines"],
      applies: (_, [argument]) => argument !== undefined && argument !== "-" && !argument.startsWith("@"),
      reason: "HEX is one input: --lines reads @FILE or stdin",
      refused: "always",
    },
  ],
  async run({ flags, args: [argument] }, terminal) {
    const networkID = flags["network-id"]
    if (flags.lines) {
      return decodeLines(argument, (line) => lineOf(line, flags.as, networkID), terminal)
    }
    const reading = recognise(await readBytes(argument, terminal), flags.as)
    if (flags.fields) return terminal.print(fieldLines(reading, textFormatOf(reading.found, networkID)))
    await terminal.print(`${printJson(answerOf(reading, networkID), 2)}\n`)
  },
})

/** Chooses the network of the addresses in the JSON: the named one, otherwise the value's own, otherwise the local network. */
function textFormatOf(found: DecodedValue, networkID: number | undefined) {
  return { hrp: hrpOf(networkID ?? found.networkID() ?? LOCAL_ID) }
}

function answerOf({ found, hasChecksum }: Reading, networkID: number | undefined): Json {
  const as = textFormatOf(found, networkID)
  const others = otherKindsOf(found)
  const { kind, id } = headOf(found)
  return {
    kind,
    id,
    checksum: hasChecksum,
    ...(others.length === 0 ? {} : { couldAlsoBe: others }),
    value: found.toJson(as),
    ...insideOf(found, as),
  }
}

function headOf({ kind, id }: DecodedValue) {
  return { kind, id: id === null ? null : idText(id) }
}

function insideOf(found: DecodedValue, as: { readonly hrp: string }): { readonly inside?: Json } {
  const inside = found.inside().map(
    (each): Json => ({
      path: each.path,
      ...headOf(each.found),
      value: each.found.toJson(as),
      ...insideOf(each.found, as),
    }),
  )
  return inside.length === 0 ? {} : { inside }
}

/** Answers one line of input with one line. The answer to a wrong line is its error. */
function lineOf(line: string, as: string | undefined, networkID: number | undefined): string {
  try {
    const { found } = recognise(bytesOfHex(line), as)
    return printJson({ ...headOf(found), value: found.toJson(textFormatOf(found, networkID)) })
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return printJson({ error: invalidJson(error) })
  }
}

async function decodeLines(argument: string | undefined, answer: (line: string) => string, terminal: Terminal): Promise<void> {
  const { size, batches } = readLines(argument, terminal)
  const progress = progressOn(terminal, size === undefined ? { unit: "lines" } : { unit: "bytes", total: size })
  let count = 0
  for await (const { lines, read } of batches) {
    let out = ""
    for (const line of lines) out += `${answer(line)}\n`
    if (out !== "") await terminal.print(out)
    count += lines.length
    progress.update(size === undefined ? count : read)
  }
  progress.end()
}

/** The bytes with offset, name and value beside them; long fields go on for several lines. */
function fieldLines({ found, hasChecksum }: Reading, as: { readonly hrp: string }): string {
  const fields = fieldsOf(found, as)
  const end = found.bytes.length
  const lines = fields.flatMap((field) => linesOf(found.bytes, field, String(end).length))
  if (hasChecksum) lines.push(lineText(end, String(end).length, checksumOf(found.bytes), "checksum"))
  return `${lines.join("\n")}\n`
}

function linesOf(bytes: Uint8Array, { path, start, end, value }: Field, width: number): string[] {
  const name = value === undefined ? path : escapeLine(`${path} = ${typeof value === "string" ? value : printJson(value)}`)
  const lines = [lineText(start, width, bytes.subarray(start, Math.min(end, start + BYTES_A_LINE)), name)]
  for (let at = start + BYTES_A_LINE; at < end; at += BYTES_A_LINE) {
    lines.push(lineText(at, width, bytes.subarray(at, Math.min(end, at + BYTES_A_LINE)), ""))
  }
  return lines
}

function lineText(offset: number, width: number, bytes: Uint8Array, name: string): string {
  return `${String(offset).padStart(width)}  ${toHex(bytes).padEnd(BYTES_A_LINE * 2)}  ${name}`.trimEnd()
}

/** Names in lines of a terminal's width. */
function wrapped(names: readonly string[]): string {
  let line = ""
  const lines: string[] = []
  for (const name of names) {
    if (line.length + name.length > 110) {
      lines.push(line)
      line = ""
    }
    line += `${line === "" ? "" : ", "}${name}`
  }
  return [...lines, line].join(",\n")
}
