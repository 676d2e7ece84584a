import { execFile } from "node:child_process"
import { expect, test } from "vitest"
import { encode } from "../../src/core/codec/decode.js"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import { type Address, parsePChainAddress } from "../../src/core/types/address.js"
import { idText, P_CHAIN_ID, parseID, parseNodeID } from "../../src/core/types/id.js"
import { unsignedMessage as unsignedMessageCodec } from "../../src/core/types/warp/message.js"
import { encodePayload } from "../../src/core/types/warp/payload.js"
import { encodePChainMessage, type PChainMessage, registrationIDOf } from "../../src/core/types/warp/pChainMessage.js"
import { warpAccessList } from "../../src/evm/warpLogs.js"
import { seracOfFile } from "../cli/serac.js"
import { abiBytes, boardBytecode, received } from "./board.js"
import { startWithCChain } from "./conservation.js"
import { messenger as manager, transact } from "./exchange.js"
import { needsPlugin } from "./plugins.js"

const built = seracOfFile("c-chain-manager")

test("a validator manager on the C-Chain manages an L1, by serac l1, with messages that the primary network signs", {
  ...needsPlugin("coreth"),
  timeout: 120_000,
}, async () => {
  await using devnet = await startWithCChain({ cChain: { payAccounts: false } })
  const { blockchainID: chainID, rpcUrl, keys, chainID: evmChainID } = devnet.cChain
  const cChain = { chainID, rpcUrl, keys, evmChainID: BigInt(evmChainID) }
  /** Runs `serac l1` while this process answers it. */
  const l1Command = (...args: string[]) =>
    new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [built.bin, "l1", ...args, "--url", devnet.url, "--json"], (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      )
    })
  const created = JSON.parse(await l1Command("create", "mine", "--validators", "2", "--manager", manager, "--manager-chain", "C"))
  const { subnetID } = created as { readonly subnetID: string }
  expect(await devnet.rpc("platform.getSubnet", { subnetID })).toMatchObject({
    managerChainID: chainID,
    managerAddress: manager.toLowerCase(),
  })
  const { contractAddress } = await transact(cChain, { data: boardBytecode })
  expect(contractAddress?.toLowerCase()).toBe(manager.toLowerCase())

  /** Lets the contract send a message to the P-Chain, and returns the hash of the transaction. */
  const sendToPChain = async (message: PChainMessage) =>
    (await transact(cChain, { to: manager, data: `0x2bb1ae7c${abiBytes(encodePChainMessage(message))}` })).transactionHash
  /** Lets the contract take a message, and returns what it saw. */
  const take = async (signed: string) => {
    const data = `0xcc7cff0e${"0".repeat(64)}`
    return received(await transact(cChain, { to: manager, data, accessList: warpAccessList(signed) }))
  }
  const fromPChain = (message: PChainMessage) => ({
    valid: true,
    sourceChainID: "0".repeat(64),
    originSender: "0".repeat(40),
    payload: Buffer.from(encodePChainMessage(message)).toString("hex"),
  })
  const step = async (verb: "register" | "weight", tx: string) =>
    JSON.parse(await l1Command(verb, "mine", "--tx", tx)) as { readonly answer: string; readonly validationID: string }
  const weights = async () =>
    (await devnet.rpc("platform.getCurrentValidators", { subnetID })).validators
      .map(({ weight }) => Number(weight))
      .sort((a, b) => a - b)

  const { conversionID } = (await devnet.rpc("platform.getSubnet", { subnetID })) as { conversionID: string }
  const converted = { kind: "SubnetToL1Conversion", id: parseID(conversionID) } as const
  const sourceAddress = new Uint8Array(0)
  const payload = encodePayload({ kind: "AddressedCall", sourceAddress, payload: encodePChainMessage(converted) })
  const unsigned = encode(unsignedMessageCodec, { networkID: 12345, sourceChainID: P_CHAIN_ID, payload })
  const { signedMessage } = await devnet.dev.signWarpMessage({ unsignedMessage: `0x${Buffer.from(unsigned).toString("hex")}` })
  expect(await take(signedMessage)).toEqual(fromPChain(converted))

  const { nodeID, publicKey } = await devnet.dev.newIdentity()
  const address = parsePChainAddress("P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", "local") as Address
  const owner = { threshold: 1, addresses: [address] }
  const registering = {
    kind: "RegisterL1Validator",
    subnetID: parseID(subnetID),
    nodeID: hexToBytes(parseNodeID(nodeID)),
    blsPublicKey: hexToBytes(publicKey.slice(2)),
    expiry: BigInt(Math.floor(Date.now() / 1000)) + 3600n,
    remainingBalanceOwner: owner,
    disableOwner: owner,
    weight: 20n,
  } as const
  const validationID = registrationIDOf(registering)
  const registered = await step("register", await sendToPChain(registering))
  expect(registered.validationID).toBe(idText(validationID))
  expect(await weights()).toEqual([20, 100, 100])
  expect(await take(registered.answer)).toEqual(fromPChain({ kind: "L1ValidatorRegistration", validationID, registered: true }))

  const weighing = { kind: "L1ValidatorWeight", validationID, nonce: 0n, weight: 30n } as const
  const weighed = await step("weight", await sendToPChain(weighing))
  expect(await weights()).toEqual([30, 100, 100])
  expect(await take(weighed.answer)).toEqual(fromPChain(weighing))

  const removed = await step("weight", await sendToPChain({ kind: "L1ValidatorWeight", validationID, nonce: 1n, weight: 0n }))
  expect(await weights()).toEqual([100, 100])
  expect(await take(removed.answer)).toEqual(fromPChain({ kind: "L1ValidatorRegistration", validationID, registered: false }))
})
