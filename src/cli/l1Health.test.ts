import { beforeEach, expect, onTestFinished, test } from "vitest"
import { run } from "../../test/terminal.js"
import { type Devnet, startDevnet } from "../devnet/devnet.js"

let devnet: Devnet
beforeEach(async () => {
  devnet = await startDevnet({ accounts: 0, startTime: 1_900_000_000n, freezeTime: true })
  onTestFinished(() => devnet.stop())
})

const serac = (...words: readonly string[]) => run([...words, "--url", devnet.url])

test("an L1 that halts soon is shown with its plan, topped up, and well afterwards", async () => {
  const { subnetID, validators } = await devnet.dev.createL1({ validators: 2, weight: 10, balance: 86_400, chainName: "mine" })
  const before = await serac("l1", "health", "mine", "--until", "30d")
  expect(before.code).toBe(1)
  expect(before.stderr).toMatch(/^serac: cli\.l1_in_danger: .*The L1 halts at 2030-03-18T17:46:40Z, in 1d/)
  expect(before.stdout).toMatch(/Verdict +The L1 halts at 2030-03-18T17:46:40Z, in 1d, unless balances are increased before\.\n/)
  expect(before.stdout).toMatch(/Signs Warp messages +yes, 67 % \(14 of 20\) needed, until 2030-03-18T17:46:40Z \(1d\)\n/)
  expect(before.stdout).toMatch(/Decides blocks +yes, 15 of 20 \(15 of 20\) needed, until 2030-03-18T17:46:40Z \(1d\)\n/)
  expect(before.stdout).toMatch(/The cheapest top-ups that keep it alive until 2030-04-16T17:46:40Z, 0\.0050112 AVAX in all:\n/)
  const { nodeID } = validators[0]!
  expect(before.stdout).toContain(`  ${nodeID}  0.0025056 AVAX\n`)

  const topUp = await serac("l1", "top-up", subnetID, "--until", "30d")
  expect({ code: topUp.code, stderr: topUp.stderr }).toEqual({ code: 0, stderr: "" })
  expect(topUp.stdout.match(/0\.0025056 AVAX {2}\w+ +Committed/g)?.length).toBe(2)
  const after = await serac("l1", "health", subnetID)
  expect(after).toMatchObject({ code: 0, stderr: "" })
  expect(after.stdout).toMatch(/Verdict +The L1 halts at 2030-04-16T17:46:40Z, in 30d, unless/)

  const more = await serac("l1", "top-up", "mine", "--increase", `${nodeID}=0.5avax`, "--json")
  expect(JSON.parse(more.stdout).topUps).toEqual([
    { nodeID, validationID: validators[0]?.validationID, amount: "500000000", txID: expect.any(String), status: "Committed" },
  ])
})

test("several validators are topped up from one key where blocks take a while, and rehearse tries the same", async () => {
  await using slow = await startDevnet({ accounts: 2, blockMode: { mode: "interval", seconds: 0.2 } })
  const { subnetID, validators } = await slow.dev.createL1({ validators: 3, weight: 10, balance: 86_400 })
  const increase = validators.map(({ nodeID }) => `${nodeID}=0.5avax`).join(",")
  const words = ["--increase", increase, "--account", "1", "--url", slow.url]
  const rehearsed = await run(["l1", "rehearse", subnetID, "--until", "2d", ...words])
  expect(rehearsed).toMatchObject({ code: 0, stdout: expect.stringContaining("The rescue holds.") })
  const { code, stdout } = await run(["l1", "top-up", subnetID, ...words])
  const lines = validators.map(({ nodeID }) => expect.stringMatching(new RegExp(`^${nodeID}  0\\.5 AVAX  \\w+  Committed$`)))
  expect([code, stdout.trimEnd().split("\n")]).toEqual([0, lines])
})

test("the health at a past height, and who may propose, are shown", async () => {
  const { subnetID } = await devnet.dev.createL1({ validators: 2, balance: 86_400 })
  const { height } = await devnet.rpc("platform.getHeight")
  await devnet.dev.setTime({ to: 1_900_086_400n })
  const halted = await serac("l1", "health", subnetID)
  expect(halted.stdout).toMatch(/Verdict +The L1 cannot decide blocks/)
  expect(halted.stdout).toMatch(
    /Next proposer +unknown, because it depends on the last block of the L1: --l1-rpc names one of its nodes\n/,
  )
  const past = await serac("l1", "health", subnetID, "--height", String(height), "--until", "2d", "--warn-before", "1h")
  expect(past).toMatchObject({ code: 0, stderr: "" })
  expect(past.stdout).toMatch(/Verdict +The L1 halts at 2030-03-18T17:46:40Z, in 1d, unless/)
  expect(past.stdout).toContain("that keep it alive until 2030-03-19T17:46:40Z")
})

test("all L1s are listed by the time that is left", async () => {
  expect(await serac("l1", "health")).toEqual({ code: 0, stdout: "This network has no L1.\n", stderr: "" })
  const [late, soon, never] = [
    await devnet.dev.createL1({ balance: 86_400_000 }),
    await devnet.dev.createL1({ balance: 86_400 }),
    await devnet.dev.createL1({ balance: 10n ** 15n, chainName: "Never" }),
  ]
  const { code, stdout, stderr } = await serac("l1", "health")
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`(l1s: ${soon.subnetID})`) })
  const lines = stdout.trim().split("\n").slice(1)
  const named = [[soon, "L1"] as const, [late, "L1"] as const, [never, "Never"] as const]
  expect(lines.map((line) => line.split(/ +/).slice(0, 2))).toEqual(named.map(([{ subnetID }, name]) => [name, subnetID]))
  expect(lines[0]).toMatch(/1 of 1 +100 of 100 +2030-03-18T17:46:40Z +1d$/)
  expect(JSON.parse((await serac("l1", "health", "--json", "--warn-before", "1h")).stdout).l1s).toHaveLength(3)
})

test("a rescue is tried on a fork, and the chain itself does not change", async () => {
  const { subnetID, validators } = await devnet.dev.createL1({ validators: 2, weight: 10, balance: 86_400, chainName: "mine" })
  const [first, second] = validators.map(({ nodeID }) => nodeID)
  const enough = await serac("l1", "rehearse", "mine", "--increase", `${first}=1avax,${second}=1avax`, "--until", "10d")
  expect({ code: enough.code, stderr: enough.stderr }).toEqual({ code: 0, stderr: "" })
  expect(enough.stdout).toMatch(/Without +The L1 halts at 2030-03-18T17:46:40Z, in 1d, unless/)
  expect(enough.stdout).toMatch(/At 2030-03-18T17:46:40Z +100\.0000 % of the weight is active; decides blocks: yes/)
  expect(enough.stdout).toMatch(/At 2030-03-27T17:46:40Z +100\.0000 % of the weight is active; decides blocks: yes/)
  expect(enough.stdout).toMatch(/Verdict +The rescue holds\.\n/)
  const tooLittle = await serac("l1", "rehearse", subnetID, "--increase", `${first}=1avax`)
  expect(tooLittle.code).toBe(1)
  expect(tooLittle.stdout).toMatch(/At 2030-03-18T17:46:40Z +50\.0000 % of the weight is active; decides blocks: no/)
  expect(tooLittle.stderr).toContain("serac: cli.rescue_fails: ")
  expect(await devnet.rpc("platform.getL1Health", { subnetID })).toMatchObject({ haltsAt: "2030-03-18T17:46:40Z" })
  const topUps = `${first}=1avax,${second}=0.5avax`
  const json = await serac("l1", "rehearse", "mine", "--increase", topUps, "--until", "10d", "--json")
  expect(JSON.parse(json.stdout)).toMatchObject({
    subnetID,
    holds: true,
    without: { verdict: "runsOut", haltsAt: "2030-03-18T17:46:40Z" },
    topUps: [
      { nodeID: first, amount: "1000000000" },
      { nodeID: second, amount: "500000000" },
    ],
    moments: [
      { timestamp: "2030-03-18T17:46:40Z", activeShare: "100.0000", decidesBlocks: true, signsWarpMessages: true },
      { timestamp: "2030-03-27T17:46:40Z", activeShare: "100.0000", decidesBlocks: true, signsWarpMessages: true },
    ],
  })
})

test("what cannot be done is refused by name", async () => {
  const { subnetID, validators } = await devnet.dev.createL1({})
  const refusals = [
    [["health", "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka"], "platform.unknown_subnet"],
    [["health", "nonsense"], "cli.unknown_chain"],
    [["health", "--until", "30d"], "cli.l1_without_name"],
    [["health", subnetID, "--l1-rpc", `${devnet.url}/ext/bc/P`], "cli.bad_l1_rpc"],
    [["health", subnetID, "--until", "soon"], "cli.bad_duration"],
    [["health", subnetID, "--until", "900w"], "platform.time_beyond_forecast"],
    [["health", subnetID, "--height", "0"], "platform.height_not_kept"],
    [["health", subnetID, "--height", "99"], "platform.future_height"],
    [["health", subnetID, "--l1-rpc", "http://127.0.0.1:1"], "cli.bad_l1_rpc"],
    [["health", subnetID, "--l1-rpc", "http://127.0.0.1:1/ext/bc/mine/rpc"], "cli.no_answer"],
    [["health", subnetID, "--l1-rpc", `${devnet.url}/ext/bc/mine/rpc`], "cli.not_a_node"],
    [["top-up", subnetID], "cli.top_up_what"],
    [["list", "mine"], "cli.extra_argument"],
    [["relay", "mine"], "cli.extra_argument"],
    [["rehearse", subnetID], "cli.missing_flag"],
    [["rehearse", subnetID, "--increase", `${validators[0]?.nodeID}=lots`], "cli.bad_amount"],
    [["rehearse", subnetID, "--increase", "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg=1avax"], "cli.unknown_validator"],
    [["rehearse", subnetID, "--increase", `${validators[0]?.nodeID}=1avax`, "--until", "900w"], "platform.time_beyond_forecast"],
    [["top-up", subnetID, "--increase", "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg=1avax"], "cli.unknown_validator"],
  ] as const
  for (const [words, code] of refusals)
    expect(await serac("l1", ...words)).toEqual({ code: 1, stdout: "", stderr: expect.stringContaining(`serac: ${code}: `) })
})
