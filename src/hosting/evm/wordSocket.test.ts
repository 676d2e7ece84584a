import { Duplex } from "node:stream"
import { expect, test, vi } from "vitest"
import { concatBytes, utf8 } from "../../core/lib/bytes.js"
import { closeFrame } from "../../core/lib/closeFrame.js"
import { textFrame } from "../../core/lib/webSocketFrames.js"
import { type AnswerMessage, WordSocket } from "./wordSocket.js"

const HEAD = utf8("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")

/** A frame of a client. Without a key its payload is masked with zeros, so that it can be read. */
function frame(text: string, first = 0x81, key = [0, 0, 0, 0]): Uint8Array {
  const payload = utf8(text)
  const size = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 0xff]
  return Uint8Array.of(
    first,
    (size[0] as number) | 0x80,
    ...size.slice(1),
    ...key,
    ...payload.map((byte, i) => byte ^ key[i % 4]!),
  )
}

/** A socket between a client and a VM that is this test. Answers are given when the test says so. */
function open(answer: AnswerMessage = () => undefined) {
  const [heard, said]: Uint8Array[][] = [[], []]
  const faults: unknown[] = []
  const vm = new Duplex({
    read() {},
    write(bytes, _, callback) {
      heard!.push(bytes)
      callback()
    },
  })
  const socket = new WordSocket(vm, answer, (error) => faults.push(error))
  socket.on("data", (bytes) => said!.push(bytes))
  const text = (pieces: readonly Uint8Array[]) => Buffer.from(concatBytes(...pieces)).toString("latin1")
  return { vm, socket, faults, heard: () => text(heard!), said: () => text(said!) }
}

const latin1 = (...pieces: readonly Uint8Array[]) => Buffer.from(concatBytes(...pieces)).toString("latin1")

/** Answers messages that begin with "word", each when the test releases it. */
function words() {
  const asked: string[] = []
  const release: ((answer: string | undefined) => void)[] = []
  const answer: AnswerMessage = (message) => {
    const text = Buffer.from(message).toString()
    if (!text.startsWith("word")) return undefined
    asked.push(text)
    return new Promise((resolve) => release.push((given) => resolve(given === undefined ? undefined : utf8(given))))
  }
  return { asked, answer, release }
}

test("what has no word passes as it is, in both directions, byte by byte", async () => {
  const { vm, socket, heard, said } = open()
  const sent = concatBytes(
    frame("hello"),
    frame("half", 0x01),
    frame("ping", 0x89),
    frame(" whole", 0x80),
    frame("x".repeat(300)),
  )
  const spoken = concatBytes(HEAD, textFrame(utf8("a".repeat(200))), Uint8Array.of(0x89, 0x00), textFrame(utf8("b")))
  for (const byte of sent) socket.write(Uint8Array.of(byte))
  for (const byte of spoken) vm.push(Uint8Array.of(byte))
  // The ping does not wait for the end of the message.
  const order = [frame("hello"), frame("ping", 0x89), frame("half", 0x01), frame(" whole", 0x80), frame("x".repeat(300))]
  await vi.waitFor(() => expect(heard()).toBe(latin1(...order)))
  await vi.waitFor(() => expect(said()).toBe(latin1(spoken)))
})

test("a word is answered between the messages of the VM, and what follows it waits", async () => {
  const { asked, answer, release } = words()
  const { vm, socket, heard, said } = open(answer)
  vm.push(concatBytes(HEAD, Uint8Array.of(0x01, 0x02, 0x68, 0x61)))
  socket.write(concatBytes(frame("wo", 0x01, [1, 2, 3, 4]), frame("rd 1", 0x80, [5, 6, 7, 8]), frame("after")))
  await vi.waitFor(() => expect(asked).toEqual(["word 1"]))
  socket.write(frame("", 0x8a))
  await vi.waitFor(() => expect(heard()).toBe(latin1(frame("", 0x8a))))
  release[0]!("done")
  await vi.waitFor(() => expect(heard()).toBe(latin1(frame("", 0x8a), frame("after"))))
  expect(said()).toBe(latin1(HEAD, Uint8Array.of(0x01, 0x02, 0x68, 0x61)))
  vm.push(concatBytes(Uint8Array.of(0x80, 0x01), utf8("!"), textFrame(utf8("next"))))
  const rest = [Uint8Array.of(0x80, 0x01), utf8("!"), textFrame(utf8("done")), textFrame(utf8("next"))]
  await vi.waitFor(() => expect(said()).toBe(latin1(HEAD, Uint8Array.of(0x01, 0x02, 0x68, 0x61), ...rest)))
})

test("a message that only looked like a word, a large one and a compressed one are the VM's", async () => {
  const { asked, answer, release } = words()
  const { vm, socket, heard } = open(answer)
  vm.push(HEAD)
  socket.write(frame("word?"))
  await vi.waitFor(() => expect(asked).toEqual(["word?"]))
  release[0]!(undefined)
  const large = concatBytes(Uint8Array.of(0x81, 0xff, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0), Buffer.alloc(1 << 21, "word"))
  socket.write(frame("word", 0xc1))
  socket.write(large)
  await vi.waitFor(() => expect(heard() === latin1(frame("word?"), frame("word", 0xc1), large)).toBe(true))
  expect(asked).toEqual(["word?"])
})

test("a VM that ends because of a word ends the connection after the answer", async () => {
  const { asked, answer, release } = words()
  const { vm, socket, said } = open(answer)
  const ended = vi.fn()
  socket.on("end", ended)
  vm.push(HEAD)
  socket.write(concatBytes(frame("word"), frame("nobody hears this")))
  await vi.waitFor(() => expect(asked).toEqual(["word"]))
  vm.push(closeFrame(1012, "restarts"))
  vm.push(null)
  await vi.waitFor(() => expect(vm.readableEnded).toBe(true))
  expect([said(), ended.mock.calls.length]).toEqual([latin1(HEAD), 0])
  release[0]!("done")
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
  expect(said()).toBe(latin1(HEAD, textFrame(utf8("done")), closeFrame(1012, "restarts")))
})

test("a handshake that the VM refuses, and anything else that is no WebSocket, passes", async () => {
  for (const head of ["HTTP/1.1 403 Forbidden\r\n\r\n", `HTTP/1.1 101 ${"x".repeat(70_000)}`]) {
    const { vm, said } = open()
    vm.push(utf8(head))
    vm.push(utf8("\r\n\r\nbody"))
    await vi.waitFor(() => expect(said()).toBe(`${head}\r\n\r\nbody`))
  }
})

test("a fault is reported, and ends the connection; a client that leaves ends the VM's side", async () => {
  const fault = new Error("fault")
  const failing = open(() => Promise.reject(fault))
  failing.vm.push(HEAD)
  failing.socket.write(frame("word"))
  await vi.waitFor(() => expect([failing.faults, failing.vm.destroyed]).toEqual([[fault], true]))
  const left = open()
  left.socket.end()
  await vi.waitFor(() => expect(left.vm.writableEnded).toBe(true))
  left.socket.destroy()
  expect(left.vm.destroyed).toBe(true)
})
