import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Invalid } from "../../core/lib/invalid.js"
import { printJson } from "../../core/lib/json.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { ruleFlags } from "../../core/networks/ruleFlags.js"
import { requireUpgradeName, rulesInForce, type Upgrades, upTo } from "../../core/networks/upgrades.js"
import { localNetworkError } from "../../launcher/errors.js"
import { LocalNetwork, type NodeStatus } from "../../launcher/localNetwork.js"
import { type NodeProgram, openNetworkDirectory, upgradesOfDirectory } from "../../launcher/networkDirectory.js"
import { avalanchegoVersion } from "../../launcher/nodeProcess.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { type CommandInput, type FlagType, flagWithDefault, optionalFlag } from "../flags/flags.js"
import { duration, integerFlag, oneOfWords, onOff, path, text } from "../flags/flagTypes.js"
import { ruleFlagSet } from "../flags/networkFlags.js"
import { networkBanner, networkJson, nodeStatusLine } from "../networkBanner.js"
import type { Terminal } from "../terminal.js"
import { untilStopped } from "../untilStopped.js"

const MAX_NODES = 20

/** The nodes of a network as a count, `5`, or as counts of Serac's and AvalancheGo's nodes, `2+3`. */
const nodeCount: FlagType<readonly NodeProgram[]> = {
  value: "N|N+M",
  expects: `1 to ${MAX_NODES} nodes: a count such as 5, or counts of Serac's and AvalancheGo's nodes such as 2+3`,
  read(given) {
    const counts = /^(\d{1,2})(?:\+(\d{1,2}))?$/.exec(String(given))
    if (!counts) return undefined
    const [ours, theirs] = [Number(counts[1]), Number(counts[2] ?? 0)]
    if (ours + theirs < 1 || ours + theirs > MAX_NODES) return undefined
    return [...Array<NodeProgram>(ours).fill("serac"), ...Array<NodeProgram>(theirs).fill("avalanchego")]
  },
}

const networkCommandFlags = {
  nodes: optionalFlag(
    nodeCount,
    "Number of nodes, 1 to 20; 2+3 adds three nodes of AvalancheGo (default: 5, or the nodes of the directory)",
  ),
  dir: optionalFlag(
    path("DIR"),
    "Directory of the network (default: a temporary directory, removed at the end unless a node did not start)",
  ),
  "with-avalanchego": optionalFlag(path("BIN"), "AvalancheGo's binary, for the nodes after the plus sign of --nodes"),
  upgrade: optionalFlag(text, "Everything up to this upgrade is active from genesis on (default: helicon)"),
  "first-port": optionalFlag(
    integerFlag(1, 65_495),
    "HTTP port of the first node; its staking port is the next one, and so on (default: free ports)",
  ),
  "api-dialect": flagWithDefault(
    oneOfWords("contract", "avalanchego"),
    "Dialect of the answers of Serac's nodes, where the two differ",
    "avalanchego",
  ),
  "ready-timeout": flagWithDefault(duration, "Time limit for the nodes to become ready", 120_000, "2m"),
  json: flagWithDefault(onOff, "Prints JSON, one object a line, for scripts", false),
  ...ruleFlagSet,
}

type NetworkInput = CommandInput<typeof networkCommandFlags>

/** `serac network`: several nodes with a genesis of their own. */
export const networkCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Starts a network of validators on this machine: a new network ID and genesis with one new validator per node and the local network's funded
keys. Each node is a process with its own directory and ports. It prints URLs, node IDs and keys when all nodes are ready, then a line
whenever a node stops or starts answering. If --dir has a network already, this one is started again. All nodes answer as AvalancheGo does, so
that a client may call any node of a mixed network; --api-dialect contract chooses the default of serac node. SIGINT,
SIGTERM and SIGHUP stop all nodes.`,
  examples: [
    { call: "serac network", does: "five nodes, nothing kept" },
    { call: "serac network --nodes 3 --dir net --upgrade granite", does: "three nodes with Granite's rules, kept in ./net" },
    { call: "serac network --with-avalanchego ./avalanchego --nodes 2+3", does: "two of Serac's and three of AvalancheGo's" },
  ],
  flags: networkCommandFlags,
  rules: [
    {
      flags: ["with-avalanchego"],
      applies: ({ nodes, dir }) => (nodes === undefined ? dir === undefined : !nodes.includes("avalanchego")),
      reason: "no node is AvalancheGo's: --nodes 2+3 adds three",
    },
  ],
  groups: {
    Network: Object.keys(networkCommandFlags).filter((name) => !(name in ruleFlagSet)),
    Rules: Object.keys(ruleFlagSet),
  },
  async run(given, terminal): Promise<void> {
    const { flags } = given
    // First of all, so that a signal at any moment lets the temporary directory be removed.
    const stopped = untilStopped({ failed: new Promise<never>(() => {}) })
    const dir = flags.dir === undefined ? mkdtempSync(join(tmpdir(), "serac-network-")) : resolve(flags.dir)
    let isKept = flags.dir !== undefined
    try {
      await runNetwork(given, dir, { terminal, stopped })
    } catch (error) {
      // The logs show why a node did not start.
      isKept ||= error instanceof Invalid && (error.code === "localnet.node_ended" || error.code === "localnet.not_ready")
      throw error
    } finally {
      if (!isKept) rmSync(dir, { recursive: true, force: true })
    }
  },
})

interface Surroundings {
  readonly terminal: Terminal
  /** Resolves when the process is to stop. */
  readonly stopped: Promise<string>
}

async function runNetwork(given: NetworkInput, dir: string, { terminal, stopped }: Surroundings): Promise<void> {
  const { flags } = given
  const binary = flags["with-avalanchego"]
  const requireBinary = (programs: readonly NodeProgram[]) => {
    if (binary === undefined && programs.includes("avalanchego"))
      throw cliError("cli.missing_flag", { flag: "--with-avalanchego" })
  }
  // Before the directory is made, and after it was opened, since it may have a network with such nodes.
  requireBinary(flags.nodes ?? [])
  const directory = openNetworkDirectory({
    dir,
    programs: flags.nodes,
    upgrades: await upgradesOf(flags),
    ruleFlags: ruleFlagsOf(given),
    now: wholeSeconds(terminal.now()),
  })
  requireBinary(directory.members.map(({ program }) => program))
  const network = await LocalNetwork.launch({
    directory,
    programs: { serac: [process.execPath, process.argv[1] as string], avalanchego: binary, dialect: flags["api-dialect"] },
    firstPort: flags["first-port"],
  })
  try {
    const ready = network.untilReady(flags["ready-timeout"]).then(() => true)
    if (!(await Promise.race([ready, stopped.then(() => false)]))) {
      ready.catch(() => {})
      return
    }
    const rules = rulesInForce(upgradesOfDirectory(dir), wholeSeconds(terminal.now()))
    await terminal.print(flags.json ? networkJson(network) : networkBanner(network, rules))
    watchNodes(network, flags.json, terminal)
    await stopped
  } finally {
    await network.stop()
  }
}

function watchNodes(network: LocalNetwork, isJson: boolean, terminal: Terminal): void {
  const down = new Set<NodeStatus["node"]>()
  const count = network.nodes.length
  network.watch((status) => {
    const { node, isUp } = status
    if (isUp) down.delete(node)
    else down.add(node)
    const upCount = count - down.size
    const event = { node: node.member.name, isUp, exit: node.exit ?? null, upCount }
    void terminal.print(isJson ? `${printJson(event)}\n` : nodeStatusLine(status, upCount, count))
  })
}

/** Returns the requested upgrade times. A version of AvalancheGo that does not know Helicon gets Granite's rules. */
async function upgradesOf(flags: NetworkInput["flags"]): Promise<Upgrades | undefined> {
  const requested = flags.upgrade === undefined ? undefined : requireUpgradeName(flags.upgrade)
  const binary = flags["with-avalanchego"]
  if (binary !== undefined) {
    const [major, minor] = await avalanchegoVersion(binary)
    const knowsHelicon = major > 1 || minor >= 15
    if (!knowsHelicon && requested === "helicon")
      throw localNetworkError("localnet.old_avalanchego", { version: `${major}.${minor}` })
    if (!knowsHelicon) return upTo(requested ?? "granite")
  }
  return requested === undefined ? undefined : upTo(requested)
}

/** The flags that set rules, as texts. */
function ruleFlagsOf({ flags, set }: NetworkInput): Record<string, string> {
  const given = ruleFlags.filter(({ name }) => set.has(name))
  return Object.fromEntries(given.map(({ name }) => [name, String((flags as Record<string, unknown>)[name])]))
}
