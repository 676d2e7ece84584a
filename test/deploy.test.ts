import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import { createInterface } from "node:readline"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { commands } from "../src/cli/commands/index.js"
import { parseCommandLine, resolveFlags, variableOf } from "../src/cli/flags/flags.js"
import { httpClient } from "../src/client/client.js"
import { startDevnet } from "../src/devnet/devnet.js"
import { seracOfFile } from "./cli/serac.js"
import { metricNames } from "./docs/metrics.js"
import { needsPostgres, newDatabase } from "./fixtures/postgres.js"
import { needs } from "./needs.js"
import { root } from "./sources.js"

const read = (path: string) => readFileSync(join(root, path), "utf8")
const files = [
  ...readdirSync(join(root, "deploy"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name))),
  "Dockerfile",
]
const guides = ["docs/deployment.md", "docs/operating.md", "docs/limits.md", "docs/joining.md"]

describe("the files for deployment", () => {
  test("name only variables and flags that a command has", async () => {
    const loaded = await Promise.all(commands.map(({ load }) => load()))
    const flags = new Set(loaded.flatMap(({ flags }) => Object.keys(flags)))
    const variables = new Set([...flags].map(variableOf))
    const named = files.flatMap((path) => read(path).match(/SERAC_[A-Z_]+/g) ?? [])
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !variables.has(name))).toEqual([])
    const lines = files.flatMap((path) => read(path).split("\n")).filter((line) => /(^|\s)serac (serve|--|node)/.test(line))
    const given = lines.flatMap((line) =>
      [...line.slice(line.search(/(^|\s)serac (serve|--|node)/)).matchAll(/--([a-z][a-z-]+)/g)].map(([, name]) => name as string),
    )
    expect(given.filter((name) => !flags.has(name))).toEqual([])
  })

  test("give each command flags that it has, with values that it takes", async () => {
    for (const [path, name] of Object.entries(ROLES)) {
      const { flags } = await commandOf(name)
      const { ARGUMENTS = "", ...variables } = variablesOf(path)
      const { set, args } = resolveFlags(flags, parseCommandLine(ARGUMENTS.split(" ").filter(Boolean), flags), variables, {})
      expect([path, [...set.keys()].map(variableOf).sort()]).toEqual([path, Object.keys(variables).sort()])
      expect([path, args.length]).toEqual([path, name === "follow" ? 1 : 0])
    }
  })

  test("give the services of compose commands, variables and checks that Serac takes, and no place to write but their volumes", async () => {
    const services = files.filter((path) => path.endsWith("compose.yaml")).flatMap(composedIn)
    expect(services.map(({ name }) => name)).toEqual(["serac", "serac", "serac", "publisher", "reader"])
    for (const { name: service, text, command, variables, check } of services) {
      const { flags } = await commandOf(command[0] ?? "node")
      const { args } = resolveFlags(flags, parseCommandLine(command.slice(1), flags), variables, {})
      expect([service, args.length]).toEqual([service, command[0] === "follow" ? 1 : 0])
      if (check) {
        const health = await commandOf("health")
        expect(resolveFlags(health.flags, parseCommandLine(check, health.flags), {}, {}).args).toEqual([])
      }
      for (const line of ["read_only: true", "tmpfs: [/tmp]", "cap_drop: [ALL]"]) expect(text).toContain(line)
    }
  })

  test("and guides name only metrics that a node has", async () => {
    const metrics = await metricNames()
    const named = [...files, ...guides].flatMap((path) => read(path).match(/\b(serac|process|nodejs)_[a-z_]+[a-z]\b/g) ?? [])
    expect(new Set(named).size).toBeGreaterThan(12)
    expect(named.map((name) => name.replace(/_(bucket|sum|count)$/, "")).filter((name) => !metrics.has(name))).toEqual([])
  })

  test("the dashboard has panels for every kind of node, and asks for metrics that exist", async () => {
    const { panels, templating } = JSON.parse(read("deploy/grafana-dashboard.json")) as Dashboard
    const metrics = await metricNames()
    const rows = panels.filter(({ type }) => type === "row").map(({ title }) => title)
    expect(rows).toEqual(["Node", "Calls", "Private chain", "Joined node", "Copy", "Publisher and read servers", "L1s"])
    const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    const named = asked.flatMap((expr) => expr.match(/\b(serac|process|nodejs)_[a-z0-9_]+\b/g) ?? [])
    expect(named.map((name) => name.replace(/_(bucket|sum|count)$/, "")).filter((name) => !metrics.has(name))).toEqual([])
    expect(asked.length).toBeGreaterThan(25)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { type, targets = [], datasource } of panels) {
      if (type === "row") continue
      expect([targets.length > 0, datasource?.uid]).toEqual([true, DATASOURCE])
      for (const { expr } of targets) expect(expr).toContain('instance=~"$instance"')
    }
    expect(templating.list.map(({ name }) => name)).toEqual(["datasource", "instance"])
  })

  test("say in their first lines what has not been tried, unless the tests of proxies run them", () => {
    const tried = ["deploy/nginx.conf", "deploy/Caddyfile"]
    const silent = files.filter(
      (path) => !tried.includes(path) && !/\b[Nn]ot (run|started)|was not run/.test(read(path).split("\n").slice(0, 3).join(" ")),
    )
    expect(silent).toEqual([])
  })
})

/** A variable of the dashboard. */
const DATASOURCE = "$" + "{datasource}"

/** A dashboard of Grafana, as far as the test reads it. */
interface Dashboard {
  readonly panels: readonly {
    readonly id: number
    readonly type: string
    readonly title: string
    readonly datasource?: { readonly uid: string }
    readonly targets?: readonly { readonly expr: string }[]
  }[]
  readonly templating: { readonly list: readonly { readonly name: string }[] }
}

/** The step of the image that removes the packages for development. */
const PRUNE = "RUN mv node_modules/postgres . && npm prune --omit=dev --ignore-scripts && mv postgres node_modules/"

test(
  "the image has the packages that the program needs, and the client of PostgreSQL",
  needs(process.platform === "linux", "Linux"),
  () => {
    mkdirSync(join(root, ".serac"), { recursive: true })
    const dir = mkdtempSync(join(root, ".serac/image-"))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    for (const name of ["package.json", "package-lock.json", ".npmrc"]) cpSync(join(root, name), join(dir, name))
    // Links to the same files take no room, and removing them here leaves the others.
    expect(spawnSync("cp", ["-al", join(root, "node_modules"), dir]).status).toBe(0)
    const { status, stderr } = spawnSync("sh", ["-c", PRUNE.replace("RUN ", "")], { cwd: dir, encoding: "utf8" })
    expect([status, stderr]).toEqual([0, expect.any(String)])
    const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<string, Record<string, string>>
    const has = (name: string) => existsSync(join(dir, "node_modules", name, "package.json"))
    expect([...Object.keys(dependencies!), "postgres"].filter((name) => !has(name))).toEqual([])
    expect(Object.keys(devDependencies!).filter(has)).toEqual(["postgres"])
  },
)

test("the image is on a Node that is supported, installs what the lock file names, runs no package's script, and by default serves only this machine", () => {
  const dockerfile = read("Dockerfile")
  const instructions = dockerfile.split("\n").filter((line) => /^[A-Z]+ /.test(line))
  // Node 24 is supported until April 2028.
  expect(instructions.filter((line) => line.startsWith("FROM"))).toEqual(["FROM node:24-slim AS build", "FROM node:24-slim"])
  const installs = instructions.filter((line) => /npm (ci|install|i|pack|prune)\b/.test(line))
  expect(installs).toEqual(["RUN npm ci --ignore-scripts", PRUNE])
  expect(instructions).toContain("ENV SERAC_HTTP_HOST=0.0.0.0 SERAC_HTTP_ALLOWED_HOSTS=localhost,serac")
  expect(instructions.filter((line) => line.startsWith("HEALTHCHECK"))).toEqual([
    expect.stringMatching(/CMD \["serac", "health"\]$/),
  ])
  // No CMD: arguments of `docker run` would replace it.
  expect(instructions.at(-1)).toBe('ENTRYPOINT ["serac"]')
  expect(dockerfile.match(/-p \S+/g)).toEqual(["-p 127.0.0.1:9650:9650"])
  expect(instructions).toContain("USER node")
})

const CHECKS: readonly (readonly [string, string, string, string])[] = [
  ["promtool", "check", "config", "deploy/prometheus.yml"],
  ["promtool", "check", "rules", "deploy/prometheus-alerts.yml"],
  ["caddy", "validate", "--adapter=caddyfile", "--config=deploy/Caddyfile"],
]

for (const [program, ...args] of CHECKS) {
  const isInstalled = spawnSync(program, ["--version"]).error === undefined
  test(`${program} accepts the file: ${args.join(" ")}`, needs(isInstalled, program), () => {
    expect(spawnSync(program, args, { cwd: root }).status).toBe(0)
  })
}

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0

test("systemd accepts the unit", needs(hasSystemd, "systemd-analyze"), () => {
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", join(root, "deploy/serac@.service")])
  expect([status, stderr.toString()]).toEqual([0, ""])
})

const hasCompose = spawnSync("docker", ["compose", "version"]).status === 0

for (const path of files.filter((name) => name.endsWith("compose.yaml"))) {
  test(`docker compose accepts ${path}`, needs(hasCompose, "docker compose"), () => {
    const env = { ...process.env, POSTGRES_PASSWORD: "secret" }
    const { status, stderr } = spawnSync("docker", ["compose", "--file", join(root, path), "config", "--quiet"], { env })
    expect([status, stderr.toString()]).toEqual([0, ""])
  })
}

const hasKubectl = spawnSync("kubectl", ["version", "--client"]).status === 0

test("kubectl renders the files for Kubernetes, each with its command and its variables", needs(hasKubectl, "kubectl"), () => {
  const rendered = ["joined", "follower", "published"].map((role) => {
    const { status, stdout, stderr } = spawnSync("kubectl", ["kustomize", join(root, "deploy", role)])
    expect([role, status, stderr.toString()]).toEqual([role, 0, ""])
    return stdout.toString()
  })
  const argsOf = (text: string) => [...text.matchAll(/- args:\n((?: +- .*\n)+)/g)].map((match) => match[1]?.match(/[^\s-].*/g))
  expect(rendered.map(argsOf)).toEqual([[["node"]], [["follow", "$(ARGUMENTS)"]], [["serve"], ["node"]]])
  // The pods read the variables of the .env files, whose names have a hash of their content.
  for (const text of rendered) {
    const maps = [...text.matchAll(/^kind: ConfigMap\n[\s\S]*?^ {2}name: (\S+)$/gm)].map((match) => match[1])
    const read = [...text.matchAll(/configMapRef:\n +name: (\S+)/g)].map((match) => match[1])
    expect(read.sort()).toEqual(maps.sort())
  }
  expect(rendered.map((text) => text.includes("hostPort: 9651"))).toEqual([true, false, true])
})

/** The files with the flags of a kind of node, each with its command. */
const ROLES = {
  "deploy/joined/serac.env": "node",
  "deploy/follower/serac.env": "follow",
  "deploy/published/publisher.env": "node",
  "deploy/published/reader.env": "serve",
} as const

async function commandOf(name: string) {
  const found = commands.find((each) => each.name === name)
  if (!found) throw new Error(`there is no command ${name}`)
  return found.load()
}

/** The variables of an .env file. */
function variablesOf(path: string): Record<string, string> {
  return Object.fromEntries([...read(path).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
}

/** A service of a compose file that runs Serac. */
interface Composed {
  readonly name: string
  readonly text: string
  readonly command: readonly string[]
  /** The variables of its file and of its own, as far as they are Serac's. */
  readonly variables: Readonly<Record<string, string>>
  /** The arguments of its health check. */
  readonly check: readonly string[] | undefined
}

/** The services that a compose file builds from this repository. */
function composedIn(path: string): readonly Composed[] {
  const words = (list = "") =>
    list
      .split(",")
      .map((word) => word.trim().replaceAll('"', ""))
      .filter(Boolean)
  const text = read(path).replace(/\s+#.*$/gm, "")
  const services = [...text.matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n)+)/gm)].map(
    (match) => [match[1], match[2]] as [string, string],
  )
  return services
    .filter(([, service]) => service.includes("build:"))
    .map(([name, service]) => {
      const file = /env_file: (\S+)/.exec(service)?.[1]
      const own = Object.fromEntries(
        [...service.matchAll(/^ {6}(SERAC_[A-Z_]+): "?([^"\n]*)"?$/gm)].map((match) => [match[1], match[2]]),
      )
      const { ARGUMENTS: _, ...given } = file === undefined ? {} : variablesOf(join(path, "..", file))
      return {
        name,
        text: service,
        // A comma within quotes is a part of the word.
        command:
          (/command: \[(.*)\]/.exec(service)?.[1] ?? "").match(/"[^"]*"|[^\s,"]+/g)?.map((word) => word.replaceAll('"', "")) ??
          [],
        variables: { ...given, ...own } as Record<string, string>,
        check: service.includes("healthcheck:") ? words(/\[CMD, serac, health,?(.*)\]/.exec(service)?.[1]) : undefined,
      }
    })
}

describe("nodes with the flags of the files", () => {
  const serac = seracOfFile("deploy")

  /** Starts the command of a file, with some variables of this machine, and waits until it is ready. Never joins a network. */
  async function start(path: keyof typeof ROLES, own: Readonly<Record<string, string>>): Promise<string> {
    const { ARGUMENTS = "", ...given } = { ...variablesOf(path), ...own }
    const here = {
      HOME: mkdtempSync(join(serac.folder, "home-")),
      SERAC_HTTP_PORT: "0",
      SERAC_METRICS_PORT: "0",
      SERAC_JSON: "true",
    }
    const env = { ...process.env, ...given, ...here, ...("SERAC_NETWORK_ID" in given ? { SERAC_NETWORK_ID: "local" } : {}) }
    const child = spawn(process.execPath, [serac.bin, ROLES[path], ...ARGUMENTS.split(" ").filter(Boolean)], { env })
    const ended = once(child, "close")
    onTestFinished(async () => {
      child.kill("SIGTERM")
      await ended
    })
    child.stderr.resume()
    const lines = createInterface({ input: child.stdout })
    const [line] = await Promise.race([
      once(lines, "line"),
      ended.then(() => Promise.reject(new Error(`${path} ends with ${child.exitCode}`))),
    ])
    const { url } = JSON.parse(line as string) as { url: string }
    await vi.waitFor(async () => expect((await fetch(`${url}/ext/health/readiness`)).status).toBe(200), { timeout: 30_000 })
    return url
  }

  test("follow a node", async () => {
    const devnet = await startDevnet()
    onTestFinished(() => devnet.stop())
    const url = await start("deploy/follower/serac.env", { ARGUMENTS: devnet.url })
    const { height } = await devnet.rpc("platform.getHeight")
    await vi.waitFor(async () => expect((await httpClient(url)("platform.getHeight")).height).toBe(height), { timeout: 30_000 })
  })

  test("publish a chain and serve it", needsPostgres, async () => {
    const database = await newDatabase()
    onTestFinished(() => database.close())
    await start("deploy/published/publisher.env", { SERAC_PUBLISH: database.url })
    await vi.waitFor(async () => expect(await database.sql`select height from serac.tip`).toHaveLength(1), { timeout: 30_000 })
    const url = await start("deploy/published/reader.env", { SERAC_POSTGRES: database.url })
    expect((await httpClient(url)("platform.getHeight")).height).toBe(1n)
  })
})
