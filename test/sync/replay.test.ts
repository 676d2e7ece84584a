import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { decodeBlock } from "../../src/core/blocks/block.js"
import { fromHex, toHex } from "../../src/core/lib/bytes.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { idText } from "../../src/core/types/id.js"
import { buildSerac } from "../cli/serac.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { attempts, isSoak, Random, seed } from "../fuzz/random.js"
import { readRecording, recordingPath } from "../recordings/recordings.js"
import { run } from "../terminal.js"

const LENGTH = isSoak ? 800 : 200
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

/** Runs a command in this process; those that are killed have one of their own. */
const serac = (...args: string[]) => run(args)
const file = (name: string) => join(folder, name)
const stateOf = async (dir: string) => JSON.parse((await serac("state", "--data-dir", file(dir), "--json")).stdout)
const hashOf = async (dir: string) => (await stateOf(dir)).hash as string

describe("serac replay", () => {
  test("continues where it stopped, and ends in the same state as an uninterrupted replay, for every form of the file", async () => {
    const whole = await serac("replay", "--blocks", file("blocks.txt"), "--data-dir", file("whole"))
    expect(whole.stderr).toBe("")
    const figures = `${LENGTH} blocks executed, 0 passed over, [\\d,]+ blocks/s\nheight ${LENGTH}, ${tip}`
    expect(whole.stdout).toMatch(new RegExp(`^${figures}\n$`))

    writeFileSync(file("blocks.json"), JSON.stringify(blocks.map(({ bytes }) => toHex(bytes))))
    writeFileSync(
      file("record.json"),
      JSON.stringify({ facts: { blocks: "none" }, blocks: blocks.map(({ bytes }) => toHexText(bytes)) }),
    )
    await serac("replay", "--blocks", file("blocks.json"), "--data-dir", file("parts"), "--until", "80")
    const rest = await serac("replay", "--blocks", file("record.json"), "--data-dir", file("parts"), "--trust-signatures")
    expect(rest.stdout).toContain(`${LENGTH - 80} blocks executed, 80 passed over`)
    const hash = await hashOf("whole")
    expect(await hashOf("parts")).toBe(hash)
    expect((await serac("state", "--data-dir", file("parts"), "--check")).stdout).toContain(`hash ${hash}`)
  })

  test("ends at the first bad block and keeps the blocks before it", async () => {
    const bad = decodeBlock(blocks[99]!.bytes)
    const text = toHex(bad.bytes)
    // The last byte of the block is the recovery byte of its only signature.
    const changed = fromHex(`${text.slice(0, -2)}${text.endsWith("00") ? "01" : "00"}`)!
    const lines = blocks.slice(0, 200).map(({ bytes }, i) => toHexText(i === 99 ? changed : bytes))
    writeFileSync(file("bad.txt"), lines.join("\n"))
    const { code, stderr } = await serac("replay", "--blocks", file("bad.txt"), "--data-dir", file("bad"))
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^serac: sync\.refused: a block breaks a rule \(height: 100, blockID: \w+, line: 100, kind: BanffStandardBlock, rule: rules\.wrong_signature/,
    )
    expect(stderr.split("\n")).toHaveLength(2)
    await serac("replay", "--blocks", file("blocks.txt"), "--data-dir", file("good"), "--until", "99")
    expect(await hashOf("bad")).toBe(await hashOf("good"))
  })

  test("refuses a chain, a network and rules other than those that the store remembers", async () => {
    await serac(
      "replay",
      "--blocks",
      file("blocks.txt"),
      "--data-dir",
      file("known"),
      "--until",
      "10",
      "--min-stake-duration",
      "30s",
    )
    const refused = (...args: string[]) => serac("replay", "--blocks", file("blocks.txt"), "--data-dir", file("known"), ...args)
    expect((await refused("--network-id", "9999")).stderr).toMatch(/^serac: node\.other_network: /)
    expect((await refused("--min-stake-duration", "31s")).stderr).toMatch(/^serac: node\.other_rule: .*min-stake-duration/)
    expect((await refused("--min-stake-duration", "30s", "--until", "12")).stdout).toContain("2 blocks executed, 10 passed over")
    expect((await refused("--upgrade", "etna")).stderr).toMatch(/^serac: node\.other_upgrades: /)
    expect((await serac("replay", "--blocks", file("absent.txt"))).stderr).toMatch(/^serac: cli\.unreadable_file: /)
  })

  test("refuses a file without a chain and names its fault", async () => {
    const errorOf = async (content: string) => {
      writeFileSync(file("broken"), content)
      return (await serac("replay", "--blocks", file("broken"), "--data-dir", file("none"))).stderr
    }
    expect(await errorOf("")).toMatch(/^serac: cli\.no_input: /)
    expect(await errorOf("zz")).toMatch(/^serac: sync\.bad_line: .*line: 1/)
    expect(await errorOf(`${toHexText(blocks[0]!.bytes)} 12 13`)).toMatch(/^serac: sync\.bad_line: /)
    expect(await errorOf("{}")).toMatch(/^serac: (sync\.bad_json|cli\.no_input): /)
    expect(await errorOf('["0x00"')).toMatch(/^serac: sync\.bad_json: /)
  })
})

describe("a replay that is killed", () => {
  const kills = attempts(200, 30)

  test(`loses no written block in ${kills} kills`, async () => {
    const random = new Random(seed("moments of killing"))
    await serac("replay", "--blocks", file("blocks.txt"), "--data-dir", file("undisturbed"))
    const expected = await hashOf("undisturbed")
    let killed = 0
    for (let round = 0; killed < kills; round++) {
      const dir = `killed-${round}`
      for (let finished = false; !finished; ) {
        // The moments are spread over the time that a replay takes, its start included.
        const after = killed < kills ? 50 + random.below(isSoak ? 1000 : 500) : undefined
        finished = await replayAndKill(["--blocks", file("blocks.txt"), "--data-dir", file(dir)], after)
        if (!finished) killed++
      }
      expect(await hashOf(dir), `round ${round}`).toBe(expected)
    }
  }, 600_000)

  const rounds = attempts(50, 20)

  test(`of a chain with renewals loses nothing, ${rounds} times`, async () => {
    const random = new Random(seed("moments of killing between renewals"))
    const recorded = readRecording<readonly unknown[]>("golden/helicon-v1.15.0/digests.json")
    const args = [...heliconArgs(), "--data-dir", file("helicon")]
    let killed = 0
    for (let round = 1; round <= rounds; round++) {
      // A little further each time: some rounds end between a proposal and its option.
      const until = Math.ceil((round * (recorded.length - 1)) / rounds)
      if (!(await replayAndKill([...args, "--until", String(until)], 300 + random.below(700)))) killed++
    }
    expect(await replayAndKill(args, undefined)).toBe(true)
    expect((await stateOf("helicon")).digest).toEqual(recorded.at(-1))
    expect(killed).toBeGreaterThan(0)
  }, 600_000)

  /** The flags of the recorded network, and its blocks. */
  function heliconArgs(): string[] {
    const path = (name: string) => recordingPath(`golden/helicon-v1.15.0/${name}`)
    const flags = Object.entries(readRecording<Record<string, string>>("golden/helicon-v1.15.0/flags.json"))
    const files = [
      "--blocks",
      path("record.json"),
      "--genesis-file",
      path("genesis.json"),
      "--upgrade-file",
      path("upgrades.json"),
    ]
    return [...files, ...flags.flatMap(([name, value]) => [`--${name}`, value])]
  }

  function replayAndKill(args: readonly string[], after: number | undefined): Promise<boolean> {
    const child = spawn(process.execPath, [built.bin, "replay", ...args])
    const timer = after === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), after)
    let stderr = ""
    child.stderr.on("data", (chunk) => {
      stderr += chunk
    })
    return new Promise((resolve, reject) => {
      child.on("exit", (code, signal) => {
        clearTimeout(timer)
        if (signal === "SIGKILL") resolve(false)
        else if (code === 0) resolve(true)
        else reject(new Error(`replay ended with ${code}: ${stderr}`))
      })
    })
  }
})
