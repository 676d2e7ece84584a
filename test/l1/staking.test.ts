import { expect, test } from "vitest"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import { type Address, parsePChainAddress } from "../../src/core/types/address.js"
import { idText, parseID, parseNodeID } from "../../src/core/types/id.js"
import { encodePChainMessage, registrationIDOf } from "../../src/core/types/warp/pChainMessage.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { sentMessages, warpAccessList } from "../../src/evm/warpLogs.js"
import { abiBytes } from "./board.js"
import { stakingBytecode } from "./contracts/bytecode.js"
import { eth, receiptOf, signedTransfer } from "./evm.js"
import { messenger as manager } from "./exchange.js"
import { needsClockPlugin, pluginDir } from "./plugins.js"
import { uptimeMessage } from "./uptimeMessage.js"

const TWO_WEEKS = 1_209_600n
const COIN = 10n ** 18n
const [REGISTER, COMPLETE, PROVE_UPTIME, END] = ["82fbdc9c", "1d429868", "1a0db779", "49cf8468"]
const FIRST_MESSAGE = "0".repeat(64)
const owner = { threshold: 1, addresses: [parsePChainAddress("P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", "local")] }

test("a staking manager registers validators, and after two weeks rewards the one that was online, and removes both", {
  ...needsClockPlugin("subnet-evm"),
  timeout: 60_000,
}, async () => {
  await using devnet = await startDevnet({ pluginDir })
  const { dev } = devnet
  const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm", managerAddress: manager })
  const [chainID, subnetID] = [parseID(l1.chainID), parseID(l1.subnetID)]
  let nonce = 0
  const send = async (data: string, value = 0n, signed?: string, to: string | undefined = manager) => {
    const accessList = signed === undefined ? {} : { accessList: warpAccessList(signed) }
    const transfer = {
      chainID: l1.evmChainID as bigint,
      nonce: nonce++,
      value,
      data,
      ...(to === "" ? {} : { to }),
      ...accessList,
    }
    const raw = signedTransfer({ ...transfer, privateKey: l1.keys[0]?.privateKey as string })
    const receipt = await receiptOf(l1.rpcUrl, await eth(l1.rpcUrl, "eth_sendRawTransaction", [raw]))
    return receipt
  }
  const succeed = async (...call: Parameters<typeof send>) => {
    const receipt = await send(...call)
    expect(receipt.status).toBe("0x1")
    return receipt
  }
  const { contractAddress } = await succeed(stakingBytecode, 10n * COIN, undefined, "")
  expect(contractAddress?.toLowerCase()).toBe(manager.toLowerCase())
  const weights = async () =>
    (await devnet.rpc("platform.getCurrentValidators", { subnetID: l1.subnetID })).validators
      .map(({ weight }) => Number(weight))
      .sort()

  /** Registers a validator with a stake of one coin. */
  async function register() {
    const { nodeID, publicKey } = await dev.newIdentity()
    const owners = { remainingBalanceOwner: owner, disableOwner: owner } as Record<
      "remainingBalanceOwner" | "disableOwner",
      { threshold: number; addresses: Address[] }
    >
    const node = { nodeID: hexToBytes(parseNodeID(nodeID)), blsPublicKey: hexToBytes(publicKey.slice(2)) }
    const message = {
      kind: "RegisterL1Validator",
      subnetID,
      ...node,
      ...owners,
      expiry: devnet.now() + 3600n,
      weight: 20n,
    } as const
    const { logs } = await succeed(`0x${REGISTER}${abiBytes(encodePChainMessage(message))}`, COIN)
    const [unsignedMessage = ""] = sentMessages(logs)
    const { validationID, answer } = await dev.issueL1Message({ unsignedMessage, balance: 5_000_000_000n })
    expect(validationID).toBe(idText(registrationIDOf(message)))
    await succeed(`0x${COMPLETE}${FIRST_MESSAGE}`, 0n, answer)
    return { nodeID, validationID: registrationIDOf(message) }
  }
  const [online, offline] = [await register(), await register()]
  expect(await weights()).toEqual([100, 20, 20])
  // The VM looks which validators there are once a minute, and when it starts.
  await dev.stopL1({ name: "mine" })
  await dev.startL1({ name: "mine" })
  await dev.setUptime({ nodeID: offline.nodeID, percent: 0 })
  await expect(dev.setUptime({ nodeID: online.nodeID, percent: 50 })).rejects.toMatchObject({ code: "dev.online_or_offline" })

  const end = async ({ validationID }: typeof online) => {
    const message = encodePChainMessage({ kind: "L1ValidatorWeight", validationID, nonce: 0n, weight: 0n })
    return send(`0x${END}${validationID}${abiBytes(message).replace(/^0{62}20/, `${"0".repeat(62)}40`)}`)
  }
  // A stake lasts two weeks.
  expect((await end(online)).status).toBe("0x0")
  await dev.advanceTime({ seconds: TWO_WEEKS })

  const proof = async ({ validationID }: typeof online, seconds: bigint) => {
    const unsignedMessage = uptimeMessage(chainID, validationID, seconds)
    const { signedMessage } = await dev.signWarpMessage({ unsignedMessage })
    await succeed(`0x${PROVE_UPTIME}${FIRST_MESSAGE}`, 0n, signedMessage)
  }
  await expect(proof(offline, TWO_WEEKS)).rejects.toMatchObject({ code: "vm.will_not_sign" })
  await proof(offline, 0n)
  await expect(proof(online, 2n * TWO_WEEKS)).rejects.toMatchObject({ code: "vm.will_not_sign" })
  await proof(online, TWO_WEEKS)

  for (const each of [online, offline]) {
    const { status, logs } = await end(each)
    expect(status).toBe("0x1")
    const [unsignedMessage = ""] = sentMessages(logs)
    await dev.issueL1Message({ unsignedMessage })
  }
  expect(await weights()).toEqual([100])
  // Both stakes are paid back, and one reward of one coin.
  expect(BigInt((await eth(l1.rpcUrl, "eth_getBalance", [manager, "latest"])) as string)).toBe(9n * COIN)
})
