import { expect, onTestFinished, test } from "vitest"
import { idOf, idText } from "../../src/core/types/id.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { sentMessages } from "../../src/evm/warpLogs.js"
import { eth } from "./evm.js"
import { deployMessenger, sendMessage, waitForMessages } from "./exchange.js"
import { needsPlugin, pluginDir } from "./plugins.js"

test("keys that are taken over are those that sign, for the VM and for the relay", {
  ...needsPlugin("subnet-evm"),
  timeout: 120_000,
}, async () => {
  const devnet = await startDevnet({ pluginDir, autoRelay: true })
  onTestFinished(() => devnet.stop())
  const first = await devnet.createL1({ name: "first", vm: "subnet-evm", validators: 2 })
  const second = await devnet.createL1({ name: "second", vm: "subnet-evm" })
  for (const l1 of [first, second]) await deployMessenger(l1)
  const { logs } = await sendMessage(first, second, 1)
  await waitForMessages(second, [1])
  const [unsignedMessage = ""] = sentMessages(logs)
  const messageID = idText(idOf(Buffer.from(unsignedMessage.slice(2), "hex")))
  const bySerac = async () => (await devnet.dev.signWarpMessage({ unsignedMessage })).signedMessage
  const byVM = () => eth(first.rpcUrl, "warp_getMessageAggregateSignature", [messageID, 100, ""])
  const before = await bySerac()
  expect(await byVM()).toBe(before)
  await devnet.dev.takeValidatorKeys({ subnetID: first.subnetID })
  const after = await bySerac()
  expect(after).not.toBe(before)
  expect(await byVM()).toBe(after)
  await sendMessage(first, second, 2)
  await waitForMessages(second, [1, 2])
})
