import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { isSoak } from "../fuzz/random.js"
import { root } from "../sources.js"
import { type Block, isShown } from "./guideBlocks.js"

/** Follows a guide in a separate folder, as a reader would: runs its commands and writes its files. */
export class Reader {
  readonly #dir: string
  readonly #env: NodeJS.ProcessEnv
  /** The ports that guides name, each with the free port that replaces it here. */
  readonly #ports: Readonly<Record<string, number>>
  #node: ChildProcess | undefined

  private constructor(dir: string, ports: Readonly<Record<string, number>>) {
    this.#dir = dir
    this.#ports = ports
    this.#env = {
      ...process.env,
      PATH: `${join(dir, ".bin")}:${process.env.PATH}`,
      HOME: dir,
      SERAC_HTTP_PORT: String(ports["9650"]),
    }
  }

  /** `dir` is inside the package, so that its programs import "serac" by name. */
  static async open(dir: string, packageDir: string): Promise<Reader> {
    mkdirSync(join(dir, ".bin"), { recursive: true })
    const programs = { serac: join(packageDir, "bin/serac"), vitest: join(root, "node_modules/vitest/vitest.mjs") }
    const cases = Object.entries(programs).map(([name, path]) => `  ${name}) shift; exec "${process.execPath}" "${path}" "$@" ;;`)
    writeFileSync(join(dir, ".bin/npx"), `#!/bin/sh\ncase $1 in\n${cases.join("\n")}\n*) exit 127 ;;\nesac\n`)
    chmodSync(join(dir, ".bin/npx"), 0o755)
    // A reader's project is not below ours.
    writeFileSync(join(dir, "vitest.config.js"), "export default {}\n")
    return new Reader(dir, { "9650": await freePort(), "9652": await freePort() })
  }

  /** Runs the blocks of a guide in their order. Throws if one fails, or if its output differs from the guide. */
  async follow(blocks: readonly Block[]): Promise<void> {
    await this.#compile(blocks.filter(({ language, mark }) => language === "ts" && mark === "run"))
    for (const block of blocks) await this.#followBlock(block)
  }

  async #followBlock({ language, mark, name, text, output }: Block): Promise<void> {
    const own = this.#withFreePorts(text)
    const shown = output === undefined ? undefined : this.#withFreePorts(output)
    if (language === "js") writeFileSync(join(this.#dir, name), own)
    if (mark === "background") return this.#start(own, shown)
    if (mark !== "run") return
    const program = name.replace(/\.ts$/, ".js")
    const [command, ...args] = language === "sh" ? ["bash", "-euo", "pipefail", "-c", own] : [process.execPath, program]
    const { code, stdout, stderr } = await this.#run(command as string, args)
    if (code !== 0) throw new Error(`exit code ${code}: ${own}\n${stdout}${stderr}`)
    if (shown !== undefined && !isShown(shown, stdout))
      throw new Error(`the guide shows\n${shown}\nbut this was printed:\n${stdout}`)
  }

  #withFreePorts(text: string): string {
    return Object.entries(this.#ports).reduce((changed, [named, free]) => changed.replaceAll(named, String(free)), text)
  }

  /** Stops what runs in the background. */
  async close(): Promise<void> {
    const node = this.#node
    this.#node = undefined
    if (!node || node.exitCode !== null) return
    const ended = new Promise((resolve) => node.once("close", resolve))
    node.kill("SIGTERM")
    await ended
  }

  /** Starts a node in place of the one before, and waits until it has printed the output of the guide. */
  async #start(text: string, shown = "…"): Promise<void> {
    await this.close()
    const node = spawn("bash", ["-c", `exec ${text.trim()}`], { cwd: this.#dir, env: this.#env })
    this.#node = node
    let printed = ""
    let stderr = ""
    node.stderr.on("data", (chunk) => {
      stderr += chunk
    })
    await new Promise<void>((resolve, reject) => {
      node.stdout.on("data", (chunk) => {
        printed += chunk
        if (isShown(shown, printed)) resolve()
      })
      node.once("close", (code) => reject(new Error(`it ended with ${code}: ${text}\n${printed}${stderr}`)))
      setTimeout(() => reject(new Error(`the guide shows\n${shown}\nbut this was printed:\n${printed}${stderr}`)), 20_000).unref()
    })
  }

  /**
   * Checks the programs of a guide with the oldest and the newest TypeScript, with the types of Node.js and without, and compiles them for
   * this Node. The newest also checks the library's declarations. The oldest takes six seconds for those, most of them for Node's own, so it does that in soak alone; it always reads them.
   */
  async #compile(programs: readonly Block[]): Promise<void> {
    if (programs.length === 0) return
    const names = programs.map(({ name }) => name)
    for (const { name, text } of programs) writeFileSync(join(this.#dir, name), this.#withFreePorts(text))
    const common = ["--strict", "--target", "es2022"]
    const resolutions = [
      ["--module", "esnext", "--moduleResolution", "bundler", "--types", "node"],
      ["--module", "node16", "--moduleResolution", "node16", "--typeRoots", "none"],
    ]
    const options: Readonly<Record<string, readonly string[]>> = {
      typescript: ["--ignoreConfig", "--skipLibCheck", "false"],
      "typescript-lowest": ["--skipLibCheck", isSoak ? "false" : "true"],
    }
    for (const [compiler, own] of Object.entries(options)) {
      for (const resolution of resolutions) {
        const args = [join(root, "node_modules", compiler, "bin/tsc"), ...common, ...resolution, ...own, ...names]
        const { code, stdout } = await this.#run(process.execPath, args)
        if (code !== 0) throw new Error(`${compiler} ${resolution.join(" ")} refuses ${names.join(" or ")}:\n${stdout}`)
      }
    }
  }

  #run(command: string, args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn(command, args, { cwd: this.#dir, env: this.#env, stdio: ["ignore", "pipe", "pipe"] })
    const output = { stdout: "", stderr: "" }
    for (const name of ["stdout", "stderr"] as const) {
      child[name].on("data", (chunk) => {
        output[name] += chunk
      })
    }
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...output })))
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
