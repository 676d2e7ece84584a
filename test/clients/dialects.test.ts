import { L1Validator, PChainOwner, pvm, pvmSerial } from "@avalabs/avalanchejs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { Wallet } from "./avalanchejs/wallet.js"
import { type DialectNode, rows } from "./dialects.js"
import { AVAX, bytesOf, DAY } from "./made.js"

const devnets: Devnet[] = []
let contract: DialectNode
let avalanchego: DialectNode

beforeAll(async () => {
  contract = await prepare("contract")
  avalanchego = await prepare("avalanchego")
})
afterAll(() => Promise.all(devnets.map((devnet) => devnet.stop())))

/** A node with a frozen clock: both nodes have the same chain with the same IDs. */
async function prepare(dialect: "contract" | "avalanchego"): Promise<DialectNode> {
  const devnet = await startDevnet({ dialect, accounts: 0, startTime: 1_735_689_600n, freezeTime: true })
  devnets.push(devnet)
  const wallet = await Wallet.open(devnet.url)
  const owner = wallet.key(devnet.keys[0]!.privateKey)
  const l1 = await makeL1(devnet, wallet)
  const { nodeIDs } = await devnet.dev.addValidators({ count: 1, duration: String(14n * DAY) })
  await devnet.dev.setUptime({ nodeID: nodeIDs[0]!, percent: 0 })
  await devnet.dev.advanceTime({ seconds: String(15n * DAY) })
  const { height } = await devnet.dev.status()
  const { block } = await devnet.rpc("platform.getBlockByHeight", { height: Number(height) - 1, encoding: "json" })
  const post = (path: string, body: object) =>
    fetch(devnet.url + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
  return {
    ask: async (path, method, params = {}) => (await post(path, { jsonrpc: "2.0", id: 1, method, params })).json() as never,
    get: (path) => fetch(devnet.url + path),
    askTwice: async (path, method) =>
      (
        await post(
          path,
          [1, 2].map((id) => ({ jsonrpc: "2.0", id, method, params: {} })),
        )
      ).json(),
    l1,
    owner: owner.address,
    refusedReward: (block as { tx: { id: string } }).tx.id,
  }
}

async function makeL1({ dev, keys }: Devnet, wallet: Wallet): Promise<string> {
  const from = [wallet.key(keys[0]!.privateKey)]
  const { bytes } = from[0]!
  const { context } = wallet
  const subnetId = await wallet.issue((common) => pvm.newCreateSubnetTx({ ...common, subnetOwners: [bytes] }, context), { from })
  const owner = PChainOwner.fromNative([bytes], 1)
  const nodes = [await dev.newIdentity(), await dev.newIdentity()]
  const validators = nodes
    .map(({ nodeID, publicKey, proofOfPossession }) => {
      const possession = new pvmSerial.ProofOfPossession(bytesOf(publicKey), bytesOf(proofOfPossession))
      return L1Validator.fromNative(nodeID, 100n, AVAX, possession, owner, owner)
    })
    .sort((a, b) => Buffer.compare(a.nodeId.bytes, b.nodeId.bytes))
  const conversion = { subnetId, chainId: subnetId, address: bytes, subnetAuth: [0], validators }
  await wallet.issue((common) => pvm.newConvertSubnetToL1Tx({ ...common, ...conversion }, context), { from })
  return subnetId
}

for (const { topic, of, expected } of rows) {
  test(`the dialects differ in ${topic}`, async () => {
    expect(await of(contract)).toEqual(expected.contract)
    expect(await of(avalanchego)).toEqual(expected.avalanchego)
  })
}

test("the two nodes have the same chain", async () => {
  const { ask } = contract
  expect(await ask("/ext/bc/P", "platform.getHeight")).toEqual(await avalanchego.ask("/ext/bc/P", "platform.getHeight"))
  expect([contract.l1, contract.refusedReward]).toEqual([avalanchego.l1, avalanchego.refusedReward])
})
