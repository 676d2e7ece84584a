import { expect, test } from "vitest"
import { run } from "../../../test/terminal.js"

const key = "PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN"
const nodeID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"

const outputOf = async (...words: string[]) => {
  const { code, stdout, stderr } = await run(["id", ...words])
  expect([code, stderr]).toEqual([0, ""])
  return stdout
}

test("a value is printed in every spelling it has", async () => {
  expect(await outputOf(nodeID)).toBe(`kind     NodeID
size     20 bytes
nodeID   ${nodeID}
hex      0x479f66c8be895830547e70b4b298cafd433dba6e
cb58     7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg
address  P-local1g70kdj9739vrq4r7wz6t9xx2l4pnmwnwec05uw
bech32   local1g70kdj9739vrq4r7wz6t9xx2l4pnmwnwec05uw
shortID  7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg
`)
  expect(JSON.parse(await outputOf("11111111111111111111111111111111LpoYY", "--json"))).toEqual({
    kind: "ID",
    size: 32,
    cb58: "11111111111111111111111111111111LpoYY",
    hex: `0x${"00".repeat(32)}`,
    name: "primary network, P-Chain",
  })
})

test("--to prints one spelling alone", async () => {
  expect(await outputOf(key, "--to", "address", "--network-id", "fuji")).toBe("P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t\n")
  expect(await outputOf("P-avax18jma8ppw3nhx5r4ap8clazz0dps7rv5ukulre5", "--to", "address")).toBe(
    "P-avax18jma8ppw3nhx5r4ap8clazz0dps7rv5ukulre5\n",
  )
  expect(await outputOf("P-avax18jma8ppw3nhx5r4ap8clazz0dps7rv5ukulre5", "--to=address", "--network-id=local")).toBe(
    "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u\n",
  )
  expect(await outputOf("0x3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c", "--to", "nodeid")).toBe(
    "NodeID-6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV\n",
  )
  expect(await outputOf("11111111111111111111111111111111LpoYY", "--to", "hex")).toBe(`0x${"00".repeat(32)}\n`)
  expect(await outputOf(`0x${"00".repeat(32)}`, "--to", "cb58")).toBe("11111111111111111111111111111111LpoYY\n")
})

test("a key shows its address on every network and on EVM chains", async () => {
  const evm = "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC"
  expect(await outputOf(key, "--to", "evm")).toBe(`${evm}\n`)
  expect(JSON.parse(await outputOf(key, "--json"))).toEqual({
    kind: "PrivateKey",
    size: 32,
    privateKey: key,
    hex: "0x56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027",
    cb58: key.slice("PrivateKey-".length),
    publicKey: "0x0327448e78ffa8cdb24cf19be0204ad954b1bdb4db8c51183534c1eecf2ebd094e",
    address: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
    bech32: "local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
    shortID: "6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV",
    evmAddress: evm,
    mainnet: "P-avax18jma8ppw3nhx5r4ap8clazz0dps7rv5ukulre5",
    fuji: "P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t",
    local: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
  })
  // An address does not contain the public key, so it has no EVM address.
  expect((await run(["id", "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", "--to", "evm"])).stderr).toContain(
    "cli.no_conversion",
  )
})

test("a spelling that the value does not have is refused", async () => {
  expect(await run(["id", "11111111111111111111111111111111LpoYY", "--to", "nodeid"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "serac: cli.no_conversion: the value cannot be written in this form (kind: ID, to: nodeid)\n",
  })
  expect((await run(["id", key, "--to", "base64"])).stderr).toBe(
    "serac: cli.flag_value: the flag's value does not have the required form (flag: --to, value: base64, expected: one of cb58, hex, nodeid, address, evm)\n",
  )
})
