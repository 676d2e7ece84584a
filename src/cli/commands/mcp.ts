import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Invalid } from "../../core/lib/invalid.js"
import { type Devnet, startDevnet } from "../../devnet/devnet.js"
import type { DevnetOptions } from "../../devnet/devnetOptions.js"
import { McpServer, type Page } from "../../mcp/mcpServer.js"
import { toolsOf } from "../../mcp/tools.js"
import { version } from "../../node/version.js"
import { command } from "../command.js"
import { docsFolder } from "../docsFolder.js"
import { type CommandInput, flagWithDefault, optionalFlag } from "../flags/flags.js"
import { integerFlag, onOff, path, text } from "../flags/flagTypes.js"
import { l1Flags } from "../flags/l1Flags.js"
import { privateChainFlags } from "../flags/privateChainFlags.js"
import { excludes, needs } from "../flags/withoutEffect.js"
import { readLines } from "../input.js"
import { nodeUrl, remoteNode } from "../remoteNode.js"
import type { Terminal } from "../terminal.js"
import { untilStopped } from "../untilStopped.js"

/** The flags of the chain that the command starts. */
const chainFlags = {
  "data-dir": optionalFlag(path("DIR"), "Directory of the chain; without it the chain is in memory only"),
  fork: privateChainFlags.fork,
  upgrade: optionalFlag(text, "Everything up to this upgrade is active from genesis on (default: helicon)"),
  accounts: optionalFlag(integerFlag(0, 1000), "Number of funded accounts (default: 10)"),
  "plugin-dir": l1Flags["plugin-dir"],
  "plugin-protocol": l1Flags["plugin-protocol"],
  "http-port": flagWithDefault(integerFlag(0, 65_535), "Port of the chain's API; 0 takes a free one", 0),
}

const mcpFlags = {
  url: optionalFlag(nodeUrl, "Connects to the node at this address and starts no chain"),
  "all-tools": flagWithDefault(onOff, "Lists every method of the API as a tool, not only the usual ones", false),
  ...chainFlags,
}

type McpInput = CommandInput<typeof mcpFlags>

/** `serac mcp`: tools for assistants. */
export const mcpCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Serves the Model Context Protocol on stdin and stdout, so that an assistant can work with a P-Chain: time travel, funds, staking, L1s,
reads, decoding and checking transactions. It starts a private chain, which ends with the command, or connects to a node with --url. A tool
is a method of the API, with _ in place of the dot in its name: dev_advanceTime. Pages of docs/ are resources. stdout has only the
protocol; everything else goes to stderr. The end of stdin stops it. docs/mcp.md shows how to configure assistants.`,
  examples: [
    { call: "serac mcp", does: "a private chain in memory, for an assistant that starts this command" },
    { call: "serac mcp --url http://127.0.0.1:9650", does: "the node that runs there" },
  ],
  flags: mcpFlags,
  rules: [
    excludes("url", Object.keys(chainFlags), "the node of --url has its own chain"),
    needs("plugin-dir", ["plugin-protocol"], "the node runs no VMs: add --plugin-dir"),
  ],
  async run({ flags }, terminal) {
    const chain = flags.url === undefined ? await startChain(flags) : undefined
    try {
      const server = await serverOf(flags.url ?? (chain as Devnet).url, flags, terminal)
      const failed = new Promise<never>(() => {})
      await Promise.race([answerLines(server, terminal), untilStopped({ failed })])
    } finally {
      // An input that is still open would keep the process alive.
      terminal.stdin.destroy()
      await chain?.stop()
    }
  },
})

function startChain(flags: McpInput["flags"]): Promise<Devnet> {
  const options = {
    port: flags["http-port"],
    dataDir: flags["data-dir"],
    fork: flags.fork,
    upgrade: flags.upgrade,
    accounts: flags.accounts,
    pluginDir: flags["plugin-dir"],
    pluginProtocol: flags["plugin-protocol"],
    logLevel: "warn",
  }
  // An option that is `undefined` counts as absent.
  return startDevnet(options as DevnetOptions)
}

async function serverOf(url: string, flags: McpInput["flags"], terminal: Terminal): Promise<McpServer> {
  const call = remoteNode(url).json
  const isPrivate = await call("dev.status").then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof Invalid) || error.code === "cli.no_answer") throw error
      return false
    },
  )
  return new McpServer({
    version,
    instructions: instructionsOf(url, isPrivate),
    tools: toolsOf({ call, isPrivate, listsAll: flags["all-tools"] }),
    pages: docsPages(),
    onFault: (error) => terminal.note(`serac: ${String((error as Error).stack ?? error)}\n`),
  })
}

function instructionsOf(url: string, isPrivate: boolean): string {
  const chain = isPrivate
    ? "a private chain for development, where AVAX has no value: dev_accounts lists funded keys, dev_fund grants AVAX, and dev_advanceTime moves the clock, which ends staking periods and pays rewards"
    : "a node of a network: no tool can move its clock or grant AVAX"
  return [
    `The tools are methods of the API of the Avalanche P-Chain node at ${url}, ${chain}.`,
    "Amounts are whole numbers of nAVAX (1 AVAX = 1,000,000,000 nAVAX), and durations are seconds, unless a parameter says otherwise.",
    "Programs reach the same node at that address. The resources are its guides and its reference.",
  ].join(" ")
}

/** The pages of docs/ and of the reference, if it is there, each with its first heading as title. */
function docsPages(): readonly Page[] {
  const folder = docsFolder()
  const names =
    folder === undefined ? [] : readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"))
  return names.sort().map((name) => {
    const text = () => readFileSync(join(folder as string, name), "utf8")
    return { uri: `serac://docs/${name.replace(".md", "")}`, title: /^# (.*)/m.exec(text())?.[1] ?? name, text }
  })
}

/** Answers every line of stdin. Requests run side by side. Resolves when stdin has ended and all answers are written. */
async function answerLines(server: McpServer, terminal: Terminal): Promise<void> {
  const open = new Set<Promise<void>>()
  for await (const { lines } of readLines("-", terminal).batches) {
    for (const line of lines) {
      if (line.trim() === "") continue
      const answered = answerLine(server, Buffer.from(line, "latin1").toString("utf8"), terminal)
      open.add(answered)
      void answered.finally(() => open.delete(answered))
    }
  }
  await Promise.all(open)
}

async function answerLine(server: McpServer, line: string, terminal: Terminal): Promise<void> {
  const answer = await server.answer(line)
  if (answer !== undefined) await terminal.print(`${answer}\n`)
}
