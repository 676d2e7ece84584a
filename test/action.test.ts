import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { seracOfFile } from "./cli/serac.js"
import { blocksOf } from "./clients/guideBlocks.js"
import { buildPackage } from "./clients/package.js"
import { needs } from "./needs.js"
import { root } from "./sources.js"

const built = seracOfFile("action")
const absent = ["bash", "curl"].filter((tool) => spawnSync(tool, ["--version"]).status !== 0)
const runner = mkdtempSync(join(tmpdir(), "serac-runner-"))
afterAll(() => rmSync(runner, { recursive: true, force: true }))

/** The steps of a composite action: their scripts and variables, with its inputs in place. */
function stepsOf(path: string, given: Readonly<Record<string, string>>) {
  const text = readFileSync(join(root, path), "utf8")
  const inputs = new Map(
    [...text.matchAll(/^ {2}(\w+):\n {4}description: .*\n {4}default: "?([^"\n]*)"?$/gm)].map(([, name, value]) => [
      name as string,
      given[name as string] ?? (value as string),
    ]),
  )
  const env = Object.fromEntries(
    [...text.matchAll(/^ {8}(\w+): \$\{\{ inputs\.(\w+) \}\}$/gm)].map(([, name, input]) => [
      name as string,
      inputs.get(input as string),
    ]),
  )
  const scripts = [...text.matchAll(/^ {6}run: (.*)$/gm)].map(([, script]) => script as string)
  return { inputs, env, scripts }
}

/** Runs the steps of an action as a runner does. Returns the output, and the variables and outputs that they set. */
function runAction(path: string, given: Readonly<Record<string, string>>, variables: Readonly<Record<string, string>> = {}) {
  const { env, scripts } = stepsOf(path, given)
  expect(scripts).toHaveLength(1)
  const files = { GITHUB_ENV: join(runner, "env"), GITHUB_OUTPUT: join(runner, "output") }
  for (const file of Object.values(files)) writeFileSync(file, "")
  const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", scripts[0] as string], {
    env: { ...process.env, ...variables, ...env, ...files, RUNNER_TEMP: runner, GITHUB_ACTION_PATH: join(root, dirname(path)) },
  })
  const pairs = (file: string) => {
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean)
    return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]))
  }
  return { status, text: `${stdout}${stderr}`, set: pairs(files.GITHUB_ENV), outputs: pairs(files.GITHUB_OUTPUT) }
}

test(
  "the action starts a healthy chain with flags, exports its URL, and action/stop stops it",
  needs(absent.length === 0, absent.join()),
  async () => {
    const { inputs } = stepsOf("action/action.yml", {})
    expect([...inputs.keys()]).toEqual(["command", "flags", "port", "timeout"])
    const command = `${process.execPath} ${built.bin}`
    const started = runAction("action/action.yml", { command, flags: "--ephemeral --accounts 1" })
    expect(started).toMatchObject({ status: 0, outputs: { url: started.set.SERAC_URL, log: started.set.CHAIN_LOG } })
    const health = await fetch(`${started.outputs.url}/ext/health`)
    expect(((await health.json()) as { healthy: boolean }).healthy).toBe(true)
    const call = spawnSync(process.execPath, [built.bin, "call", "dev.accounts", "--json"], {
      env: { ...process.env, ...started.set },
    })
    expect(JSON.parse(call.stdout.toString()).accounts).toHaveLength(3)
    const stopped = runAction("action/stop/action.yml", {}, started.set)
    expect(stopped).toMatchObject({ status: 0, text: expect.stringContaining("a private P-Chain") })
    await expect(fetch(`${started.outputs.url}/ext/health`)).rejects.toThrow()
  },
)

test("a chain that does not start fails the step with its reason", needs(absent.length === 0, absent.join()), () => {
  const refused = runAction("action/action.yml", { command: `${process.execPath} ${built.bin}`, flags: "--acounts 1" })
  expect(refused).toMatchObject({ status: 1, set: {}, outputs: {} })
  expect(refused.text).toContain("cli.unknown_flag")
  expect(refused.text).toContain("::error::")
  expect(runAction("action/stop/action.yml", {})).toMatchObject({ status: 1, text: expect.stringContaining("no private chain") })
})

test("Jest's two files start a chain, name it to the workers, and stop it", () => {
  const built = buildPackage()
  try {
    const dir = join(built.dir, "guides/jest")
    mkdirSync(dir, { recursive: true })
    const blocks = blocksOf(readFileSync(join(root, "docs/ci.md"), "utf8"))
    for (const { name, text } of blocks.filter((block) => /chain\.js$|^jest\./.test(block.name)))
      writeFileSync(join(dir, name), text)
    const program = `
      const { globalSetup, globalTeardown } = (await import("./jest.config.js")).default
      await (await import(globalSetup)).default()
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "platform.getHeight" })
      const url = process.env.SERAC_URL + "/ext/bc/P"
      const headers = { "content-type": "application/json" }
      console.log(await (await fetch(url, { method: "POST", headers, body })).text())
      await (await import(globalTeardown)).default()`
    writeFileSync(join(dir, "run.js"), program)
    const { status, stdout } = spawnSync(process.execPath, ["run.js"], { cwd: dir })
    expect([status, JSON.parse(stdout.toString()).result]).toEqual([0, { height: "1" }])
  } finally {
    built.remove()
  }
})
