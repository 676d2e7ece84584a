import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { expect, test } from "vitest"
import { type Call, httpClient } from "../../src/client/client.js"
import { encode } from "../../src/core/codec/decode.js"
import { hexToBytes, toHex } from "../../src/core/lib/bytes.js"
import { parsePChainAddress } from "../../src/core/types/address.js"
import { idText, P_CHAIN_ID, parseID, parseNodeID } from "../../src/core/types/id.js"
import { unsignedMessage } from "../../src/core/types/warp/message.js"
import { encodePayload } from "../../src/core/types/warp/payload.js"
import { encodePChainMessage, type PChainMessage, registrationIDOf } from "../../src/core/types/warp/pChainMessage.js"
import { SEND_WARP_MESSAGE, sentMessages, WARP_PRECOMPILE, warpAccessList } from "../../src/evm/warpLogs.js"
import { seracOfFile } from "../cli/serac.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { abiBytes, boardBytecode, RECEIVED, received } from "./board.js"
import { eth, type Receipt } from "./evm.js"
import { deployMessenger, type MessagingL1, messenger as manager, transact } from "./exchange.js"
import { needsPlugin, pluginDir } from "./plugins.js"

const built = seracOfFile("l1-manager-kill")
const address = parsePChainAddress("P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", "local")
const owner = { threshold: 1, addresses: [address] }
const hexOf = (message: PChainMessage) => toHex(encodePChainMessage(message))

/** A node whose L1 has the judge's contract as its validator manager. */
interface ManagedNode {
  readonly call: Call
  readonly l1: MessagingL1 & { readonly subnetID: string }
}

/** A step of the manager: what the contract sends, what the P-Chain answers, and the weight of the validator after it. */
interface Step {
  readonly sends: PChainMessage
  readonly gets: PChainMessage
  readonly validationID: string
  readonly weight: bigint | undefined
}

async function start(isNew: boolean) {
  const data = ["--data-dir", join(built.folder, "node"), "--http-port", "0", "--json", "--log-level", "error"]
  const plugins = ["--plugin-dir", pluginDir, "--c-chain", "off"]
  const child = spawn(process.execPath, [built.bin, ...data, ...plugins], { stdio: ["ignore", "pipe", "inherit"] })
  const ended = once(child, "exit")
  const [line] = await once(child.stdout as NodeJS.ReadableStream, "data")
  const { url } = JSON.parse(String(line)) as { url: string }
  const call = httpClient(url)
  if (isNew) await call("dev.createL1", { name: "mine", vm: "subnet-evm", validators: 2, managerAddress: manager })
  const [listed] = (await call("dev.listL1s")).l1s
  if (!listed) throw new Error("the L1 is missing")
  const l1 = { ...listed, rpcUrl: `${url}/ext/bc/mine/rpc` }
  if (isNew) await deployMessenger(l1, boardBytecode)
  return { child, ended, call, l1 }
}

/** The steps of one validator after the other: registered, of another weight, removed. */
async function nextStep({ call, l1 }: ManagedNode, last: Step | undefined, random: Random): Promise<Step> {
  if (last?.sends.kind === "RegisterL1Validator") {
    const weight = 30n + BigInt(random.below(10))
    const sends = { kind: "L1ValidatorWeight", validationID: parseID(last.validationID), nonce: 0n, weight } as const
    return { sends, gets: sends, validationID: last.validationID, weight }
  }
  if (last?.weight !== undefined) {
    const validationID = parseID(last.validationID)
    const sends = { kind: "L1ValidatorWeight", validationID, nonce: 1n, weight: 0n } as const
    const gets = { kind: "L1ValidatorRegistration", validationID, registered: false } as const
    return { sends, gets, validationID: last.validationID, weight: undefined }
  }
  const { nodeID, publicKey } = await call("dev.newIdentity")
  const sends = {
    kind: "RegisterL1Validator",
    subnetID: parseID(l1.subnetID),
    nodeID: hexToBytes(parseNodeID(nodeID)),
    blsPublicKey: hexToBytes(publicKey.slice(2)),
    expiry: BigInt(Math.floor(Date.now() / 1000)) + 3600n,
    remainingBalanceOwner: owner,
    disableOwner: owner,
    weight: 20n,
  } as const
  const validationID = registrationIDOf(sends)
  const gets = { kind: "L1ValidatorRegistration", validationID, registered: true } as const
  return { sends, gets, validationID: idText(validationID), weight: 20n }
}

async function logsOf({ l1 }: ManagedNode, address: string, topic: string) {
  const filter = { fromBlock: "0x0", toBlock: "latest", address, topics: [topic] }
  return (await eth(l1.rpcUrl, "eth_getLogs", [filter])) as Receipt["logs"]
}
/** The messages that the contract has sent, and those that it has got. */
const sentBy = async (node: ManagedNode) => sentMessages(await logsOf(node, WARP_PRECOMPILE, SEND_WARP_MESSAGE))
const gotBy = async (node: ManagedNode) => (await logsOf(node, manager, RECEIVED)).map((log) => received({ logs: [log] }))

/** The weight of a validator on the P-Chain; `undefined` if there is none. */
const weightOf = ({ call }: ManagedNode, validationID: string) =>
  call("platform.getL1Validator", { validationID }).then(
    ({ weight }) => weight as bigint,
    (error) => {
      if (String(error.message).startsWith("no L1 validator has this validation ID")) return undefined
      throw error
    },
  )

/** Carries out what is left of a step. Each part is done once, also if its answer was lost. */
async function complete(node: ManagedNode, { sends, gets, validationID, weight }: Step): Promise<void> {
  const isSent = (message: string) => message.includes(hexOf(sends))
  if (!(await sentBy(node)).some(isSent)) {
    await transact(node.l1, { to: manager, data: `0x2bb1ae7c${abiBytes(encodePChainMessage(sends))}` })
  }
  const message = (await sentBy(node)).find(isSent) as string
  if ((await weightOf(node, validationID)) !== weight) await node.call("dev.issueL1Message", { unsignedMessage: message })
  const isGot = (each: ReturnType<typeof received>) => each.payload === hexOf(gets)
  if ((await gotBy(node)).some(isGot)) return
  const call = { kind: "AddressedCall", sourceAddress: new Uint8Array(0), payload: encodePChainMessage(gets) } as const
  const unsigned = encode(unsignedMessage, { networkID: 12345, sourceChainID: P_CHAIN_ID, payload: encodePayload(call) })
  const request = { unsignedMessage: `0x${toHex(unsigned)}`, subnetID: node.l1.subnetID }
  const { signedMessage } = await node.call("dev.signWarpMessage", request)
  const data = `0xcc7cff0e${"0".repeat(64)}`
  await transact(node.l1, { to: manager, data, accessList: warpAccessList(signedMessage) })
}

const kills = attempts(50)
test(`a node that is killed ${kills} times during the steps of a validator manager can complete each of them`, {
  ...needsPlugin("subnet-evm"),
  timeout: 120_000 + kills * 10_000,
}, async () => {
  const random = new Random(seed("moments of killing a validator manager"))
  const done: Step[] = []
  let current: Step | undefined
  for (let round = 0; round <= kills; round++) {
    const { child, ended, ...node } = await start(round === 0)
    try {
      // Of all steps that were completed nothing is lost.
      const last = done.at(-1)
      const weights = [last?.weight, ...(current ? [current.weight] : [])]
      if (last) expect(weights, `round ${round}`).toContain(await weightOf(node, current?.validationID ?? last.validationID))
      const moment = random.below(400)
      if (round < kills) setTimeout(() => child.kill("SIGKILL"), moment)
      for (;;) {
        current ??= await nextStep(node, done.at(-1), random)
        await complete(node, current)
        done.push(current)
        current = undefined
        if (round === kills) break
      }
      // Each message was sent and got once, in the order of the steps, and every one was valid.
      expect((await sentBy(node)).map((message, i) => message.includes(hexOf(done[i]?.sends as PChainMessage)))).toEqual(
        done.map(() => true),
      )
      expect((await gotBy(node)).map(({ valid, payload }) => `${valid} ${payload}`)).toEqual(
        done.map(({ gets }) => `true ${hexOf(gets)}`),
      )
      const { validators } = await node.call("platform.getCurrentValidators", { subnetID: node.l1.subnetID })
      const expected = [100n, 100n, done.at(-1)?.weight].filter((weight) => weight !== undefined)
      expect(validators.map(({ weight }) => weight).sort()).toEqual(expected.sort())
    } catch (error) {
      // Calls fail when the node is killed.
      if (child.exitCode === null && !child.killed) throw error
      if ((error as Error).name === "AssertionError") throw error
    } finally {
      child.kill("SIGKILL")
      await ended
    }
  }
  expect(done.length).toBeGreaterThan(0)
})
