import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { buildPackage } from "../clients/package.js"
import { needs } from "../needs.js"
import { root } from "../sources.js"
import { boardBytecode } from "./board.js"
import { needsPlugin, pluginDir } from "./plugins.js"

/** A folder `node_modules` with viem. */
const modules = process.env.SERAC_VIEM ?? ""
const hasViem = modules !== "" && existsSync(join(modules, "viem"))

let built: ReturnType<typeof buildPackage> | undefined
beforeAll(() => {
  if (hasViem) built = buildPackage()
})
afterAll(() => built?.remove())

test(
  "the program of docs/l1.md deploys a contract with viem",
  pluginDir === "" ? needsPlugin("subnet-evm") : needs(hasViem, "viem in the directory SERAC_VIEM"),
  async () => {
    const [, program = ""] =
      /## A contract in ten lines\n\n```ts\n([^`]*)```/.exec(readFileSync(join(root, "docs/l1.md"), "utf8")) ?? []
    expect(program).toContain("deployContract({ abi, bytecode })")
    const folder = join((built as NonNullable<typeof built>).dir, "l1-guide")
    mkdirSync(join(folder, "node_modules"), { recursive: true })
    symlinkSync(join(modules, "viem"), join(folder, "node_modules/viem"))
    writeFileSync(join(folder, "contract.mts"), `const abi = [] as const, bytecode = "${boardBytecode}"\n${program}`)
    const run = promisify(execFile)
    // `process.env` in the program needs the types of Node.js.
    const options = [
      "--strict",
      "--target",
      "es2022",
      "--module",
      "node16",
      "--types",
      "node",
      "--skipLibCheck",
      "--ignoreConfig",
    ]
    await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...options, "contract.mts"], { cwd: folder })
    const env = { ...process.env, PLUGINS: pluginDir }
    const { stdout } = await run(process.execPath, ["contract.mjs"], { cwd: folder, env })
    expect(stdout).toContain("status: 'success'")
    expect(stdout).toMatch(/contractAddress: '0x52c84043cd9c865236f11d9fc9f56aa003c1f922'/i)
  },
)
