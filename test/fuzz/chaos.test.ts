import { Buffer } from "node:buffer"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import type { DevnetOptions } from "../../src/devnet/devnetOptions.js"
import { run } from "../terminal.js"
import { attempts, Random, seed } from "./random.js"

type Call = readonly [method: string, params?: object]
interface Refusal {
  readonly code?: string
  readonly message?: string
}

const PRIMARY = "11111111111111111111111111111111LpoYY"
const NODE = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"
const AMOUNTS = [
  2n ** 64n - 1n,
  2n ** 64n - 2n,
  2n ** 63n,
  1n,
  0n,
  10n ** 9n,
  72n * 10n ** 16n,
  10n ** 11n,
  25n * 10n ** 9n,
  2n * 10n ** 12n,
]
const TIMES = [2n ** 64n - 1n, 0n, 2n ** 63n - 1n, 1n, 60n, 3_600n, 86_400n, 1_209_600n, 31_536_000n]
/** Flags of odd chains; each run has one of these sets. */
const FLAGS: readonly DevnetOptions[] = [
  {},
  { flags: { "min-stake-duration": "1s", "min-validator-stake": "1", "min-delegator-stake": "1" } },
  { flags: { "dynamic-fees-max-gas-capacity": "100000", "dynamic-fees-max-gas-per-second": "20000" } },
  { upgrade: "etna" },
  { upgrade: "durango" },
  { flags: { "stake-supply-cap": String(2n ** 64n - 1n) }, warpLag: true },
]

/** What the calls so far have made. */
class Made {
  readonly addresses: string[]
  readonly subnets: string[] = [PRIMARY]
  readonly members: string[] = [PRIMARY]
  readonly nodes: string[] = [NODE]
  readonly snapshots: number[] = [1]

  constructor(addresses: readonly string[]) {
    this.addresses = [...addresses]
  }

  // biome-ignore lint/suspicious/noExplicitAny: the answers of all methods.
  note(method: string, answer: any): void {
    if (method === "dev.createL1") this.subnets.push(answer.subnetID)
    if (method === "dev.createL1") for (const { validationID } of answer.validators) this.members.push(validationID)
    if (method === "dev.registerL1Validator") this.members.push(answer.validationID)
    if (method === "dev.addValidators") for (const { nodeID } of answer.validators ?? []) this.nodes.push(nodeID)
    if (method === "dev.snapshot") this.snapshots.push(answer.id)
  }
}

/** Returns a legal call, often with extreme values. */
function randomCall(random: Random, made: Made): Call {
  const amount = () => random.pick(AMOUNTS)
  const time = () => random.pick(TIMES)
  const address = () => random.pick(made.addresses)
  const maybe = <T extends object>(value: T) => (random.below(2) > 0 ? value : {})
  const subnetID = random.pick(made.subnets)
  const validationID = random.pick(made.members)
  const nodeID = random.pick(made.nodes)
  return random.pick<() => Call>([
    () => [
      "dev.fund",
      { address: address(), amount: amount(), ...maybe({ locktime: time() }), ...maybe({ stakeableLocktime: time() }) },
    ],
    () => ["dev.fund", { addresses: [...new Set([address(), address()])], threshold: random.below(3), amount: amount() }],
    () => ["dev.creditAtomic", { sourceChain: random.pick(["X", "C"]), address: address(), amount: amount() }],
    () => [
      "dev.addValidators",
      {
        count: random.pick([1, 2, 5]),
        ...maybe({ weight: amount() }),
        ...maybe({ duration: time() }),
        ...maybe({ delegators: random.below(3) }),
      },
    ],
    () => [
      "dev.addValidators",
      { count: 1, autoRenew: { period: random.pick([86_400n, 1_209_600n, time()]), compound: random.pick([0, 50, 100]) } },
    ],
    () => ["dev.advanceTime", { seconds: time(), ...maybe({ settle: true }) }],
    () => [
      "dev.setTime",
      { to: random.pick([time(), "2030-01-01T00:00:00Z", "1970-01-01T00:00:00Z"]), frozen: random.below(2) > 0 },
    ],
    () => ["dev.createL1", { validators: random.pick([1, 2]), ...maybe({ weight: amount() }), ...maybe({ balance: amount() }) }],
    () => ["dev.registerL1Validator", { subnetID, ...maybe({ weight: amount() }), ...maybe({ balance: amount() }) }],
    () => ["dev.setL1Weight", { validationID, weight: amount(), ...maybe({ nonce: amount() }) }],
    () => ["dev.increaseL1Balance", { validationID, amount: amount() }],
    () => ["dev.disableL1Validator", { validationID }],
    () => ["dev.setUptime", { nodeID, percent: random.pick([0, 100, 79.9999999, 80]) }],
    () => ["dev.setAutoRenewedConfig", { nodeID, period: time(), compound: random.pick([0, 30, 100]) }],
    () => ["dev.pay", { from: address(), to: address(), amount: amount() }],
    () => ["dev.mine", { blocks: random.pick([1, 3, 20]), filler: random.below(2) > 0 }],
    () => ["dev.setBlockMode", random.pick([{ mode: "auto" }, { mode: "manual" }])],
    () => ["dev.takeValidatorKeys", maybe({ subnetID })],
    () => ["dev.impersonate", { addresses: [address()] }],
    () => ["dev.snapshot", {}],
    () => ["dev.revert", { id: random.pick(made.snapshots) }],
  ])()
}

/** Calls a method; a refusal is its answer. An internal error fails the test. */
async function asked(devnet: Devnet, [method, params = {}]: Call): Promise<unknown> {
  try {
    return await devnet.rpc(method as "dev.status", params as never)
  } catch (error) {
    const { code, message } = error as Refusal
    if (code === undefined || code === "rpc.call_failed") throw new Error(`${method} ${String(message)}`, { cause: error })
    return { code, message }
  }
}

/** The answers of a chain that do not depend on when they are asked. */
async function answersOf(devnet: Devnet, { addresses, subnets, members }: Made): Promise<readonly unknown[]> {
  const calls: Call[] = [
    ...["getHeight", "getCurrentSupply", "getTotalStake", "getSubnets", "getBlockchains", "getL1s"].map(
      (name): Call => [`platform.${name}`],
    ),
    ...["getTxs", "getBlocks", "getFormerValidators"].map((name): Call => [`platform.${name}`, { limit: 1024 }]),
    ...addresses.flatMap((address): Call[] => [
      ["platform.getBalance", { addresses: [address] }],
      ["platform.getUTXOs", { addresses: [address] }],
      ["platform.getTxsByAddress", { address }],
      ["platform.getStakesByAddress", { address }],
    ]),
    ...subnets.map((subnetID): Call => ["platform.getCurrentValidators", { subnetID }]),
    ...members.map((validationID): Call => ["platform.getL1Validator", { validationID }]),
  ]
  const answers: unknown[] = []
  for (const call of calls) answers.push([...call, await asked(devnet, call)])
  return answers
}

/** Stops the clock and the blocks, and drops what waits. */
async function settle(devnet: Devnet): Promise<void> {
  await devnet.dev.setBlockMode({ mode: "manual" })
  const { clock } = await devnet.dev.status()
  await asked(devnet, ["dev.setTime", { to: clock, frozen: true }])
  for (const { txID } of (await devnet.dev.mempool()).txs) await asked(devnet, ["dev.dropTx", { txID }])
}

const first = seed("chaos")

test.each(Array.from({ length: attempts(300, 100) }, (_, i) => first + i))(
  "extreme calls end in no fault, and a restart, a dump and a replay give the same chain: seed %i",
  { timeout: 600_000 },
  async (runSeed) => {
    const random = new Random(runSeed)
    const options: DevnetOptions = { port: false, accounts: 3, ...random.pick(FLAGS) }
    const folder = mkdtempSync(join(tmpdir(), "serac-chaos-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const dataDir = join(folder, "chain")
    const devnet = await startDevnet({ ...options, dataDir })
    const made = new Made(devnet.accounts.map(({ address }) => address))
    for (let i = 0; i < 60; i++) {
      const call = randomCall(random, made)
      const answer = (await asked(devnet, call)) as Refusal
      if (answer.code === undefined) made.note(call[0], answer)
    }
    await settle(devnet)
    const before = await answersOf(devnet, made)
    const { state } = await devnet.dev.dumpState()
    await devnet.stop()
    expect(await run(["state", "--data-dir", dataDir, "--deep"])).toMatchObject({ code: 0, stderr: "" })

    const still = { ...options, blockMode: "manual", freezeTime: true } as const
    const again = await startDevnet({ ...still, dataDir })
    expect(await answersOf(again, made)).toEqual(before)
    await again.stop()
    await using loaded = await startDevnet({ ...still, loadState: Buffer.from(state, "base64") })
    expect(await answersOf(loaded, made)).toEqual(before)

    const exported = await run(["export", "blocks", "--data-dir", dataDir])
    expect(exported).toMatchObject({ code: 0, stderr: "" })
    writeFileSync(join(folder, "blocks"), exported.stdout)
    const copy = join(folder, "copy")
    expect(await run(["replay", "--blocks", join(folder, "blocks"), "--data-dir", copy])).toMatchObject({ code: 0 })
    const hashOf = async (dir: string) => JSON.parse((await run(["state", "--data-dir", dir, "--json"])).stdout).hash
    expect(await hashOf(copy)).toBe(await hashOf(dataDir))
  },
)
