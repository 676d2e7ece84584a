import { expect, test } from "vitest"
import { icmPayload } from "../../test/l1/messenger.js"
import { utf8 } from "../core/lib/bytes.js"
import type { ID } from "../core/types/id.js"
import { readIcmMessage } from "./icmMessage.js"

const destination = "22".repeat(32) as ID
const [sender, receiver, relayer] = ["0x", "0x", "0x"].map((start, i) => start + `${i + 1}a`.repeat(20)) as [
  string,
  string,
  string,
]
const sent = { nonce: 7n, sender, destination, receiver, gasLimit: 100_000n, relayers: [relayer], text: "hello" }

test("a message is read from the payload that the contract of ICM sends", () => {
  expect(readIcmMessage(icmPayload(sent))).toEqual({
    nonce: 7n,
    sender,
    receiver,
    destinationChainID: destination,
    gasLimit: 100_000n,
    relayers: [relayer],
    message: utf8("hello"),
  })
  expect(readIcmMessage(icmPayload({ ...sent, relayers: [], text: "" }))).toMatchObject({ relayers: [], message: utf8("") })
})

test("every other payload is none, whatever is cut off or changed", () => {
  const payload = icmPayload(sent)
  for (let size = 0; size < payload.length - 32; size++) expect(readIcmMessage(payload.subarray(0, size))).toBeUndefined()
  // Where a place, a length or an address has a high byte, there is no such value.
  for (const word of [0, 1, 2, 4, 6, 8]) {
    const changed = Uint8Array.from(payload)
    changed[word * 32] = 0xff
    expect(readIcmMessage(changed), `word ${word}`).toBeUndefined()
  }
})
