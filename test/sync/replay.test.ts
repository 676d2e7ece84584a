import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { decodeBlock } from "../../src/core/blocks/block.js"
import { fromHex, toHex } from "../../src/core/lib/bytes.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { idText } from "../../src/core/types/id.js"
import { buildSerac, runBin } from "../cli/serac.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { hasShared, readShared, sharedPath } from "../shared.js"
import { attempts, Random, seed } from "../strangers/random.js"

const LENGTH = 800
const folder = mkdtempSync(join(tmpdir(), "serac-replay-"))
const blocks = [...longChain(localNetwork(), LENGTH)]
const tip = idText(blocks.at(-1)!.id)
let built: ReturnType<typeof buildSerac>

beforeAll(() => {
  built = buildSerac()
  writeFileSync(join(folder, "blocks.txt"), `# a comment\n\n${blocks.map(({ bytes }) => toHexText(bytes)).join("\n")}\n`)
})
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

const serac = (...args: string[]) => runBin(built.bin, args)
const file = (name: string) => join(folder, name)
const hashOf = (dir: string) => JSON.parse(serac("state", "--data-dir", file(dir), "--json").stdout).hash as string

describe("serac replay", () => {
  test("goes on where it stopped, and ends in the same state as in one go, whatever the form of the file", () => {
    const whole = serac("replay", "--blocks", file("blocks.txt"), "--data-dir", file("whole"))
    // A machine that needs more than ten seconds is told how far it is.
    expect(whole.stderr.split("\n").filter((line) => !line.includes('"event":"progress"'))).toEqual([""])
    expect(whole.stdout).toMatch(new RegExp(`^800 blocks executed, 0 passed over, [\\d,]+ blocks/s\nheight 800, ${tip}\n$`))

    writeFileSync(file("blocks.json"), JSON.stringify(blocks.map(({ bytes }) => toHex(bytes))))
    writeFileSync(
      file("record.json"),
      JSON.stringify({ facts: { blocks: "none" }, blocks: blocks.map(({ bytes }) => toHexText(bytes)) }),
    )
    serac("replay", "--blocks", file("blocks.json"), "--data-dir", file("parts"), "--until", "300")
    const rest = serac("replay", "--blocks", file("record.json"), "--data-dir", file("parts"), "--trust-signatures")
    expect(rest.stdout).toContain("500 blocks executed, 300 passed over")
    expect(hashOf("parts")).toBe(hashOf("whole"))
    expect(serac("state", "--data-dir", file("parts"), "--check").stdout).toContain(`hash ${hashOf("whole")}`)
  })

  test("ends at the first bad block, with the ones before it kept", () => {
    const bad = decodeBlock(blocks[99]!.bytes)
    const text = toHex(bad.bytes)
    // The last byte of the block is the recovery byte of its only signature.
    const changed = fromHex(`${text.slice(0, -2)}${text.endsWith("00") ? "01" : "00"}`)!
    const lines = blocks.slice(0, 200).map(({ bytes }, i) => toHexText(i === 99 ? changed : bytes))
    writeFileSync(file("bad.txt"), lines.join("\n"))
    const { code, stderr } = serac("replay", "--blocks", file("bad.txt"), "--data-dir", file("bad"))
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^serac: sync\.refused: a block breaks a rule \(height: 100, blockID: \w+, line: 100, kind: BanffStandardBlock, rule: rules\.wrong_signature/,
    )
    expect(stderr.split("\n")).toHaveLength(2)
    serac("replay", "--blocks", file("blocks.txt"), "--data-dir", file("good"), "--until", "99")
    expect(hashOf("bad")).toBe(hashOf("good"))
  })

  test("refuses a chain, a network and rules other than those that the store remembers", () => {
    serac("replay", "--blocks", file("blocks.txt"), "--data-dir", file("known"), "--until", "10", "--min-stake-duration", "30s")
    const refused = (...args: string[]) => serac("replay", "--blocks", file("blocks.txt"), "--data-dir", file("known"), ...args)
    expect(refused("--network-id", "9999").stderr).toMatch(/^serac: node\.other_network: /)
    expect(refused("--min-stake-duration", "31s").stderr).toMatch(/^serac: node\.other_rule: .*min-stake-duration/)
    expect(refused("--min-stake-duration", "30s", "--until", "12").stdout).toContain("2 blocks executed, 10 passed over")
    expect(refused("--upgrade", "etna").stderr).toMatch(/^serac: node\.other_upgrades: /)
    expect(serac("replay", "--blocks", file("absent.txt")).stderr).toMatch(/^serac: cli\.unreadable_file: /)
  })

  test("says what is wrong with a file that holds no chain", () => {
    const run = (content: string) => {
      writeFileSync(file("broken"), content)
      return serac("replay", "--blocks", file("broken"), "--data-dir", file("none")).stderr
    }
    expect(run("")).toMatch(/^serac: cli\.no_input: /)
    expect(run("zz")).toMatch(/^serac: sync\.bad_line: .*line: 1/)
    expect(run(`${toHexText(blocks[0]!.bytes)} 12 13`)).toMatch(/^serac: sync\.bad_line: /)
    expect(run("{}")).toMatch(/^serac: (sync\.bad_json|cli\.no_input): /)
    expect(run('["0x00"')).toMatch(/^serac: sync\.bad_block: /)
  })
})

describe("a replay that is killed", () => {
  const kills = attempts(200)

  test(`loses nothing, ${kills} times`, async () => {
    const random = new Random(seed("moments of killing"))
    serac("replay", "--blocks", file("blocks.txt"), "--data-dir", file("undisturbed"))
    const expected = hashOf("undisturbed")
    let killed = 0
    for (let round = 0; killed < kills; round++) {
      const dir = `killed-${round}`
      for (let finished = false; !finished; ) {
        // Starting takes about a third of the time; the moments are spread over all of it.
        const after = killed < kills ? 50 + random.below(1000) : undefined
        finished = await replayAndKill(["--blocks", file("blocks.txt"), "--data-dir", file(dir)], after)
        if (!finished) killed++
      }
      expect(hashOf(dir), `round ${round}`).toBe(expected)
    }
  }, 600_000)

  const isHere = hasShared("golden/helicon-v1.15.0/record.json")
  const rounds = attempts(50)

  test.skipIf(!isHere)(
    `of a chain with renewals loses nothing, ${rounds} times`,
    async () => {
      const random = new Random(seed("moments of killing between renewals"))
      const recorded = readShared<readonly unknown[]>("golden/helicon-v1.15.0/digests.json")
      const args = [...heliconArgs(), "--data-dir", file("helicon")]
      let killed = 0
      for (let round = 1; round <= rounds; round++) {
        // A little further each time: some rounds end between a proposal and its option.
        const until = Math.ceil((round * (recorded.length - 1)) / rounds)
        if (!(await replayAndKill([...args, "--until", String(until)], 300 + random.below(700)))) killed++
      }
      expect(await replayAndKill(args, undefined)).toBe(true)
      expect(JSON.parse(serac("state", "--data-dir", file("helicon"), "--json").stdout).digest).toEqual(recorded.at(-1))
      expect(killed).toBeGreaterThan(0)
    },
    600_000,
  )

  /** What the recorded network ran with, and its blocks. */
  function heliconArgs(): string[] {
    const folder = sharedPath("golden/helicon-v1.15.0")
    const flags = Object.entries(readShared<Record<string, string>>("golden/helicon-v1.15.0/flags.json"))
    const files = [
      "--blocks",
      `${folder}/record.json`,
      "--genesis-file",
      `${folder}/genesis.json`,
      "--upgrade-file",
      `${folder}/upgrades.json`,
    ]
    return [...files, ...flags.flatMap(([name, value]) => [`--${name}`, value])]
  }

  function replayAndKill(args: readonly string[], after: number | undefined): Promise<boolean> {
    const child = spawn(process.execPath, [built.bin, "replay", ...args])
    const timer = after === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), after)
    let said = ""
    child.stderr.on("data", (chunk) => {
      said += chunk
    })
    return new Promise((resolve, reject) => {
      child.on("exit", (code, signal) => {
        clearTimeout(timer)
        if (signal === "SIGKILL") resolve(false)
        else if (code === 0) resolve(true)
        else reject(new Error(`replay ended with ${code}: ${said}`))
      })
    })
  }
})
