import { spawn } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { valueOrUndefined } from "../../core/lib/invalid.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { idText } from "../../core/types/id.js"
import { vmError } from "../errors.js"
import { type PluginVersion, pluginVersion } from "../plugin/pluginProcess.js"
import { overlayText, writeOverlay } from "./clockOverlay.js"
import { type BuiltVM, cacheKey, goModOf, type PluginSource, pluginSource } from "./pluginSource.js"

export interface BuildOptions {
  readonly vm: BuiltVM
  readonly version: string
  /** The directory of plugins into which the file is put. */
  readonly out: string
  /** A directory in which built plugins are kept; omitted if none are. */
  readonly cache?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Receives a sentence about each step. */
  say(step: string): void
}

/** A plugin that was built and tried. */
export interface BuiltPlugin extends PluginVersion {
  readonly path: string
}

/**
 * Builds a plugin that follows the clock of its host, from published modules, or takes it from the cache. It is started once to see that it does.
 * Throws `vm.*`; nothing is put into the directory then.
 */
export async function buildPlugin(options: BuildOptions): Promise<BuiltPlugin> {
  const { vm, version, out, cache, say } = options
  if (process.platform === "win32") throw vmError("vm.platform")
  const source = pluginSource(vm, version)
  const kept = cache === undefined ? undefined : join(resolve(cache), cacheKey(vm, source, overlayText))
  const work = mkdtempSync(join(tmpdir(), "serac-plugin-build-"))
  const path = join(resolve(out), idText(source.vmID))
  const beside = `${path}.new`
  try {
    const isKept = kept !== undefined && existsSync(kept)
    if (isKept) say(`takes ${vm} ${version} from ${kept}`)
    const built = isKept ? kept : await build(source, work, options)
    mkdirSync(resolve(out), { recursive: true })
    copyFileSync(built, beside)
    say("starts the plugin, to see whether it follows a clock")
    const facts = await pluginVersion({ path: beside, pluginProtocol: "any", onFault: raise })
    if (facts.clock !== "stops") throw vmError("vm.not_following", { vm, version, clock: facts.clock })
    renameSync(beside, path)
    if (kept !== undefined && !isKept) keep(path, kept)
    return { ...facts, path }
  } finally {
    rmSync(beside, { force: true })
    rmSync(work, { recursive: true, force: true })
  }
}

const raise = (error: unknown): never => {
  throw error
}

/** Keeps a file in a cache, which others may read meanwhile. */
function keep(path: string, kept: string): void {
  mkdirSync(join(kept, ".."), { recursive: true })
  const beside = `${kept}.${process.pid}`
  copyFileSync(path, beside)
  renameSync(beside, kept)
}

/** Builds a program in a directory of its own. Returns its file. */
async function build(source: PluginSource, work: string, { env, say }: BuildOptions): Promise<string> {
  const go: Go = (args, { program: of = "go", ...more } = {}) => runGo(of, args, { cwd: work, env: { ...env, ...more.env } })
  const { module, version, program } = source
  say(`asks Go for ${module}@${version}`)
  const goVersion = await goVersionOf(source, go)
  const release = { GOTOOLCHAIN: env.GOTOOLCHAIN ?? `go${goVersion}` }
  const goroot = (await go(["env", "GOROOT"], { env: release })).trim()
  const overlay = writeOverlay(goroot, goVersion, join(work, "overlay"))
  const folder = join(work, "program")
  mkdirSync(folder)
  writeFileSync(join(folder, "go.mod"), goModOf(source, goVersion))
  writeFileSync(join(folder, "main.go"), program)
  say(
    `builds it with ${goroot}, with a time.Now that follows a clock; everything is compiled anew the first time, which takes minutes`,
  )
  const file = join(work, "plugin")
  const args = ["build", "-C", folder, "-mod=mod", "-buildvcs=false", "-trimpath", ...overlay.args, "-o", file, "."]
  // The libraries of signatures then run on every processor of the kind, as those of AvalancheGo's releases do.
  await go(args, { program: overlay.go, env: { ...overlay.env, CGO_CFLAGS: "-O2 -D__BLST_PORTABLE__" } })
  return file
}

/** Runs Go, or another program of Go, with variables beside those of the user, and returns what it prints. Throws `vm.no_go` and `vm.build_failed`. */
type Go = (
  args: readonly string[],
  how?: { readonly program?: string; readonly env?: Readonly<Record<string, string>> },
) => Promise<string>

/** Returns the release of Go that a module names. */
async function goVersionOf({ module, version }: PluginSource, go: Go): Promise<string> {
  const { GoMod } = JSON.parse(await go(["mod", "download", "-json", `${module}@${version}`])) as { GoMod: string }
  const [, named] = /^go (\d+\.\d+(?:\.\d+)?)$/m.exec(readFileSync(GoMod, "utf8")) ?? []
  if (named === undefined) throw vmError("vm.build_failed", { reason: `${GoMod} names no release of Go` })
  return named
}

/** The number of lines of Go that explain a failure. */
const SHOWN_LINES = 20

function runGo(
  program: string,
  args: readonly string[],
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<string> {
  return new Promise((fulfil, reject) => {
    const child = spawn(program, args, { ...where, stdio: ["ignore", "pipe", "pipe"] })
    const printed = { stdout: "", stderr: "" }
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        printed[name] += text
      })
    }
    child.on("error", (error) => reject(vmError("vm.no_go", { reason: error.message })))
    child.on("close", (code) => {
      if (code === 0) return fulfil(printed.stdout)
      const lines = jsonError(printed.stdout) ?? printed.stderr + printed.stdout
      const reason = lines.trim().split("\n").slice(-SHOWN_LINES).join("\n")
      reject(vmError("vm.build_failed", { command: `go ${args.slice(0, 2).join(" ")}`, reason }))
    })
  })
}

/** Returns the error in what Go prints as JSON; `undefined` if it prints something else. */
function jsonError(printed: string): string | undefined {
  const found = valueOrUndefined(() => parseJson(printed)) as { readonly Error?: string } | undefined
  return found?.Error
}
