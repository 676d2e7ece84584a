import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Json, parseJson, printJson } from "../src/lib/json.js"
import { tables } from "../src/state/tables.js"
import type { View } from "../src/state/view.js"
import { toHexText } from "../src/types/hexText.js"

/** What AvalancheGo's VM is told of a chain besides its blocks. */
export interface Judged {
  /** The node flags that change rules. */
  readonly flags?: Readonly<Record<string, unknown>>
  readonly networkID?: number
  /** The text of an upgrade file. */
  readonly upgrades?: string
  /** UTXOs that wait to be imported, a line each. */
  readonly atomic?: readonly string[]
}

/** AvalancheGo's VM as a program (`../shared/reference/goverify`); `SERAC_GOVERIFY` says where it was built. */
const program = process.env.SERAC_GOVERIFY

/** What AvalancheGo's own VM makes of all blocks of a chain; throws where it refuses one. `undefined` where it is not at hand. */
export function avalancheGoDigest(
  view: View,
  { flags = {}, networkID = 12345, atomic, upgrades }: Judged = {},
): Json | undefined {
  if (program === undefined || !existsSync(program)) return undefined
  const dir = mkdtempSync(join(tmpdir(), "serac-judge-"))
  try {
    const file = (name: string, text: string): string => {
      writeFileSync(join(dir, name), text)
      return join(dir, name)
    }
    const rules = printJson({ "network-id": String(networkID), ...flags } as never)
    const args = ["-q", "-flags", file("flags.json", rules)]
    if (upgrades) args.push("-upgrades", file("upgrades.json", upgrades))
    if (atomic) args.push("-atomic", file("atomic.txt", `${atomic.join("\n")}\n`))
    args.push(file("blocks.txt", `${blockLines(view).join("\n")}\n`))
    const said = execFileSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 28 })
    const digest = said.split("\n").find((line) => line.startsWith("digest "))
    return parseJson(digest?.slice("digest ".length) ?? "null")
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function blockLines(view: View): string[] {
  const lines: string[] = []
  for (const [height, id] of view.rows(tables.blockIDs)) {
    const bytes = view.get(tables.blocks, id)
    if (height > 0n && bytes) lines.push(toHexText(bytes))
  }
  return lines
}
