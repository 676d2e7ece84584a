import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { buildPlugin } from "./buildPlugin.js"
import { writeOverlay } from "./clockOverlay.js"
import { goModOf, pluginSource } from "./pluginSource.js"

const dir = mkdtempSync(join(tmpdir(), "serac-build-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Makes a Go with a `time.Now` that begins with these lines. */
function goWith(...lines: readonly string[]): string {
  const goroot = mkdtempSync(join(dir, "goroot-"))
  mkdirSync(join(goroot, "src", "time"), { recursive: true })
  writeFileSync(join(goroot, "src", "time", "time.go"), `package time\n\nfunc Now() Time {\n${lines.join("\n")}\n}\n`)
  return goroot
}

test.each(["now()", "runtimeNow()"])("an overlay changes the line of time.Now that calls %s, and adds a file", (reading) => {
  const goroot = goWith(`\tsec, nsec, mono := ${reading}`, "\tmono -= startNano")
  const at = join(mkdtempSync(join(dir, "overlay-")), "new")
  const { go, args, env } = writeOverlay(goroot, "1.25.8", at)
  expect({ go, args, env }).toEqual({
    go: join(at, "goroot", "bin", "go"),
    args: ["-overlay", join(at, "overlay.json")],
    env: { GOROOT: join(at, "goroot"), GOTOOLCHAIN: "local" },
  })
  expect(lstatSync(join(at, "goroot")).isSymbolicLink()).toBe(true)
  const { Replace } = JSON.parse(readFileSync(join(at, "overlay.json"), "utf8")) as { Replace: Record<string, string> }
  const time = join(at, "goroot", "src", "time")
  expect(Replace).toEqual({
    [join(time, "time.go")]: join(at, "time.go"),
    [join(time, "serac_clock.go")]: join(at, "serac_clock.go"),
  })
  expect(readFileSync(join(at, "time.go"), "utf8")).toBe(
    `package time\n\nfunc Now() Time {\n\tsec, nsec, mono := shownByHost(${reading})\n\tmono -= startNano\n}\n`,
  )
  expect(readFileSync(join(goroot, "src", "time", "time.go"), "utf8")).toContain(`mono := ${reading}`)
})

test("a Go whose time.Now is another one is refused by its version", () => {
  const goroot = goWith("\treturn clock.read()")
  expect(() => writeOverlay(goroot, "1.99.0", join(dir, "refused"))).toThrow(
    expect.objectContaining({ code: "vm.unknown_go", data: { version: "1.99.0", goroot } }),
  )
})

test("a release of AvalancheGo has its VMs as modules, and earlier ones had modules of their own", () => {
  const modules = (["subnet-evm", "coreth"] as const).flatMap((vm) =>
    ["v1.14.2", "v0.8.0"].map((version) => pluginSource(vm, version).module),
  )
  expect(modules).toEqual([
    "github.com/ava-labs/avalanchego/graft/subnet-evm",
    "github.com/ava-labs/subnet-evm",
    "github.com/ava-labs/avalanchego/graft/coreth",
    "github.com/ava-labs/coreth",
  ])
  expect(goModOf(pluginSource("coreth", "v1.14.2"), "1.25.8")).toContain(
    "go 1.25.8\n\nrequire (\n\tgithub.com/ava-labs/avalanchego/graft/coreth v1.14.2\n",
  )
  for (const version of ["1.14.2", "latest", "v1.14", "v1.14.2 x"]) {
    expect(() => pluginSource("coreth", version)).toThrow(expect.objectContaining({ code: "vm.bad_version" }))
  }
})

test.runIf(process.platform !== "win32")("a module that Go does not get is refused with Go's sentence", async () => {
  const bin = mkdtempSync(join(dir, "bin-"))
  const json = JSON.stringify({ Path: "github.com/ava-labs/coreth", Error: "coreth@v0.9.9: no such version" })
  writeFileSync(join(bin, "go"), `#!/bin/sh\necho '${json}'; exit 1\n`, { mode: 0o755 })
  const build = buildPlugin({ vm: "coreth", version: "v0.9.9", out: join(dir, "none"), env: { PATH: bin }, say: () => {} })
  const data = { command: "go mod download", reason: "coreth@v0.9.9: no such version" }
  await expect(build).rejects.toMatchObject({ code: "vm.build_failed", data })
})

test("without Go a build is refused with what to install, and nothing is left", async () => {
  const out = join(dir, "out")
  const said: string[] = []
  const build = buildPlugin({ vm: "coreth", version: "v1.14.2", out, env: { PATH: dir }, say: (step) => said.push(step) })
  await expect(build).rejects.toMatchObject({ code: "vm.no_go", message: expect.stringContaining("https://go.dev/dl") })
  expect(said).toEqual(["asks Go for github.com/ava-labs/avalanchego/graft/coreth@v1.14.2"])
  expect(() => lstatSync(out)).toThrow(expect.objectContaining({ code: "ENOENT" }))
})
