import { hexToBytes, toHex } from "../../src/core/lib/bytes.js"

/**
 * A contract with the interface of ICM's TeleporterMessenger that relayers use. It takes no argument of a sender apart: `send(bytes)` sends the
 * bytes as they are, and the test encodes the message. `receiveCrossChainMessage(uint32,address)` verifies the Warp message, refuses one that was
 * received before, and emits `Received(uint256 nonce, uint256 count)`. `messageReceived(bytes32)` tells whether a message was received, and
 * `count()` how many were. It is written in the instructions of the EVM, below.
 */
const source = `
  # The selector of the call.
  0 CALLDATALOAD 0xe0 SHR
  DUP1 0x2bb1ae7c EQ @send JUMPI
  DUP1 0xccb5f809 EQ @receive JUMPI
  DUP1 0xebc3b1ba EQ @received JUMPI
  DUP1 0x06661abd EQ @count JUMPI
  0 0 REVERT

send: # sendWarpMessage(bytes) has the same argument.
  0xee5b48eb 0xe0 SHL 0 MSTORE
  4 CALLDATASIZE SUB 4 4 CALLDATACOPY
  32 0 CALLDATASIZE 0 0 0x0200000000000000000000000000000000000005 GAS CALL
  @done JUMPI 0 0 REVERT

receive: # getVerifiedWarpMessage(uint32 index) returns ((bytes32 chain, address sender, bytes payload), bool valid).
  0x6f825350 0xe0 SHL 0 MSTORE
  4 CALLDATALOAD 4 MSTORE
  0 0 36 0 0x0200000000000000000000000000000000000005 GAS STATICCALL
  @verified JUMPI 0 0 REVERT
verified:
  RETURNDATASIZE 0 0 RETURNDATACOPY
  # The second word says whether it is valid. The structure begins at 0x40: chain, sender, place of the payload (0x60), length, bytes.
  0x20 MLOAD @valid JUMPI 0 0 REVERT
valid:
  0x60 MLOAD ADDRESS EQ @own JUMPI 0 0 REVERT
own:
  # The payload begins at 0xc0 with a word 0x20, then the nonce, the sender, and the destination.
  # Its ID is the hash of this address, the source, the destination and the nonce.
  0x0400 # place for the words
  ADDRESS DUP2 MSTORE
  0x40 MLOAD DUP2 0x20 ADD MSTORE
  0x120 MLOAD DUP2 0x40 ADD MSTORE
  0xe0 MLOAD DUP2 0x60 ADD MSTORE
  0x80 SWAP1 KECCAK256
  DUP1 SLOAD ISZERO @new JUMPI 0 0 REVERT
new:
  1 SWAP1 SSTORE
  0 SLOAD 1 ADD DUP1 0 SSTORE
  0xe0 MLOAD 0 MSTORE
  0x20 MSTORE
  0x0000000000000000000000000000000000000000000000000000000000005ece 0x40 0 LOG1
done:
  STOP

received:
  4 CALLDATALOAD SLOAD 0 MSTORE 32 0 RETURN

count:
  0 SLOAD 0 MSTORE 32 0 RETURN
`

/** The first topic of the contract's event: the nonce of a message, and the number of messages until then. */
export const RECEIVED = `0x${"5ece".padStart(64, "0")}`

const opcodes: Readonly<Record<string, number>> = {
  ...{ STOP: 0x00, ADD: 0x01, SUB: 0x03, EQ: 0x14, ISZERO: 0x15, SHL: 0x1b, SHR: 0x1c, KECCAK256: 0x20, ADDRESS: 0x30 },
  ...{ CALLDATALOAD: 0x35, CALLDATASIZE: 0x36, CALLDATACOPY: 0x37, RETURNDATASIZE: 0x3d, RETURNDATACOPY: 0x3e, MLOAD: 0x51 },
  ...{ MSTORE: 0x52, SLOAD: 0x54, SSTORE: 0x55, JUMPI: 0x57, GAS: 0x5a, DUP1: 0x80, DUP2: 0x81, SWAP1: 0x90, LOG1: 0xa1 },
  ...{ CALL: 0xf1, RETURN: 0xf3, STATICCALL: 0xfa, REVERT: 0xfd },
}

/** Translates instructions: names, numbers, which are pushed, `@label`, which pushes the place of `label:`, and comments. */
function assemble(text: string): Uint8Array {
  const words = text
    .replace(/#.*$/gm, "")
    .split(/\s+/)
    .filter((word) => word !== "")
  const places = new Map<string, number>()
  const code: (number | string)[] = []
  for (const word of words) {
    const opcode = opcodes[word]
    if (word.endsWith(":")) {
      places.set(word.slice(0, -1), code.length)
      code.push(0x5b)
    } else if (word.startsWith("@")) code.push(0x61, word, "")
    else if (opcode !== undefined) code.push(opcode)
    else {
      const digits = BigInt(word).toString(16)
      const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex")
      code.push(0x5f + bytes.length, ...bytes)
    }
  }
  const resolved = code.flatMap((each) => {
    if (typeof each === "number") return [each]
    const place = places.get(each.slice(1))
    return place === undefined ? [] : [place >> 8, place & 255]
  })
  return Uint8Array.from(resolved)
}

/** The code of the contract, for a genesis. */
export const messengerCode = `0x${toHex(assemble(source))}`

/** The bytecode that creates the contract. */
export const messengerBytecode = `0x${toHex(creation(assemble(source)))}`

/** The bytecode of a contract that has received no message, and refuses every one: it answers calls of 36 bytes with zero. */
export const refusingBytecode = `0x${toHex(creation(assemble("36 CALLDATASIZE EQ @none JUMPI 0 0 REVERT none: 32 0 RETURN")))}`

/** Prefixes code with what returns it. */
function creation(code: Uint8Array): Uint8Array {
  const size = [code.length >> 8, code.length & 255]
  // PUSH2 size, DUP1, PUSH1 start, PUSH1 0, CODECOPY, PUSH1 0, RETURN
  return Uint8Array.from([0x61, ...size, 0x80, 0x60, 12, 0x60, 0, 0x39, 0x60, 0, 0xf3, ...code])
}

/** Makes the payload of an ICM message, as the contract of ICM encodes it. */
export function icmPayload(message: {
  readonly nonce: bigint
  readonly sender: string
  readonly destination: string
  readonly receiver: string
  readonly gasLimit: bigint
  readonly relayers?: readonly string[]
  readonly text: string
}): Uint8Array {
  const word = (value: bigint | number) => value.toString(16).padStart(64, "0")
  const address = (text: string) => text.slice(2).toLowerCase().padStart(64, "0")
  const { relayers = [] } = message
  const text = Buffer.from(message.text).toString("hex")
  const list = [word(relayers.length), ...relayers.map(address)].join("")
  const head = 8 * 32
  return hexToBytes(
    [
      ...[word(32), word(message.nonce), address(message.sender), message.destination, address(message.receiver)],
      ...[word(message.gasLimit), word(head), word(head + list.length / 2), word(head + list.length / 2 + 32)],
      ...[list, word(0), word(text.length / 2), text.padEnd(Math.ceil(text.length / 64) * 64, "0")],
    ].join(""),
  )
}
