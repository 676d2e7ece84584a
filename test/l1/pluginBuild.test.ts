import { execFileSync, spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { idText, SUBNET_EVM } from "../../src/core/types/id.js"
import { overlayText, writeOverlay } from "../../src/vmhost/build/clockOverlay.js"
import { cacheKey, pluginSource } from "../../src/vmhost/build/pluginSource.js"
import { needs } from "../needs.js"
import { run } from "../terminal.js"
import { needsClockPlugin, needsPlugin, plainPlugins, pluginDir } from "./plugins.js"

const dir = mkdtempSync(join(tmpdir(), "serac-plugin-build-test-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const needsGo = needs(spawnSync("go", ["version"]).status === 0, "Go in the PATH")

describe("a program that is built with the overlay of the Go of this machine", { ...needsGo, timeout: 300_000 }, () => {
  const program = join(dir, "program")

  beforeAll(() => {
    const source = join(dir, "source")
    mkdirSync(source)
    writeFileSync(join(source, "go.mod"), "module clock\n\ngo 1.21\n")
    writeFileSync(
      join(source, "main.go"),
      'package main\n\nimport (\n\t"fmt"\n\t"time"\n)\n\nfunc main() {\n\tbegin := time.Now()\n\ttime.Sleep(time.Millisecond)\n' +
        "\tfmt.Println(begin.UnixNano(), time.Since(begin) < time.Minute, begin.Nanosecond())\n}\n",
    )
    const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim()
    const { go, args, env } = writeOverlay(goroot, "of this machine", join(dir, "overlay"))
    execFileSync(go, ["build", "-C", source, ...args, "-o", program, "."], { env: { ...process.env, ...env } })
  }, 300_000)

  /** Runs the program with a clock of these numbers. Returns the time that it shows, nanoseconds. */
  function shown(...numbers: readonly bigint[]): bigint {
    const clock = join(dir, "clock")
    const bytes = Buffer.alloc(numbers.length * 8)
    numbers.forEach((each, i) => {
      bytes.writeBigInt64LE(each, i * 8)
    })
    writeFileSync(clock, bytes)
    const [time = "", isShort, fraction = ""] = execFileSync(program, {
      env: { GRPC_SERAC_CLOCK: clock },
      encoding: "utf8",
    }).split(" ")
    expect([isShort, Number(fraction) >= 0 && Number(fraction) < 1e9]).toEqual(["true", true])
    return BigInt(time)
  }

  const machine = () => BigInt(Date.now()) * 1_000_000n

  test.each([
    ["ahead by a year", 31_536_000n * 1_000_000_000n],
    ["ahead by less than a second", 999_999_999n],
    ["behind by a day and a nanosecond", -86_400_000_000_001n],
    ["not moved", 0n],
  ])("is %s", (_, ahead) => {
    const before = machine() - 1_000_000n
    const time = shown(ahead, 0n) - ahead
    expect(time >= before && time <= machine() + 1_000_000n).toBe(true)
    // A host that writes 8 bytes has no fixed time.
    const short = shown(ahead) - ahead
    expect(short >= before && short <= machine() + 1_000_000n).toBe(true)
  })

  test.each([1_000_000_000_000_000_007n, 1n, -1n])("stands still at %d", (fixed) => {
    expect(shown(5n, fixed)).toBe(fixed)
  })

  test("has the machine's time without a clock", () => {
    const [time = ""] = execFileSync(program, { env: {}, encoding: "utf8" }).split(" ")
    expect(Number(machine() - BigInt(time))).toBeLessThan(60e9)
    const [other = ""] = execFileSync(program, { env: { GRPC_SERAC_CLOCK: join(dir, "missing") }, encoding: "utf8" }).split(" ")
    expect(Number(machine() - BigInt(other))).toBeLessThan(60e9)
  })
})

describe("serac plugin list", { ...needsPlugin("subnet-evm"), timeout: 60_000 }, () => {
  test("shows what plugins do with the clock", needsClockPlugin("subnet-evm"), async () => {
    const clocks = async (at: string) => {
      const { stdout } = await run(["plugin", "list", "--plugin-dir", at, "--json"])
      const listed = JSON.parse(stdout) as { vm: string; protocol: number; clock: string }[]
      return listed.filter(({ vm }) => vm === "subnet-evm").map(({ vm, protocol, clock }) => ({ vm, protocol, clock }))
    }
    expect(await clocks(pluginDir)).toEqual([
      { vm: "subnet-evm", protocol: expect.any(Number), clock: expect.stringMatching(/^(stops|moves)$/) },
    ])
    expect(await clocks(plainPlugins(dir))).toEqual([{ vm: "subnet-evm", protocol: expect.any(Number), clock: "none" }])
  })

  test("names a file that is no plugin, with the reason", async () => {
    const plugins = mkdtempSync(join(dir, "bad-"))
    writeFileSync(join(plugins, "xsvm"), "#!/bin/sh\necho no plugin; exit 3\n", { mode: 0o755 })
    const { stdout } = await run(["plugin", "list", "--plugin-dir", plugins])
    expect(stdout).toMatch(/^VM +File +Reason\nxsvm +\S+\/xsvm +the plugin ended before it was ready .*no plugin/)
  })
})

describe("serac plugin build", { ...needsClockPlugin("subnet-evm"), timeout: 60_000 }, () => {
  /** A cache with a plugin, as an earlier build left it. */
  function cacheWith(plugin: string, version: string): string {
    const cache = mkdtempSync(join(dir, "cache-"))
    copyFileSync(plugin, join(cache, cacheKey("subnet-evm", pluginSource("subnet-evm", version), overlayText)))
    return cache
  }
  const plugin = (at: string) => join(at, idText(SUBNET_EVM))
  /** Runs the command where there is no Go. */
  const build = (cache: string, out: string, ...more: readonly string[]) =>
    run(["plugin", "build", "subnet-evm", "--cache", cache, "--out", out, ...more], { env: { PATH: dir } })

  test("takes a plugin from the cache without Go, tries it, and puts it into the directory, from which list shows it", async ({
    skip,
  }) => {
    const out = join(dir, "out")
    const cache = cacheWith(plugin(pluginDir), "v1.14.2")
    const { code, stdout, stderr } = await build(cache, out, "--json")
    // A plugin that moves and does not stop is one of another maker.
    if (stderr.includes("vm.not_following")) skip()
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, vm: "subnet-evm", file: plugin(out), clock: "stops" })
    expect(stderr).toMatch(
      /^serac: takes subnet-evm v1\.14\.2 from \S+\nserac: starts the plugin, to see whether it follows a clock\n$/,
    )
    expect(readdirSync(out)).toEqual([idText(SUBNET_EVM)])
    const { stdout: listed } = await run(["plugin", "list", "--plugin-dir", out, "--json"])
    expect(JSON.parse(listed)).toMatchObject([{ vm: "subnet-evm", file: plugin(out), clock: "stops" }])
  })

  test("refuses a plugin that does not follow the clock, and one of another release is not taken", async () => {
    const out = join(dir, "refused")
    const plain = plugin(plainPlugins(dir))
    const refused = await build(cacheWith(plain, "v1.14.2"), out)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("vm.not_following")])
    const other = await build(cacheWith(plain, "v0.8.0"), out)
    expect([other.code, other.stderr]).toEqual([1, expect.stringMatching(/vm\.no_go|vm\.build_failed/)])
    expect(existsSync(out) ? readdirSync(out) : []).toEqual([])
  })
})

test("serac plugin refuses words that it does not know", async () => {
  expect((await run(["plugin", "built"])).stderr).toContain("cli.unknown_action")
  expect((await run(["plugin", "build"])).stderr).toContain("cli.missing_argument")
  expect((await run(["plugin", "build", "xsvm"])).stderr).toContain("cli.unknown_action")
  expect((await run(["plugin", "list", "--out", "x"])).stderr).toContain("cli.flag_without_effect")
  expect((await run(["plugin", "list"])).stderr).toContain("vm.bad_plugin_dir")
})
