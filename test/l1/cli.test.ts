import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { httpClient } from "../../src/client/client.js"
import { runBin, seracOfFile } from "../cli/serac.js"
import { eth } from "./evm.js"
import { needsPlugin, pluginDir } from "./plugins.js"

const built = seracOfFile("l1-cli")

describe("serac l1", needsPlugin("subnet-evm"), () => {
  let url = ""
  let stop = async () => {}

  beforeAll(async () => {
    const genesis = join(built.folder, "genesis.json")
    const alloc = { "8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC": { balance: "0x52B7D2DCC80CD2E4000000" } }
    writeFileSync(
      genesis,
      JSON.stringify({ config: { chainId: 4242 }, alloc, timestamp: "0x5FCB13D0", gasLimit: "0x7a1200", difficulty: "0x0" }),
    )
    const args = [
      "--ephemeral",
      "--http-port",
      "0",
      "--json",
      "--log-level",
      "error",
      "--plugin-dir",
      pluginDir,
      "--c-chain",
      "off",
    ]
    const child = spawn(process.execPath, [built.bin, ...args, "--l1", `first=subnet-evm,${genesis}`], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    const [line] = await once(child.stdout as NodeJS.ReadableStream, "data")
    const banner = JSON.parse(String(line))
    url = banner.url
    expect(banner.l1s).toMatchObject([{ name: "first", state: "running", evmChainID: "4242" }])
    stop = async () => {
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      expect(await ended).toEqual([0, null])
    }
  })
  afterAll(() => stop())

  const l1 = (...args: string[]) => runBin(built.bin, ["l1", ...args, "--url", url])
  const names = () =>
    JSON.parse(l1("list", "--json").stdout).l1s.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`)

  test("the L1 of the flag --l1 has the given genesis", async () => {
    expect(await eth(`${url}/ext/bc/first/rpc`, "eth_chainId")).toBe("0x1092")
    expect(names()).toEqual(["first running"])
    expect(l1("list").stdout).toMatch(/^Name +VM +State +Height +Blockchain\nfirst +subnet-evm v\S+ +running +0 +\w+\n$/)
  })

  test("create prints where the chain is reached, and show prints it again", () => {
    const { stdout, code } = l1("create", "mine")
    expect(code).toBe(0)
    expect(stdout).toContain(`RPC             ${url}/ext/bc/mine/rpc\n`)
    expect(stdout).toContain("EVM chain ID    99001\n")
    expect(stdout).toContain("Funded address  0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC\n")
    expect(l1("show", "mine").stdout).toBe(stdout)
    expect(JSON.parse(l1("show", "mine", "--json").stdout)).toMatchObject({ name: "mine", evmChainID: "99001" })
  })

  test("create takes the chain ID of the EVM, weights and balances, and the manager's address", async () => {
    const manager = `0x${"52".repeat(20)}`
    const flags = ["--evm-chain-id", "4301", "--weight", "7", "--balance", "0.5avax", "--validators", "2", "--manager", manager]
    expect(l1("create", "other", ...flags).stdout).toContain("EVM chain ID    4301\n")
    const { stdout } = runBin(built.bin, ["validators", "--subnet", "other", "--json", "--url", url])
    expect(JSON.parse(stdout).validators).toMatchObject([
      { weight: "7", balance: "500000000" },
      { weight: "7", balance: "500000000" },
    ])
    expect(l1("health").stdout).toMatch(/^Name +Subnet .*\n(.*\n)*other +\w{40,}/)
    expect(names()).toEqual(["first running", "mine running", "other running"])
    l1("remove", "other")
  })

  test("genesis prints a genesis that create takes, changed or not", async () => {
    const { stdout } = l1("genesis", "--evm-chain-id", "4302")
    const genesis = JSON.parse(stdout)
    expect(genesis).toMatchObject({
      config: { chainId: 4302, warpConfig: { quorumNumerator: 67 } },
      alloc: { "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC": { balance: expect.any(String) } },
    })
    const file = join(built.folder, "own.json")
    const account = `0x${"5a".repeat(20)}`
    writeFileSync(file, JSON.stringify({ ...genesis, alloc: { ...genesis.alloc, [account]: { balance: "0x10" } } }))
    expect(l1("create", "own", "--genesis", file).stdout).toContain("EVM chain ID    4302\n")
    expect(await eth(`${url}/ext/bc/own/rpc`, "eth_getBalance", [account, "latest"])).toBe("0x10")
    l1("remove", "own")
  })

  test("relay delivers what waits", () => {
    expect(l1("relay")).toMatchObject({ code: 0, stdout: "No ICM message was sent between the L1s of this node.\n" })
    expect(JSON.parse(l1("relay", "--json").stdout)).toEqual({ messages: [] })
  })

  test("stop, start and remove change its state", () => {
    expect(l1("stop", "mine").stdout).toBe("mine is stopped.\n")
    expect(names()).toEqual(["first running", "mine stopped"])
    expect(l1("start", "mine").stdout).toContain("State           running\n")
    expect(l1("remove", "mine").stdout).toBe("mine is removed.\n")
    expect(names()).toEqual(["first running"])
  })

  test("after a reset there is the L1 of the flag again, at its first block, and no other", async () => {
    l1("create", "another")
    expect(await httpClient(url)("dev.reset")).toEqual({ height: 2n })
    expect(names()).toEqual(["first running"])
    expect(await eth(`${url}/ext/bc/first/rpc`, "eth_blockNumber")).toBe("0x0")
  })

  test("unknown verbs and names are refused", () => {
    expect(l1("strat", "first")).toMatchObject({ code: 1, stderr: expect.stringContaining("Did you mean start?") })
    expect(l1("start")).toMatchObject({ code: 1, stderr: expect.stringContaining("name the L1") })
    expect(l1("show", "nothing")).toMatchObject({ code: 1, stderr: expect.stringContaining("hosts no L1 of this name") })
    expect(l1("stop", "nothing")).toMatchObject({ code: 1, stderr: expect.stringContaining("no L1 of this node has this name") })
  })
})

test("the banner has the address of the RPC and the chain ID", needsPlugin("subnet-evm"), async () => {
  const args = [
    "--ephemeral",
    "--http-port",
    "0",
    "--log-level",
    "error",
    "--plugin-dir",
    pluginDir,
    "--c-chain",
    "off",
    "--l1",
    `mine=subnet-evm,evm-chain-id=4300,manager=0x${"52".repeat(20)}`,
  ]
  const child = spawn(process.execPath, [built.bin, ...args], { stdio: ["ignore", "pipe", "inherit"] })
  const [banner] = await once(child.stdout as NodeJS.ReadableStream, "data")
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(banner))?.[0] ?? ""
  const { l1s } = await httpClient(url)("dev.listL1s")
  const { managerAddress, managerChainID } = await httpClient(url)("platform.getSubnet", { subnetID: l1s[0]?.subnetID ?? "" })
  expect([managerAddress, managerChainID]).toEqual([`0x${"52".repeat(20)}`, l1s[0]?.chainID])
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  expect(String(banner)).toMatch(/^L1 mine {3}http:\/\/127\.0\.0\.1:\d+\/ext\/bc\/mine\/rpc, chain ID 4300$/m)
  await ended
})

test("--l1 and --auto-relay need --plugin-dir, and a public server takes none of them", () => {
  expect(runBin(built.bin, ["--ephemeral", "--auto-relay"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cli.flag_without_effect: this flag would have no effect (flag: --auto-relay, "),
  })
  expect(runBin(built.bin, ["--ephemeral", "--l1", "a=subnet-evm"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cli.flag_without_effect: this flag would have no effect (flag: --l1, "),
  })
  const stateFile = ["--dump-state", join(built.folder, "state")]
  expect(runBin(built.bin, ["--ephemeral", ...stateFile, "--plugin-dir", built.folder])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("a state file has no L1s"),
  })
  expect(runBin(built.bin, ["--ephemeral", "--public", "--plugin-dir", built.folder, "--http-port", "0"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("a public server hosts no VMs"),
  })
})
