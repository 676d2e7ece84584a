import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { run } from "../../../test/terminal.js"

const folder = mkdtempSync(join(tmpdir(), "serac-key-"))
afterAll(() => rmSync(folder, { recursive: true }))

const EWOQ = "PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN"

test("the addresses of a key in a file are shown, on the network that is named", async () => {
  const file = join(folder, "ewoq")
  writeFileSync(file, `${EWOQ}\n`)
  const { stdout } = await run(["key", "show", file, "--json"])
  expect(JSON.parse(stdout)).toEqual({
    file,
    address: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
    evmAddress: "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC",
    publicKey: "0x0327448e78ffa8cdb24cf19be0204ad954b1bdb4db8c51183534c1eecf2ebd094e",
  })
  expect((await run(["key", "show", file, "--network-id", "fuji"])).stdout).toBe(`File         ${file}
Address      P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t
EVM address  0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC
Public key   0x0327448e78ffa8cdb24cf19be0204ad954b1bdb4db8c51183534c1eecf2ebd094e
`)
})

test("a new key is in a file that its owner alone may read, is not printed, and is never written over another", async () => {
  const [file, other] = [join(folder, "new"), join(folder, "other")]
  const made = await run(["key", "new", file])
  expect([made.code, statSync(file).mode & 0o777]).toEqual([0, 0o600])
  const text = readFileSync(file, "utf8")
  expect(text).toMatch(/^PrivateKey-\w{40,}\n$/)
  expect(made.stdout).not.toContain(text.trim())
  expect((await run(["key", "show", file])).stdout).toBe(made.stdout)
  expect((await run(["key", "new", file])).stderr).toContain("cli.unwritable_file: ")
  expect(readFileSync(file, "utf8")).toBe(text)
  await run(["key", "new", other])
  expect(readFileSync(other, "utf8")).not.toBe(text)
})

test("what is no key, no file and no action is named", async () => {
  const file = join(folder, "wrong")
  writeFileSync(file, "hello")
  const code = async (...words: string[]) => (await run(["key", ...words])).stderr.split(":")[1]?.trim()
  expect(await code("show", file)).toBe("types.no_key_prefix")
  expect(await code("show", join(folder, "nowhere"))).toBe("cli.unreadable_file")
  expect(await code("new", join(folder, "nowhere/key"))).toBe("cli.unwritable_file")
  expect(await code("make", file)).toBe("cli.unknown_action")
})
