import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { validTxs } from "../../../test/fixtures/txs.js"
import { run } from "../../../test/terminal.js"
import { hexToBytes } from "../../core/lib/bytes.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { signedTxOf } from "../../core/txs/tx.js"
import { toHexText } from "../../core/types/hexText.js"

const folder = mkdtempSync(join(tmpdir(), "serac-decode-"))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return `@${path}`
}

/** A RewardValidatorTx. */
const reward = "0000000000143d0ad12b8ee8928edf248ca91ca55600fb383f07c32bff1d6dec472b25cf59a700000000"
const rewardID = "fbt5Rw6Q5MLBrtaaNH9Fx9gMezowx6Ggd8zcxvKXjxkWK8qqU"
const rewardJson = {
  unsignedTx: { txID: "TtF4d2QWbk5vzQGTEPrN48x6vwgAoAmKQ9cbp79inpQmcRKES" },
  credentials: [],
  id: rewardID,
}

/** 18446744073709551615 of an asset for one owner: more than a double can say. */
const output = `${"22".repeat(32)}00000007ffffffffffffffff${"00".repeat(8)}0000000100000001${"ab".repeat(20)}`
/** A BaseTx of Mainnet that has this one output, without credentials. */
const baseTx = `00000000002200000001${"00".repeat(32)}00000001${output}0000000000000000`

const decoded = async (words: string[], setting = {}) => {
  const { code, stdout, stderr } = await run(["decode", ...words], setting)
  expect([code, stderr]).toEqual([0, ""])
  return parseJson(stdout)
}

test("hex is read with and without 0x and checksum, and the answer says whether there was one", async () => {
  const answer = { kind: "RewardValidatorTx", id: rewardID, checksum: false, value: rewardJson }
  expect(await decoded([reward])).toEqual(answer)
  expect(await decoded([`0x${reward.toUpperCase()}`])).toEqual(answer)
  expect(await decoded([toHexText(hexToBytes(reward))])).toEqual({ ...answer, checksum: true })
})

test("input comes from a file or from stdin, as hex or as the bytes themselves", async () => {
  const answer = { kind: "RewardValidatorTx", id: rewardID, checksum: false, value: rewardJson }
  const broken = `${reward.slice(0, 40)}\r\n${reward.slice(40)}\n`
  expect(await decoded([file("tx.hex", broken)])).toEqual(answer)
  expect(await decoded([file("tx.bin", hexToBytes(reward))])).toEqual(answer)
  expect(await decoded(["-"], { stdin: `"${reward}"\n` })).toEqual(answer)
  expect(await decoded([], { stdin: hexToBytes(reward) })).toEqual(answer)
})

test("addresses are those of the network that the value names, unless another is asked for", async () => {
  const addressIn = (answer: unknown) =>
    (answer as { value: { outputs: [{ output: { addresses: string[]; amount: bigint } }] } }).value.outputs[0].output
  expect(addressIn(await decoded([baseTx]))).toMatchObject({
    addresses: [expect.stringMatching(/^P-avax1/)],
    amount: 18_446_744_073_709_551_615n,
  })
  expect(addressIn(await decoded([baseTx, "--network-id", "fuji"])).addresses[0]).toMatch(/^P-fuji1/)
  const alone = (await decoded(["--as", "TransferableOutput", output])) as { value: { output: { addresses: string[] } } }
  expect(alone.value.output.addresses[0]).toMatch(/^P-local1/)
})

test("--fields prints every field with offset, bytes, name and value, long ones on several lines", async () => {
  const { stdout } = await run(["decode", "--fields", toHexText(hexToBytes(reward))])
  expect(stdout).toBe(
    [
      " 0  0000                                                              version",
      " 2  00000014                                                          unsignedTx.typeID = 20",
      " 6  3d0ad12b8ee8928edf248ca91ca55600fb383f07c32bff1d6dec472b25cf59a7  unsignedTx.txID = TtF4d2QWbk5vzQGTEPrN48x6vwgAoAmKQ9cbp79inpQmcRKES",
      "38  00000000                                                          credentials.length = 0",
      "42  0e3cb60c                                                          checksum",
      "",
    ].join("\n"),
  )
  const credential = `00000009${"00000001"}${"11".repeat(65)}`
  expect((await run(["decode", "--fields", credential])).stdout).toBe(
    [
      " 0  00000009                                                          typeID = 9",
      " 4  00000001                                                          signatures.length = 1",
      ` 8  ${"11".repeat(32)}  signatures.0`,
      `40  ${"11".repeat(32)}`,
      "72  11",
      "",
    ].join("\n"),
  )
})

test("--lines answers every line with one, and what is wrong with a line is its answer", async () => {
  const { code, stdout, stderr } = await run(["decode", "--lines"], { stdin: `${reward}\r\n\n0xzz\n0000\n${baseTx}` })
  expect([code, stderr]).toEqual([0, ""])
  const answers = stdout.split("\n")
  expect(answers.pop()).toBe("")
  expect(answers.map((line) => parseJson(line))).toEqual([
    { kind: "RewardValidatorTx", id: rewardID, value: rewardJson },
    { error: { code: "cli.no_input", message: "there is nothing to read", data: {} } },
    {
      error: {
        code: "types.bad_hex",
        message: "a character is not a hex digit",
        data: expect.objectContaining({ position: 0 }),
      },
    },
    {
      error: {
        code: "wire.unrecognised",
        message: "the bytes are not a structure of the P-Chain",
        data: { size: 2, version: 0 },
      },
    },
    { kind: "BaseTx", id: null, value: expect.objectContaining({ networkID: 1 }) },
  ])
  expect((await run(["decode", "--lines", file("many.txt", `${reward}\n`.repeat(3))])).stdout).toBe(`${answers[0]}\n`.repeat(3))
  expect((await run(["decode", "--lines", "--as", "Tx", "-"], { stdin: baseTx })).stdout).toMatch(/"code":"codec.truncated"/)
})

test("--lines shows its progress on a terminal", async () => {
  let clock = 0
  const now = () => (clock += 1_000)
  const { stderr } = await run(["decode", "--lines", file("watched.txt", `${reward}\n`)], { columns: 100, now })
  expect(stderr.split("\x1b[K")).toEqual([expect.stringMatching(/^\r\[#{24}\] 100 % {2}85 of 85 bytes {2}\d+\/s$/), "\r", ""])
})

test("wrong input is reported in one line", async () => {
  const line = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(["decode", ...words])
    expect([code, stdout, stderr.split("\n").length]).toEqual([1, "", 2])
    return stderr
  }
  expect(await line(reward.slice(0, 60))).toBe(
    "serac: codec.truncated: the bytes end before the value does (as: Tx, path: unsignedTx.txID, offset: 6, wanted: 32, left: 24)\n",
  )
  expect(await line(`${reward}00`)).toMatch(/^serac: codec.trailing: bytes follow the end of the value \(/)
  expect(await line(`${reward}00000000`)).toMatch(
    /^serac: types.bad_checksum: the checksum does not match \(kind: RewardValidatorTx, /,
  )
  expect(await line("0x")).toBe("serac: cli.no_input: there is nothing to read\n")
  expect(await line("0x123")).toMatch(/^serac: types.odd_hex: /)
  expect(await line("@/no/such/file")).toMatch(/^serac: cli.unreadable_file: .*ENOENT/)
  expect(await line("--lines", "@/no/such/file")).toMatch(/^serac: cli.unreadable_file: .*ENOENT/)
  expect(await line("--lines", `@${folder}`)).toMatch(/^serac: cli.unreadable_file: .*EISDIR/)
  expect(await line("--lines", "--fields")).toMatch(/^serac: cli.flag_without_effect: /)
  expect(await line("--lines", reward)).toMatch(/^serac: cli.flag_without_effect: /)
})

test("control characters in a name are escaped and do not control the terminal", async () => {
  const chainName = "\x1b[2J\x1b]0;pwned\x07 \x7f\nx"
  const tx = toHexText(signedTxOf({ ...validTxs.CreateChainTx, chainName }, []).bytes)
  for (const words of [[], ["--fields"], ["--lines", "-"]]) {
    const given = words.includes("-") ? { stdin: `${tx}\n` } : {}
    const { stdout } = await run(["decode", ...words, ...(words.includes("-") ? [] : [tx])], given)
    expect(stdout).toMatch(/^[ -~\n]*$/)
    expect(stdout).toContain("\\u001b]0;pwned\\u0007 \\u007f\\nx")
  }
})
