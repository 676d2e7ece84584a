import { type Json, printJson } from "../../core/lib/json.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { flagWithDefault, optionalFlag } from "../flags/flags.js"
import { onOff } from "../flags/flagTypes.js"
import { serverFlags } from "../flags/serverFlags.js"
import { excludes } from "../flags/withoutEffect.js"
import { fetchText, nodeUrl, remoteNodeFlags } from "../remoteNode.js"

/** `serac health`: checks whether a running node is healthy, for HEALTHCHECK lines and scripts. */
export const healthCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Checks whether a node is healthy. The exit code is 0 if it is, and 1 if a check fails, which is named, or if the node cannot be reached.
Without --url it asks this machine at --http-port, which SERAC_HTTP_PORT may set, as in a container. With --json it prints the node's report
in both cases.`,
  examples: [
    { call: "serac health", does: "the node of this machine, on port 9650" },
    { call: "serac health --json", does: "every check, for scripts" },
    { call: "serac health --ready --url http://127.0.0.1:9650", does: "whether it may be asked now" },
  ],
  flags: {
    url: optionalFlag(nodeUrl, "URL of the node (default: http://127.0.0.1 and --http-port)"),
    "http-port": { ...serverFlags["http-port"], help: "Port of the node on this machine" },
    json: remoteNodeFlags.json,
    ready: flagWithDefault(onOff, "Asks whether the node is ready, instead of whether it is healthy", false),
    alive: flagWithDefault(onOff, "Asks only whether the node answers at all", false),
  },
  rules: [excludes("url", ["http-port"], "--url names the port"), excludes("ready", ["alive"], "--ready asks for more")],
  async run({ flags }, terminal) {
    const url = flags.url ?? `http://127.0.0.1:${flags["http-port"]}`
    const question = flags.alive ? "liveness" : flags.ready ? "readiness" : "health"
    const report = await reportOf(`${url}/ext/health/${question}`)
    if (flags.json) await terminal.print(`${printJson(report)}\n`)
    if (!report.healthy) throw cliError("cli.not_healthy", { url, failing: failuresIn(report) })
    if (!flags.json) await terminal.print("healthy\n")
  },
})

interface Report {
  readonly [name: string]: Json
  readonly healthy: boolean
  readonly checks: { readonly [name: string]: { readonly [name: string]: Json } }
}

/** The timeout of a node's answer, in milliseconds: less than Docker's half minute. */
const TIMEOUT = 20_000

async function reportOf(url: string): Promise<Report> {
  const { status, text } = await fetchText(url, { signal: AbortSignal.timeout(TIMEOUT) })
  if (!/^\s*\{/.test(text)) throw cliError("cli.not_a_node", { url, status, answer: text.trim().split("\n", 1)[0] })
  const report = parseJson(text) as { readonly [name: string]: Json }
  if (typeof report.healthy !== "boolean")
    throw cliError("cli.not_a_node", { url, status, answer: text.trim().split("\n", 1)[0] })
  return { checks: {}, ...report } as Report
}

function failuresIn({ checks }: Report): string {
  const failing = Object.entries(checks).flatMap(([name, { error }]) => (typeof error !== "string" ? [] : [`${name}: ${error}`]))
  return failing.join("; ")
}
