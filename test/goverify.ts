import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Json, printJson } from "../src/core/lib/json.js"
import { parseJson } from "../src/core/lib/parseJson.js"
import { tables } from "../src/core/state/tables.js"
import type { View } from "../src/core/state/view.js"
import { toHexText } from "../src/core/types/hexText.js"
import { needs } from "./needs.js"

/** The inputs of AvalancheGo's VM besides the blocks of a chain. */
export interface VmInputs {
  /** The node flags that change rules. */
  readonly flags?: Readonly<Record<string, unknown>>
  readonly networkID?: number
  /** The text of a genesis file; the default is the local network's genesis. */
  readonly genesis?: string
  /** The text of an upgrade file. */
  readonly upgrades?: string
  /** UTXOs that wait to be imported, a line each. */
  readonly atomic?: readonly string[]
}

/** The verdict of AvalancheGo's VM on blocks. */
export interface Verdicts {
  /** The refusal of each line in order, or `undefined`. The list ends at a block that was verified but could not be accepted. */
  readonly refusals: readonly (string | undefined)[]
  /** The digest of the last accepted state. */
  readonly digest: Json
}

/** AvalancheGo's VM as a program that verifies blocks; `SERAC_GOVERIFY` is its path. */
const program = process.env.SERAC_GOVERIFY

/** True if the program with AvalancheGo's VM is installed. */
export const isJudgeHere = program !== undefined && existsSync(program)

/** Options of a test that asks AvalancheGo's VM. */
export const needsJudge = needs(isJudgeHere, "AvalancheGo's VM (SERAC_GOVERIFY)")

/** Executes all blocks of a chain in AvalancheGo's own VM; throws if it refuses one. */
export function avalancheGoDigest(view: View, inputs: VmInputs = {}): Json {
  const { refusals, digest } = avalancheGoVerdicts(blockLines(view), inputs)
  const refused = refusals.findIndex((each) => each !== undefined)
  if (refused >= 0) throw new Error(`AvalancheGo refuses the block at height ${refused + 1}: ${refusals[refused]}`)
  return digest
}

/** Offers blocks to AvalancheGo's own VM, one after the other. A line is a block in hex, and the height for its Warp messages. */
export function avalancheGoVerdicts(lines: readonly string[], inputs: VmInputs): Verdicts {
  const { flags = {}, networkID = 12345, genesis, upgrades, atomic } = inputs
  const dir = mkdtempSync(join(tmpdir(), "serac-judge-"))
  try {
    const file = (name: string, text: string): string => {
      writeFileSync(join(dir, name), text)
      return join(dir, name)
    }
    const rules = printJson({ "network-id": String(networkID), ...flags })
    const args = ["-flags", file("flags.json", rules)]
    if (genesis) args.push("-genesis", file("genesis.json", genesis))
    if (upgrades) args.push("-upgrades", file("upgrades.json", upgrades))
    if (atomic) args.push("-atomic", file("atomic.txt", `${atomic.join("\n")}\n`))
    args.push(file("blocks.txt", `${lines.join("\n")}\n`))
    return readVerdicts(spawnSync(program as string, args, { encoding: "utf8", maxBuffer: 2 ** 28 }).stdout, lines.length)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

const REFUSED = /^REFUSED (?:line \d+|height \d+ \S+ \S+): (.*?)(?: \(its parent \w+ is not the last accepted block \w+\))?$/

function readVerdicts(output: string, count: number): Verdicts {
  const refusals: (string | undefined)[] = []
  let digest: Json | undefined
  for (const line of output.split("\n")) {
    if (line.startsWith("ok ")) refusals.push(undefined)
    if (line.startsWith("REFUSED ")) refusals.push(REFUSED.exec(line)?.[1] ?? line)
    if (line.startsWith("digest ")) digest = parseJson(line.slice("digest ".length))
  }
  const isWhole = refusals.length === count || refusals.at(-1)?.startsWith("accept: ")
  if (digest === undefined || !isWhole) throw new Error(`AvalancheGo's VM stopped: ${output.slice(-500)}`)
  return { refusals, digest }
}

function blockLines(view: View): string[] {
  const lines: string[] = []
  for (const [height, id] of view.rows(tables.blockIDs)) {
    const bytes = view.get(tables.blocks, id)
    if (height > 0n && bytes) lines.push(toHexText(bytes))
  }
  return lines
}
