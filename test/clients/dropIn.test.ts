import { afterAll, beforeAll, expect, test } from "vitest"
import { buildSerac, runBin } from "../cli/serac.js"
import { EWOQ_KEY, facts, flags, VALIDATORS } from "./dropIn.js"
import { isFree, type NodeProcess, startProcess } from "./nodeProcess.js"

let built: ReturnType<typeof buildSerac>
let node: NodeProcess

beforeAll(async () => {
  built = buildSerac()
  // Port 9650; if another program uses it, a free port.
  const port = (await isFree(9650)) ? [] : ["--http-port=0"]
  node = await startProcess(built.bin, ["--ephemeral", "--accounts=0", ...port, ...flags])
})
afterAll(async () => {
  await node?.stop()
  built?.remove()
})

async function ask(path: string, method: string, params: object = {}, url = node.url) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const response = await fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body })
  return ((await response.json()) as { readonly result: Record<string, unknown> }).result
}

for (const { title, value, path, method, params, member } of facts) {
  test(`${title}: ${value}`, async () => {
    expect((await ask(path, method, params))[member]).toBe(value)
  })
}

test("port 9650 of the loopback address, by either name", async () => {
  const help = runBin(built.bin, ["help", "node", "--all"]).stdout.replace(/\s+/g, " ")
  expect(help).toMatch(/--http-port N [^(]*\(default: 9650\)/)
  expect(help).toMatch(/--http-host TEXT [^(]*\(default: 127\.0\.0\.1\)/)
  const named = node.url.replace("127.0.0.1", "localhost")
  for (const path of [
    "/ext/bc/P",
    "/ext/P",
    "/ext/platform",
    "/ext/bc/platform",
    "/ext/bc/11111111111111111111111111111111LpoYY",
  ]) {
    expect(await ask(path, "platform.getHeight", {}, named)).toEqual({ height: "0" })
  }
})

test("the five validators, each with its BLS key and 2,000,000 AVAX", async () => {
  const { validators } = await ask("/ext/bc/P", "platform.getCurrentValidators")
  const shown = (validators as Record<string, unknown>[]).map(({ nodeID, weight, signer }) => [nodeID, weight, typeof signer])
  expect(shown.sort()).toEqual(VALIDATORS.map((nodeID) => [nodeID, "2000000000000000", "object"]).sort())
})

test("the answers that tools wait for before they start", async () => {
  for (const chain of ["P", "X", "C"])
    expect([chain, await ask("/ext/info", "info.isBootstrapped", { chain })]).toEqual([chain, { isBootstrapped: chain === "P" }])
  const health = await fetch(`${node.url}/ext/health`)
  expect(health.status).toBe(200)
  expect(await health.json()).toMatchObject({ healthy: true })
  expect((await fetch(`${node.url}/ext/health/readiness`)).status).toBe(200)
  expect((await fetch(`${node.url}/ext/health/liveness`)).status).toBe(200)
})

test("the key `ewoq`, printed for those who do not know it", () => {
  expect(node.banner).toMatchObject({ networkID: 12345, keys: [{ privateKey: EWOQ_KEY, balance: "30000000000000000" }, {}] })
})

test("each AvalancheGo flag without an effect gives one warning", () => {
  const warnings = node
    .log()
    .split("\n")
    .filter((line) => line.includes("--"))
    .join("\n")
  // The index and the admin interface are there, so their flags mean something.
  const withEffect = ["--index-enabled", "--api-admin-enabled"]
  for (const flag of flags.slice(1).filter((each) => !withEffect.includes(each))) expect(warnings).toContain(flag.split("=")[0])
})
