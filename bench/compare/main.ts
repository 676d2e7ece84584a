import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { arch, availableParallelism, cpus, tmpdir, type } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { genesisFor } from "../../src/platform/genesis.js"
import { BIG_GENESIS, bigGenesisText } from "../fixtures/bigGenesis.js"
import { COMPARE_HELP, type CompareOptions, readCompareOptions } from "./compareOptions.js"
import { startEcho } from "./echo.js"
import { type LoadGenerator, openLoadGenerator } from "./loadGenerators.js"
import { ask, type RunningNode, startAvalancheGo, startSerac } from "./nodes.js"
import { useOf } from "./processUse.js"
import { type Question, questionsAbout } from "./questions.js"
import { type Comparison, comparedQuestion, type MeasuredLoad, markdownOf, medianOf, type Turn } from "./report.js"

// Bundled into dist/dev/, two folders below the project.
const root = join(dirname(fileURLToPath(import.meta.url)), "../..")

async function main(): Promise<number> {
  const options = readCompareOptions(process.argv.slice(2))
  if (options === "help") {
    console.log(COMPARE_HELP)
    return 0
  }
  if ("fault" in options) {
    console.error(`${options.fault}\n${COMPARE_HELP}`)
    return 1
  }
  const dir = mkdtempSync(join(tmpdir(), "serac-compare-"))
  const nodes: RunningNode[] = []
  try {
    const comparison = await compare(dir, options, nodes)
    console.log(markdownOf(comparison))
    console.log(JSON.stringify(comparison))
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(comparison, null, 2)}\n`)
    return 0
  } finally {
    for (const { process: child } of nodes) child.kill("SIGKILL")
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Starts both nodes on the same genesis, and sends the same load to both in turns. */
async function compare(dir: string, options: CompareOptions, nodes: RunningNode[]): Promise<Comparison> {
  const { connections, seconds } = options
  const size = { ...BIG_GENESIS, validators: options.validators, utxos: options.utxos }
  // Yesterday: the genesis has begun, and all its validators validate.
  const startTime = BigInt(Math.floor(Date.now() / 1000) - 86_400)
  const genesisFile = join(dir, "genesis.json")
  note(`making a genesis of ${size.validators} validators and ${size.utxos} UTXOs`)
  const configText = await bigGenesisText({ ...size, startTime })
  writeFileSync(genesisFile, configText)
  const start = (name: string) => ({ networkID: size.networkID, genesisFile, dataDir: join(dir, name) })
  const generator = openLoadGenerator(root)
  note("starting both nodes")
  const serac = await startSerac(join(root, "bin/serac"), start("serac"), options.serac)
  nodes.push(serac)
  const reference = await startAvalancheGo(options.avalanchego, start("avalanchego"))
  nodes.push(reference)
  const echo = await startEcho()
  nodes.push({ name: "echo", startMilliseconds: 0, ...echo })
  const now = startTime + 86_400n
  const genesis = genesisFor({ networkID: size.networkID, configText, now, maxStakeDuration: 31_536_000n })
  const wanted = questionsAbout(genesis, size.addresses).filter(({ name }) => isWanted(name, options))
  const { asked, skipped } = await answeredByBoth(wanted, [serac, reference])
  for (const node of [serac, reference]) await warmUp(node, generator, options)
  const targets = { serac, avalanchego: reference, echo: nodes[2] as RunningNode }
  const { questions, echo: echoed } = await measureInRounds(targets, asked, generator, options)
  return {
    date: new Date().toISOString().slice(0, 16).replace("T", " "),
    machine: `${availableParallelism()} cores, ${cpus()[0]?.model.trim() || "unknown processor"}, ${type()} ${arch()}`,
    node: process.versions.node,
    generator: generator.name,
    load: `${connections} connections on the same machine, ${seconds} rounds of one second for each method and node`,
    genesis: `${size.validators.toLocaleString("en")} validators, ${size.utxos.toLocaleString("en")} UTXOs`,
    start: {
      serac: serac.startMilliseconds,
      seracVerified: serac.verifiedMilliseconds,
      avalanchego: reference.startMilliseconds,
    },
    echo: echoed,
    questions,
    skipped,
  }
}

function isWanted(name: string, { methods }: CompareOptions): boolean {
  return methods === undefined || methods.some((word) => name.toLowerCase().includes(word.toLowerCase()))
}

/** The questions that both nodes answer with a result. */
async function answeredByBoth(questions: readonly Question[], nodes: readonly RunningNode[]) {
  const asked: Question[] = []
  const skipped: string[] = []
  for (const question of questions) {
    const answers = await Promise.all(nodes.map(({ url }) => ask(url, question.path, question.bodies[0] as string)))
    if (answers.every(({ result }) => result !== undefined)) asked.push(question)
    else skipped.push(question.name)
  }
  return { asked, skipped }
}

/** The nodes that are measured. */
interface Targets {
  readonly serac: RunningNode
  readonly avalanchego: RunningNode
  readonly echo: RunningNode
}

const ECHO_QUESTION: Question = {
  name: "echo",
  path: "/",
  bodies: ['{"jsonrpc":"2.0","id":1,"method":"echo","params":{}}'],
}

/**
 * Asks every question for one second of both nodes, one question after the other, in as many rounds as there are seconds, and once more
 * before them to warm up. The speed of a machine that shares its cores with others changes within seconds and within minutes: the
 * seconds of one question are spread over the whole run, only seconds next to each other are compared, and the nodes change places in
 * every round. The echo is measured beside every second question, and compared with both its neighbours.
 */
async function measureInRounds(
  targets: Targets,
  questions: readonly Question[],
  generator: LoadGenerator,
  { connections, seconds }: CompareOptions,
): Promise<Pick<Comparison, "questions" | "echo">> {
  const turns = questions.map((): Turn[] => [])
  const echoTurns: MeasuredLoad[] = []
  const measure = async (node: RunningNode, question: Question) => {
    await untilIdle(Object.values(targets))
    return measureSecond(node, question, generator, connections)
  }
  for (let round = 0; round <= seconds; round++) {
    note(round === 0 ? "warming up" : `round ${round} of ${seconds}`)
    const measureBoth = async (question: Question): Promise<Omit<Turn, "echo">> => {
      if (round % 2 === 0) {
        const serac = await measure(targets.serac, question)
        return { serac, avalanchego: await measure(targets.avalanchego, question) }
      }
      const avalanchego = await measure(targets.avalanchego, question)
      return { serac: await measure(targets.serac, question), avalanchego }
    }
    for (let i = 0; i < questions.length; i += 2) {
      const [before, after] = questions.slice(i, i + 2) as [Question, Question?]
      const measured = [await measureBoth(before)]
      const echo = await measure(targets.echo, ECHO_QUESTION)
      if (after) measured.push(await measureBoth(after))
      if (round === 0) continue
      echoTurns.push(echo)
      for (const [k, both] of measured.entries()) turns[i + k]?.push({ ...both, echo })
    }
  }
  return { questions: questions.map(({ name }, i) => comparedQuestion(name, turns[i] ?? [])), echo: medianOf(echoTurns) }
}

/** The interval at which the CPU time of the nodes is read, and the longest wait, milliseconds. */
const [IDLE_INTERVAL, MAX_IDLE_WAIT] = [100, 5_000]
/** The CPU time in an interval below which the nodes are idle, seconds. */
const IDLE_SECONDS = 0.03

/**
 * Waits until no node works on requests of the turn before. A load ends while one request is open on each connection, and a node may need most
 * of a second for those, which would be taken from the next turn.
 */
async function untilIdle(nodes: readonly RunningNode[]): Promise<void> {
  const cpuSeconds = () => nodes.reduce((sum, { process: child }) => sum + useOf(child.pid as number).cpuSeconds, 0)
  let before = cpuSeconds()
  for (let waited = 0; waited < MAX_IDLE_WAIT; waited += IDLE_INTERVAL) {
    await setTimeout(IDLE_INTERVAL)
    const after = cpuSeconds()
    if (after - before < IDLE_SECONDS) return
    before = after
  }
}

async function measureSecond(
  { url, process: child }: RunningNode,
  { path, bodies }: Question,
  generator: LoadGenerator,
  connections: number,
): Promise<MeasuredLoad> {
  const pid = child.pid as number
  const before = useOf(pid)
  const result = await generator.run({ url, path, bodies, connections, seconds: 1 })
  const after = useOf(pid)
  return { ...result, perCpuSecond: result.requests / (after.cpuSeconds - before.cpuSeconds), bytes: after.bytes }
}

/** Seconds for which each node is called before the first measurement. */
const WARM_UP = 5

async function warmUp({ url }: RunningNode, generator: LoadGenerator, { connections }: CompareOptions): Promise<void> {
  const bodies = ['{"jsonrpc":"2.0","id":1,"method":"platform.getHeight","params":{}}']
  await generator.run({ url, path: "/ext/bc/P", bodies, connections, seconds: WARM_UP })
}

const note = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)

process.exitCode = await main()
