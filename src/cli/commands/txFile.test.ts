import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, expect, onTestFinished, test } from "vitest"
import { textOfTx, textOfUtxo, txOfText, utxoOfText } from "../../../test/fixtures/txTexts.js"
import { run } from "../../../test/terminal.js"
import type { UnsignedTx } from "../../core/txs/unsignedTx.js"
import { type Address, parsePChainAddress } from "../../core/types/address.js"
import { innerOutput } from "../../core/types/output.js"
import type { Utxo } from "../../core/types/utxo.js"
import { type Devnet, startDevnet } from "../../devnet/devnet.js"

const FRIEND = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
const NODE = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"
const AVAX = "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe"
const NOW = 1_900_000_000n
let devnet: Devnet
let folder: string

beforeEach(async () => {
  devnet = await startDevnet({ accounts: 3, startTime: NOW, freezeTime: true })
  folder = mkdtempSync(join(tmpdir(), "serac-tx-"))
  onTestFinished(async () => {
    rmSync(folder, { recursive: true })
    await devnet.stop()
  })
})

const address = (account: number) => devnet.accounts[account]?.address ?? ""
const balance = async (owner: string) => (await devnet.rpc("platform.getBalance", { addresses: [owner] })).balance
/** Runs a verb at the clock of the chain. */
const tx = (...words: readonly string[]) => run(["tx", ...words], { now: () => Number(NOW) * 1000 })
const build = (...words: readonly string[]) => tx("build", ...words, "--url", devnet.url)

/** Writes the output of a command to a file, as a shell does, and returns the name of the file. */
let files = 0
async function into(outcome: Promise<{ readonly stdout: string; readonly stderr: string; readonly code: number }>) {
  const { stdout, stderr, code } = await outcome
  if (code !== 0) throw new Error(stderr)
  const file = join(folder, `${files++}.json`)
  writeFileSync(file, stdout)
  return file
}

function keyFile(account: number): string {
  const file = join(folder, `key${account}`)
  writeFileSync(file, `${devnet.accounts[account]?.privateKey}\n`)
  return file
}

const sign = (file: string, account: number) => tx("sign", file, "--private-key-file", keyFile(account))
const send = (file: string) => tx("send", file, "--url", devnet.url)

const json = async (file: string, ...words: readonly string[]) =>
  JSON.parse((await tx("inspect", file, "--json", ...words)).stdout)
const refused = async (outcome: ReturnType<typeof tx>) => (await outcome).stderr.split(": ")[1]

/** Gives 10 AVAX to the three accounts, of whom two must sign, and returns the reference of the UTXO. */
async function fundTwoOfThree(): Promise<string> {
  const addresses = [address(0), address(1), address(2)]
  const { txID = "" } = await devnet.dev.fund({ addresses, threshold: 2, amount: 10_000_000_000n })
  const { outputs } = await devnet.rpc("platform.getTxInfo", { txID })
  return `${txID}:${outputs.findIndex(({ threshold }) => threshold === 2)}`
}

const FROM = () => `${address(0)},${address(2)}`

test("two of three owners sign apart from each other, and what they sign is sent once", async () => {
  const utxo = await fundTwoOfThree()
  const unsigned = await into(build("send", FRIEND, "4avax", "--from", FROM(), "--utxos", utxo))
  const [first, second] = [await into(sign(unsigned, 0)), await into(sign(unsigned, 2))]
  expect((await send(first)).stderr).toBe(
    `serac: client.missing_signatures: signatures are missing (signers: ["${address(2)}"])\n`,
  )
  const both = await into(tx("combine", first, second))
  const { txID, fee, signers, outputs, inputs, unusual } = await json(both, "--url", devnet.url)
  const gets = 6_000_000_000 - fee
  const signed = [address(0), address(2)].map((signer) => ({ signer, isSigned: true, takes: 10_000_000_000, gets }))
  expect({ signers, inputs, unusual }).toEqual({
    signers: expect.arrayContaining(signed),
    inputs: [{ from: utxo, amount: 10_000_000_000, signers: expect.arrayContaining([address(0), address(2)]) }],
    unusual: [],
  })
  // The third owner signs nothing, so the file alone does not prove that this is change.
  const owners = [address(0), address(1), address(2)]
  const change = { part: "output", amount: gets, threshold: 2, isChange: false }
  expect(outputs).toContainEqual({ ...change, addresses: expect.arrayContaining(owners) })
  expect(await send(both)).toEqual({ code: 0, stdout: `Transaction  ${txID}\nStatus       Committed\n`, stderr: "" })
  expect(await balance(FRIEND)).toBe(4_000_000_000n)
  // The same UTXO a second time, by the same file: the node names what is wrong, and inspect with the node, too.
  expect(await refused(send(both))).toBe("rules.unknown_utxo")
  expect((await json(both, "--url", devnet.url)).unknownUtxos).toEqual([utxo])
})

test("inspect says in words what each key is asked for", async () => {
  const utxo = await fundTwoOfThree()
  const unsigned = await into(build("send", FRIEND, "4avax", "--from", FROM(), "--utxos", utxo))
  const { stdout } = await tx("inspect", unsigned, "--known", FRIEND, "--url", devnet.url)
  const [a, b, c] = [address(0), address(1), address(2)]
  const shown = stdout.replaceAll(a, "A").replaceAll(b, "B").replaceAll(c, "C").replaceAll(FRIEND, "F").replaceAll(utxo, "UTXO")
  expect(shown.replaceAll(/0x\w{64}/g, "0xHASH").replaceAll(/P-local1\w+…\w+/g, "SHORT")).toMatchInlineSnapshot(`
    "Network      local (12345), chain P
    Transaction  BaseTx: 4 AVAX to SHORT, 5.999993912 AVAX to SHORT and 2 more
    Hash         0xHASH, which is signed for all inputs at once
    Fee          0.000006088 AVAX
    Signed       by 0 of 2 keys

      TAKES  FROM                                                  SIGNERS
    10 AVAX  UTXO  A, C

               GIVES  AS      OWNERS
              4 AVAX  output  F
    5.999993912 AVAX  output  A, B, C (2 of 3)

    KEY                                               TAKES              GETS  SIGNED
    A  10 AVAX  5.999993912 AVAX  no
    C  10 AVAX  5.999993912 AVAX  no

    Unusual: owners of the output of 5.999993912 AVAX who do not sign: B.

    The node has all of these UTXOs, with these owners.
    "
  `)
})

const changed = async (file: string, change: (text: string) => string) => {
  const name = join(folder, `${files++}.json`)
  writeFileSync(name, change(readFileSync(file, "utf8")))
  return name
}

test("a wrong signer, a changed output, a lie about a UTXO and a file of another network are refused by name", async () => {
  const unsigned = await into(build("send", FRIEND, "4avax", "--from", address(0)))
  expect(await refused(sign(unsigned, 1))).toBe("client.not_a_signer")
  const signed = await into(sign(unsigned, 0))
  const { unsignedTx, utxos } = JSON.parse(readFileSync(signed, "utf8"))
  const decoded = txOfText(unsignedTx) as Extract<UnsignedTx, { kind: "BaseTx" }>
  const withTx = (made: typeof decoded) => changed(signed, (text) => text.replace(unsignedTx, textOfTx(made)))
  const [paid, change] = decoded.outputs
  const outputs = [{ ...paid!, output: { ...paid!.output, amount: 4_000_000_001n } }, change!] as typeof decoded.outputs
  const other = await withTx({ ...decoded, outputs })
  for (const verb of ["inspect", "sign", "send", "combine"]) {
    const words = verb === "send" ? ["--url", devnet.url] : []
    expect([verb, await refused(tx(verb, other, ...words))]).toEqual([verb, "client.wrong_signature"])
  }
  expect(await refused(tx("combine", signed, await into(build("send", FRIEND, "3avax", "--from", address(0)))))).toBe(
    "client.other_transaction",
  )
  const utxo = utxoOfText(utxos[0])
  const lied = (lie: Utxo) => changed(unsigned, (text) => text.replace(utxos[0], textOfUtxo(lie)))
  const inner = innerOutput(utxo.output)
  const lies: readonly (readonly [Utxo, string])[] = [
    [{ ...utxo, output: { ...inner, amount: inner.amount + 1n } }, "client.wrong_utxo"],
    [{ ...utxo, outputIndex: utxo.outputIndex + 1 }, "client.wrong_utxo"],
    [{ ...utxo, assetID: utxo.txID }, "client.wrong_utxo"],
    [{ ...utxo, output: { ...inner, threshold: 2 } }, "client.wrong_utxo"],
    [{ ...utxo, output: { ...inner, addresses: ["11".repeat(20) as Address] } }, "client.other_signers"],
  ]
  for (const [lie, code] of lies) expect(await refused(tx("inspect", await lied(lie)))).toBe(code)
  const [input] = decoded.inputs
  expect(await refused(tx("inspect", await withTx({ ...decoded, inputs: [input!, input!] })))).toBe("client.wrong_utxo")
  const elsewhere = await startDevnet({ networkID: 9_999, accounts: 0 })
  onTestFinished(() => elsewhere.stop())
  expect(await refused(tx("send", signed, "--url", elsewhere.url))).toBe("client.other_network")
})

test("what is no transaction file is refused with the place", async () => {
  const unsigned = await into(build("send", FRIEND, "4avax", "--from", address(0)))
  const cases: readonly (readonly [(text: string) => string, string, string])[] = [
    [() => "[]", "client.tx_file_form", "an object"],
    [(text) => text.replace("/1", "/2"), "client.tx_file_form", "format"],
    [(text) => text.replace('"P"', '"X"'), "client.tx_file_form", "chain"],
    [(text) => text.replace('"utxos"', '"more": 1, "utxos"'), "client.tx_file_form", "more"],
    [(text) => text.replace("null", '"0x00"'), "client.tx_file_form", "signatures.0.0.signature"],
    [(text) => text.replace("null", `"0x${"11".repeat(65)}"`), "client.wrong_signature", address(0)],
    [(text) => text.replace(/"unsignedTx": "0x..../, '"unsignedTx": "0x1111'), "types.bad_checksum", ""],
    [() => "{", "json.malformed", ""],
  ]
  for (const [change, code, words] of cases) {
    const { stderr } = await tx("inspect", await changed(unsigned, change))
    expect([code, stderr.split(": ")[1], stderr.includes(words)]).toEqual([code, code, true])
  }
})

/** Addresses in the order of their bytes, as owners have them. */
const ascending = (...texts: readonly string[]) => {
  const bytes = (text: string) => parsePChainAddress(text, "local")
  return [...texts].sort((a, b) => (bytes(a) < bytes(b) ? -1 : 1))
}

test("any kind is built from its JSON, with the owners of a subnet as signers, and from bytes of another tool", async () => {
  const owner = { threshold: 2, locktime: 0, addresses: ascending(address(0), address(2)) }
  const build2 = (json: object) => build(JSON.stringify(json), "--from", FROM())
  const subnet = await into(build2({ kind: "CreateSubnetTx", owner }))
  const both = async (file: string) => into(sign(await into(sign(file, 0)), 2))
  const { rights, signers } = await json(subnet)
  expect([rights[0].right, signers.length]).toEqual(["the subnet", 1])
  const subnetID = (await json(await both0(subnet))).txID
  expect((await send(await both0(subnet))).stderr).toBe("")
  const members = { subnetID, chainName: "mine", vmID: subnetID, fxIDs: [], genesisData: "0x00" }
  const chain = await into(build2({ kind: "CreateChainTx", ...members }))
  expect((await json(chain)).signers.map(({ signer }: { signer: string }) => signer).sort()).toEqual(FROM().split(",").sort())
  expect((await send(await both(chain))).stderr).toBe("")
  const { blockchains } = await devnet.rpc("platform.getBlockchains", {})
  expect(blockchains.map(({ name }) => name)).toContain("mine")
  expect(await refused(build(JSON.stringify({ kind: "CreateChainTx", ...members }), "--from", address(0)))).toBe(
    "client.too_few_signers",
  )
  const { unsignedTx } = JSON.parse(readFileSync(chain, "utf8"))
  // Its inputs are spent by now, so they are unknown.
  expect(await refused(build(unsignedTx, "--from", FROM()))).toBe("client.wrong_utxo")
  const again = await into(build2({ kind: "CreateChainTx", ...members }))
  const file = JSON.parse(readFileSync(again, "utf8"))
  expect(JSON.parse((await build(file.unsignedTx, "--from", FROM())).stdout)).toEqual(file)
  expect(await refused(build('{"kind":"AdvanceTimeTx","time":5}', "--from", FROM()))).toBe("client.unsigned_kind")
})

/** A file of which the first account is the only signer. */
const both0 = async (file: string) => into(sign(file, 0))

test("a delegation is built, and stakes that go to strangers are unusual", async () => {
  const stake = await into(build("delegate", NODE, "25avax", "14d", "--from", address(0)))
  expect((await send(await both0(stake))).stderr).toBe("")
  const { stakes } = await devnet.rpc("platform.getStakesByAddress", { address: address(0) })
  expect(stakes[0]).toMatchObject({ nodeID: NODE, amount: 25_000_000_000n, state: "active" })
  const strange = await json(await into(build("delegate", NODE, "25avax", "14d", "--from", address(0), "--change", FRIEND)))
  expect(strange.unusual.map(({ code, sentence }: { code: string; sentence: string }) => [code, sentence])).toEqual([
    ["unknown_owner", `owners of the stake of 25 AVAX who do not sign: ${FRIEND}`],
    ["unknown_owner", `owners of the reward who do not sign: ${FRIEND}`],
  ])
  expect(await refused(build("send", FRIEND, "4avax"))).toBe("cli.missing_flag")
  expect(await refused(build("send", FRIEND, "--from", address(0)))).toBe("cli.missing_argument")
  expect(await refused(build("give", FRIEND, "--from", address(0)))).toBe("cli.unknown_action")
  expect(await refused(build("send", FRIEND, "900000000avax", "--from", address(0)))).toBe("producer.insufficient_funds")
})

test("a lock of years, a large fee and an output for anyone are unusual", async () => {
  const output = (more: object) => ({
    assetID: AVAX,
    output: { amount: 1, locktime: 0, threshold: 1, addresses: [FRIEND], ...more },
  })
  const outputs = [output({ threshold: 0, addresses: [] }), output({ locktime: Number(NOW) + 400 * 86_400 })]
  const file = await into(build(JSON.stringify({ kind: "BaseTx", outputs }), "--from", address(0)))
  const { unusual } = await json(file)
  expect(unusual.map(({ code }: { code: string }) => code)).toEqual(["anyone", "long_lock"])
  const { unsignedTx } = JSON.parse(readFileSync(file, "utf8"))
  const decoded = txOfText(unsignedTx) as Extract<UnsignedTx, { kind: "BaseTx" }>
  const burning = textOfTx({ ...decoded, outputs: decoded.outputs.slice(0, 2) })
  const { unusual: burned } = await json(await changed(file, (text) => text.replace(unsignedTx, burning)))
  expect(burned.map(({ code }: { code: string }) => code)).toContain("large_fee")
})
