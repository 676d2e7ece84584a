import { execFile } from "node:child_process"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { encode } from "../../src/core/codec/decode.js"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import { type Address, parsePChainAddress } from "../../src/core/types/address.js"
import { idText, P_CHAIN_ID, parseID, parseNodeID } from "../../src/core/types/id.js"
import { unsignedMessage as unsignedMessageCodec } from "../../src/core/types/warp/message.js"
import { encodePayload } from "../../src/core/types/warp/payload.js"
import { encodePChainMessage, type PChainMessage, registrationIDOf } from "../../src/core/types/warp/pChainMessage.js"
import { type Devnet, type DevnetL1, startDevnet } from "../../src/devnet/devnet.js"
import { sentMessages, warpAccessList } from "../../src/evm/warpLogs.js"
import { seracOfFile } from "../cli/serac.js"
import { abiBytes, boardBytecode, received } from "./board.js"
import { eth, type Receipt, receiptOf, signedTransfer } from "./evm.js"
import { deployMessenger, transact } from "./exchange.js"
import { needsPlugin, pluginDir } from "./plugins.js"

const built = seracOfFile("l1-manager")

/** Runs `serac l1` while this process answers it. */
const l1Command = (url: string, ...args: string[]) =>
  new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(process.execPath, [built.bin, "l1", ...args, "--url", url], (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    })
  })

/** The first contract of the first funded key. */
const manager = "0x52C84043CD9c865236f11d9Fc9F56aa003c1f922"

describe("a validator manager on an L1", needsPlugin("subnet-evm"), () => {
  let devnet: Devnet
  let l1: DevnetL1
  let nonce = 0

  beforeAll(async () => {
    devnet = await startDevnet({ pluginDir })
    l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm", validators: 2, managerAddress: manager })
    const { contractAddress } = await send({ data: boardBytecode })
    expect(contractAddress?.toLowerCase()).toBe(manager.toLowerCase())
  })
  afterAll(() => devnet?.stop())

  async function send(call: { to?: string; data: string; accessList?: ReturnType<typeof warpAccessList> }): Promise<Receipt> {
    const { rpcUrl, evmChainID, keys } = l1
    const privateKey = keys[0]?.privateKey as string
    const raw = signedTransfer({ ...call, chainID: evmChainID as bigint, nonce: nonce++, value: 0n, privateKey })
    return receiptOf(rpcUrl, await eth(rpcUrl, "eth_sendRawTransaction", [raw]))
  }
  /** Lets the contract send a message to the P-Chain. */
  const sendToPChain = (message: PChainMessage) =>
    send({ to: manager, data: `0x2bb1ae7c${abiBytes(encodePChainMessage(message))}` })
  /** Lets the contract take a message, and returns what it saw. */
  const take = async (signed: string | undefined) => {
    const data = `0xcc7cff0e${"0".repeat(64)}`
    return received(await send({ to: manager, data, accessList: warpAccessList(signed as string) }))
  }
  const fromPChain = (message: PChainMessage) => ({
    valid: true,
    sourceChainID: "0".repeat(64),
    originSender: "0".repeat(40),
    payload: Buffer.from(encodePChainMessage(message)).toString("hex"),
  })
  const weights = async () =>
    (await devnet.rpc("platform.getCurrentValidators", { subnetID: l1.subnetID })).validators
      .map(({ weight }) => Number(weight))
      .sort((a, b) => a - b)
  const owner = { threshold: 1, addresses: [parsePChainAddress("P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", "local")] }

  async function registration(expiry: bigint) {
    const { nodeID, publicKey } = await devnet.dev.newIdentity()
    return {
      kind: "RegisterL1Validator",
      subnetID: parseID(l1.subnetID),
      nodeID: hexToBytes(parseNodeID(nodeID)),
      blsPublicKey: hexToBytes(publicKey.slice(2)),
      expiry,
      remainingBalanceOwner: owner as { threshold: number; addresses: Address[] },
      disableOwner: owner as { threshold: number; addresses: Address[] },
      weight: 20n,
    } as const
  }
  const inAnHour = () => BigInt(Math.floor(Date.now() / 1000)) + 3600n

  test("initialises with the conversion, registers, changes the weight, and removes", async () => {
    const { conversionID } = (await devnet.rpc("platform.getSubnet", { subnetID: l1.subnetID })) as { conversionID: string }
    const converted = { kind: "SubnetToL1Conversion", id: parseID(conversionID) } as const
    const payload = encodePayload({
      kind: "AddressedCall",
      sourceAddress: new Uint8Array(0),
      payload: encodePChainMessage(converted),
    })
    const unsigned = encode(unsignedMessageCodec, { networkID: 12345, sourceChainID: P_CHAIN_ID, payload })
    const { signedMessage } = await devnet.dev.signWarpMessage({ unsignedMessage: `0x${Buffer.from(unsigned).toString("hex")}` })
    expect(await take(signedMessage)).toEqual(fromPChain(converted))

    const registering = await registration(inAnHour())
    const validationID = registrationIDOf(registering)
    const { logs } = await sendToPChain(registering)
    const [unsignedMessage = ""] = sentMessages(logs)
    const registered = await devnet.dev.issueL1Message({ unsignedMessage, balance: 5_000_000_000n })
    expect(registered).toMatchObject({ kind: "RegisterL1Validator", validationID: idText(validationID) })
    expect(await weights()).toEqual([20, 100, 100])
    expect(await take(registered.answer)).toEqual(fromPChain({ kind: "L1ValidatorRegistration", validationID, registered: true }))

    const weighing = { kind: "L1ValidatorWeight", validationID, nonce: 0n, weight: 30n } as const
    const [heavier = ""] = sentMessages((await sendToPChain(weighing)).logs)
    const weighed = await devnet.dev.issueL1Message({ unsignedMessage: heavier })
    expect(await weights()).toEqual([30, 100, 100])
    expect(await take(weighed.answer)).toEqual(fromPChain(weighing))

    const removing = { kind: "L1ValidatorWeight", validationID, nonce: 1n, weight: 0n } as const
    const { transactionHash } = await sendToPChain(removing)
    const { stdout, code } = await l1Command(devnet.url, "weight", "mine", "--tx", transactionHash, "--json")
    expect(code).toBe(0)
    expect(await weights()).toEqual([100, 100])
    expect(await take(JSON.parse(stdout).answer)).toEqual(
      fromPChain({ kind: "L1ValidatorRegistration", validationID, registered: false }),
    )
  })

  test("a validator whose balance runs out or whose owner disables it becomes inactive", async () => {
    const { logs, transactionHash } = await sendToPChain(await registration(inAnHour()))
    expect(sentMessages(logs).length).toBe(1)
    const registered = await l1Command(devnet.url, "register", "mine", "--tx", transactionHash, "--balance", "60000000")
    expect(registered).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Message +RegisterL1Validator\nValidation +\w+\n/),
    })
    const validationID = /^Validation +(\w+)$/m.exec(registered.stdout)?.[1] as string
    const isActive = async () => (await devnet.rpc("platform.getL1Validator", { validationID })).balance !== 0n
    expect(await isActive()).toBe(true)
    expect(await l1Command(devnet.url, "disable", validationID)).toMatchObject({
      code: 0,
      stdout: `${validationID} is disabled.\n`,
    })
    expect(await isActive()).toBe(false)

    const [unsignedMessage = ""] = sentMessages((await sendToPChain(await registration(inAnHour()))).logs)
    const poor = await devnet.dev.issueL1Message({ unsignedMessage, balance: 100n })
    const balance = async () => (await devnet.rpc("platform.getL1Validator", { validationID: poor.validationID })).balance
    expect(await balance()).toBeGreaterThan(0n)
    await devnet.dev.advanceTime({ seconds: 200 })
    expect(await balance()).toBe(0n)
  })

  test("a message that the contract did not send is refused, and so is another message", async () => {
    const { logs } = await send({ to: manager, data: `0x2bb1ae7c${abiBytes(Buffer.from("hello"))}` })
    const [other = ""] = sentMessages(logs)
    await expect(devnet.dev.issueL1Message({ unsignedMessage: other })).rejects.toMatchObject({
      code: "producer.not_a_manager_message",
    })
    const forged = `${other.slice(0, -2)}00`
    await expect(devnet.dev.issueL1Message({ unsignedMessage: forged })).rejects.toMatchObject({ code: "vm.will_not_sign" })
    expect(await l1Command(devnet.url, "weight", "mine", "--tx", `0x${"00".repeat(32)}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("sent no Warp message"),
    })
  })

  test("with a clock a day ahead the registration of a manager has expired, and the refusal says why", async () => {
    const { id } = await devnet.dev.snapshot()
    const { logs } = await sendToPChain(await registration(BigInt(Math.floor(Date.now() / 1000)) + 86_400n))
    const [unsignedMessage = ""] = sentMessages(logs)
    await devnet.dev.advanceTime({ seconds: 86_500 })
    const refusal = await devnet.dev.issueL1Message({ unsignedMessage }).catch((error) => error)
    expect(refusal).toMatchObject({ code: "tx.registration_expired" })
    expect(refusal.message).toContain("must not be a day ahead")
    await devnet.dev.revert({ id })
  })
})

test("with a clock behind the machine's every registration of a manager is refused, and the refusal says why", {
  ...needsPlugin("subnet-evm"),
}, async () => {
  const anHourAgo = BigInt(Math.floor(Date.now() / 1000)) - 3600n
  await using devnet = await startDevnet({ pluginDir, startTime: anHourAgo, freezeTime: true })
  const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm", managerAddress: manager })
  await deployMessenger(l1, boardBytecode)
  const { nodeID, publicKey } = await devnet.dev.newIdentity()
  const owner = { threshold: 1, addresses: [parsePChainAddress("P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", "local")] }
  const data = encodePChainMessage({
    kind: "RegisterL1Validator",
    subnetID: parseID(l1.subnetID),
    nodeID: hexToBytes(parseNodeID(nodeID)),
    blsPublicKey: hexToBytes(publicKey.slice(2)),
    // As ICM's contract counts it: a day from the time of its own chain.
    expiry: BigInt(Math.floor(Date.now() / 1000)) + 86_400n,
    remainingBalanceOwner: owner,
    disableOwner: owner,
    weight: 20n,
  })
  const { logs } = await transact(l1, { to: manager, data: `0x2bb1ae7c${abiBytes(data)}` })
  const [unsignedMessage = ""] = sentMessages(logs)
  const refusal = await devnet.dev.issueL1Message({ unsignedMessage }).catch((error) => error)
  expect(refusal).toMatchObject({ code: "tx.registration_too_early" })
  expect(refusal.message).toContain("the P-Chain's must not be behind it")
  await devnet.dev.advanceTime({ seconds: 3700 })
  expect(await devnet.dev.issueL1Message({ unsignedMessage })).toMatchObject({ kind: "RegisterL1Validator" })
})
