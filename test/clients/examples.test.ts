import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, expect, type TestOptions, test } from "vitest"
import { needsPlugin } from "../l1/plugins.js"
import { needs } from "../needs.js"
import { root } from "../sources.js"
import { buildPackage } from "./package.js"

let built: ReturnType<typeof buildPackage>
const viem = process.env.SERAC_VIEM

beforeAll(() => {
  built = buildPackage()
  // Programs find viem beside the package, as those who install it do.
  if (viem !== undefined) {
    mkdirSync(join(built.dir, "node_modules"), { recursive: true })
    symlinkSync(resolve(viem, "viem"), join(built.dir, "node_modules/viem"))
  }
})
afterAll(() => built?.remove())

function node(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: join(built.dir, "examples"), encoding: "utf8" })
  return { status, stdout, stderr }
}

/** The output of each, with every ID as `ID`. */
const printed: Readonly<Record<string, string>> = {
  "send-avax.js": `
ID is Committed
P-ADDRESS owns 5 AVAX
`,
  "stake-and-collect.js": `
NodeID-ID validates, and may earn N nAVAX
17 blocks later 6 stakers have been rewarded
ID is the reward; the balance is N nAVAX above what it was
`,
  "stake-from-c.js": `
50.0 AVAX came from the C-Chain
two weeks later 0.1 AVAX were earned with 40.0 AVAX
40.1 AVAX are on the C-Chain again
`,
  "renew-from-c.js": `
a payment of 3000 AVAX on the C-Chain: success
nextBlock: N nAVAX, N of them restaked
constantSupply: N nAVAX, N of them restaked
constantSupply: N nAVAX, 0 of them restaked
3 rewards were paid, together what was estimated: true
2017.5 AVAX are on the C-Chain again: true
`,
  "renew-automatically.js": `
13 cycles later NodeID-ID weighs 2022923071410 nAVAX
0 validators are left on that node
14 rewards were paid, together 82324094905 nAVAX
`,
  "create-l1.js": `
ID is an L1 now
NodeID-ID has weight 10
weights of the L1: 20, 100
weights of the L1: 100
`,
  "multisig.js": `
all signatures are there: false
all signatures are there: true
ID is Committed
`,
  "locked-outputs.js": `
at first: 1 AVAX to spend, 60 to stake, 40 locked
while it is staked: 0 AVAX to spend, 0 to stake, 40 locked
when the stake has ended: 1 AVAX to spend, 60 to stake, 40 locked
when the lock has ended: 101 AVAX to spend, 0 to stake, 0 locked
`,
  "permissioned-subnet.js": `
weights of the validators: [ '42' ]
weights of the validators: []
2 of 2 owners must sign now
`,
  "import.js": `
1 UTXO waits for its import
11.000 AVAX came in, 0 UTXOs wait
`,
  "page-utxos.js": `
13 UTXOs, 100012 AVAX
`,
  "watch-blocks.js": `
  BaseTx ID Committed
block 1 with 1 transactions
  BaseTx ID Committed
block 2 with 1 transactions
  BaseTx ID Committed
block 3 with 1 transactions
  BaseTx ID Committed
block 4 with 1 transactions
`,
}

/** What examples need besides. */
const needed: Readonly<Record<string, TestOptions>> = {
  "stake-from-c.js": needsPlugin("coreth"),
  "renew-from-c.js": viem === undefined ? needs(false, "viem in the directory SERAC_VIEM") : needsPlugin("coreth"),
}

const unnamed = (text: string) =>
  text
    .replace(/P-local1\w+/g, "P-ADDRESS")
    .replace(/\b[1-9A-HJ-NP-Za-km-z]{30,52}\b/g, "ID")
    .replace(/\b\d{10}(\d\d)?\b/g, "N")

for (const [file, text] of Object.entries(printed)) {
  test(`examples/${file} does what it says`, needed[file] ?? {}, () => {
    const { status, stdout, stderr } = node(file)
    expect({ status, stdout: `\n${unnamed(stdout)}`, stderr }).toEqual({ status: 0, stdout: text, stderr: "" })
  })
}

test("examples/staking-dapp passes its test", () => {
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  const { status, stdout, stderr } = node(vitest, "run", "--root", "staking-dapp", "--reporter", "json")
  expect([status, stderr]).toEqual([0, ""])
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numTotalTests: 3, numPassedTests: 3 })
})

test("examples/two-chains passes its test", needsPlugin("coreth"), () => {
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  const { status, stdout, stderr } = node(vitest, "run", "--root", "two-chains", "--reporter", "json")
  expect([status, stderr]).toEqual([0, ""])
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numTotalTests: 3, numPassedTests: 3 })
})

test("the library's types, as published, fit the examples", () => {
  expect(node(join(root, "node_modules/typescript/bin/tsc"), "-p", ".")).toEqual({ status: 0, stdout: "", stderr: "" })
})

test("examples/README.md lists every example", () => {
  const listed = [...readFileSync(join(root, "examples/README.md"), "utf8").matchAll(/^\| \[([\w./-]+?)\/?\]/gm)].map(
    (match) => match[1] as string,
  )
  const present = readdirSync(join(root, "examples")).filter((name) => !/\.(md|json)$/.test(name))
  expect(listed.sort()).toEqual(present.sort())
})
