import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { parseJson } from "../../src/core/lib/parseJson.js"
import { attempts, seed } from "../fuzz/random.js"
import { needs } from "../needs.js"
import { type Entry, Verdict } from "./group.js"
import { checkParse, readers } from "./parse/index.js"

/** AvalancheGo's readers as a program, which also makes bytes; `SERAC_GOPARSE` is its path. Serac reads as v1.15.0 does; v1.14.2 may be given, too. */
const program = process.env.SERAC_GOPARSE ?? ""
const needsGoparse = needs(existsSync(program), "AvalancheGo's readers of bytes (SERAC_GOPARSE)")

/** The lines of a kind in the long run, if not 100,000: the judge starts a peer for each of these, and waits for each incomplete frame. */
const counts: Readonly<Record<string, number>> = { claim: 5_000, handshake: 5_000, session: 5_000, frame: 500 }
/** The lines that the judge gets at once. */
const BATCH = 2_000

/** The library refuses a damaged block. zstd 1.5.2, which AvalancheGo has, does not notice some damage that later versions notice. */
const DAMAGED_BLOCK = "Failed to compress with code -20"

/** The maximum size of a block and a transaction before Helicon, which v1.15.0 has made larger. */
const OLDER_MAX_SIZE = 262_144
/** The transactions of Helicon, which v1.14.2 does not know. */
const NEWER_TX = /unknown type ID (40|41|42)\b/
/** v1.14.2 welcomes older peers, and does not know of all ACPs that v1.15.0 supports. */
const OLDER_WELCOME = /p2p\.(version_too_old|contradicting_acps)/

const first = seed("bytes of peers")

describe("what AvalancheGo reads from new bytes, Serac reads, too", needsGoparse, () => {
  test.each(Object.keys(readers))("%s", { timeout: 3_600_000 }, (kind) => {
    const count = attempts(counts[kind] ?? 100_000, 100)
    const isOlder = isOlderRelease()
    const differences: string[] = []
    for (let done = 0, batch = 0; done < count && differences.length === 0; done += BATCH, batch++) {
      const made = run(["-gen", kind, "-seed", `${first + batch}`, "-count", `${Math.min(BATCH, count - done)}`])
      const answers = run([], `${made.join("\n")}\n`)
      made.forEach((line, i) => {
        if (isOlder && (line.length > 2 * OLDER_MAX_SIZE || NEWER_TX.test(answers[i] as string))) return
        for (const difference of differencesOf(line, parseJson(answers[i] as string))) {
          if (difference.includes(DAMAGED_BLOCK) || (isOlder && OLDER_WELCOME.test(difference))) continue
          differences.push(`seed ${first + batch}, line ${i}: ${shortened(difference)} (${shortened(line)})`)
        }
      })
    }
    expect(differences).toEqual([])
  })
})

/** Returns whether the judge is v1.14.2, which has a smaller limit of transactions. */
function isOlderRelease(): boolean {
  const [answer] = run([], `tx ${"00".repeat(OLDER_MAX_SIZE + 1)}\n`)
  return answer?.includes(`${OLDER_MAX_SIZE}"`) ?? false
}

const shortened = (text: string): string => (text.length > 600 ? `${text.slice(0, 600)}…` : text)

/** Runs the judge, and returns its lines. */
function run(args: readonly string[], input?: string): string[] {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: "utf8", maxBuffer: 2 ** 30 })
  if (status !== 0) throw new Error(`the judge failed: ${stderr}`)
  return stdout.trimEnd().split("\n")
}

/** Compares the answer of the judge to one line, `KIND HEX` or `KIND HEX HEX`. */
function differencesOf(line: string, expected: Entry): readonly string[] {
  const [kind, ...values] = line.split(" ")
  const [bytes, also = ""] = values.map((value) => (value === "-" ? "" : value))
  const verdict = new Verdict()
  checkParse({ kind, bytes, also, expected }, verdict)
  return verdict.failures
}
