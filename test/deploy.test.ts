import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { commands } from "../src/cli/commands/index.js"
import { variableOf } from "../src/cli/flags/flags.js"
import { metricNames } from "./docs/metrics.js"
import { needs } from "./needs.js"
import { root } from "./sources.js"

const read = (path: string) => readFileSync(join(root, path), "utf8")
const files = [...readdirSync(join(root, "deploy")).map((name) => `deploy/${name}`), "Dockerfile"]
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

test("the image is on a Node that is supported, installs what the lock file names, runs no package's script, and by default serves only this machine", () => {
  const dockerfile = read("Dockerfile")
  const instructions = dockerfile.split("\n").filter((line) => /^[A-Z]+ /.test(line))
  // Node 24 is supported until April 2028.
  expect(instructions.filter((line) => line.startsWith("FROM"))).toEqual(["FROM node:24-slim AS build", "FROM node:24-slim"])
  const installs = instructions.filter((line) => /npm (ci|install|i|pack)\b/.test(line))
  expect(installs).toEqual([
    expect.stringMatching(/^RUN npm ci --ignore-scripts && .* && npm prune --omit=dev --ignore-scripts/),
    expect.stringMatching(
      /^RUN npm install --no-save --omit=dev --ignore-scripts "postgres@\$\(node --print '.*devDependencies\.postgres'\)"$/,
    ),
  ])
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
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", join(root, "deploy/serac.service")])
  expect([status, stderr.toString()]).toEqual([0, ""])
})
