import { expect, test } from "vitest"
import { encode } from "../../core/codec/decode.js"
import { toHex } from "../../core/lib/bytes.js"
import type { ID } from "../../core/types/id.js"
import { unsignedMessage } from "../../core/types/warp/message.js"
import { Signer } from "../proto/warp_pb.js"
import { clientOf } from "../served.fixture.js"
import { warpSignerService } from "./warpSigner.js"

const chainID = "22".repeat(32) as ID
const id = Buffer.from(chainID, "hex")

test("a message of the chain is signed as its whole bytes; those of other chains and networks are refused", async () => {
  const client = await clientOf(warpSignerService({ networkID: 12345, chainID, sign: (message) => message }))
  const message = { networkId: 12345, sourceChainId: id, payload: Buffer.from("hello") }
  const { signature } = await client.call(Signer.method.sign, message)
  const expected = encode(unsignedMessage, { networkID: 12345, sourceChainID: chainID, payload: Buffer.from("hello") })
  expect(toHex(signature)).toBe(toHex(expected))
  await expect(client.call(Signer.method.sign, { ...message, networkId: 1 })).rejects.toMatchObject({ status: 2 })
  await expect(client.call(Signer.method.sign, { ...message, sourceChainId: Buffer.alloc(32) })).rejects.toMatchObject({
    status: 2,
    message: "the message is of another chain",
  })
})
