import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { run } from "../../test/terminal.js"
import { version } from "../node/version.js"
import { commands } from "./commands/index.js"

const line = async (...words: string[]) => {
  const { code, stdout, stderr } = await run(words)
  expect([code, stdout]).toEqual([1, ""])
  return stderr
}

test("the version is package.json's", async () => {
  expect(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version).toBe(version)
  expect(await run(["--version"])).toEqual({
    code: 0,
    stdout: `serac ${version}\nrules and answers of AvalancheGo v1.15.0\n`,
    stderr: "",
  })
})

test("--version-json prints the versions that AvalancheGo's tools read", async () => {
  const { code, stdout } = await run(["--version-json"])
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      application: `serac/${version}`,
      reference: "avalanchego/1.15.0",
      database: "v1.4.5",
      rpcchainvm: expect.any(Number),
      commit: "",
      go: "",
      crypto: { secp256k1: "wasm", bls: "native" },
    },
  ])
})

test("help is written to stdout, lists every command, and describes each with its flags and examples", async () => {
  const { stdout } = await run(["help"])
  for (const { name, summary } of commands) expect(stdout).toMatch(new RegExp(`^ {2}${name} +${summary.slice(0, 20)}`, "m"))
  expect((await run(["--help"])).stdout).toBe(stdout)
  expect((await run(["-h"])).stdout).toBe(stdout)
  for (const { name } of commands) {
    const asked = await run(["help", name])
    expect(asked).toMatchObject({ code: 0, stderr: "" })
    expect(asked.stdout).toContain(`Usage: serac ${name}`)
    expect(asked.stdout).toContain("Examples:\n")
    expect((await run([name, "--help"])).stdout).toBe(asked.stdout)
    expect((await run([name, "-h"])).stdout).toBe(asked.stdout)
  }
})

test("the help of every command fits a screen: up to 40 lines of 110 columns, with many flags in groups", async () => {
  for (const { name, load } of commands) {
    const { examples, groups = {}, flags } = await load()
    const calls = examples.map(({ call }) => `  ${call}`)
    const screens = [(await run(["help", name])).stdout]
    for (const group of Object.keys(groups)) screens.push((await run(["help", name, group.toLowerCase()])).stdout)
    for (const [i, screen] of screens.entries()) {
      const lines = screen.trimEnd().split("\n")
      // Groups of rules and of the limits of peers are lists to look something up in.
      if (i === 0) expect([name, lines.length <= 40 ? "" : lines.length]).toEqual([name, ""])
      const wide = lines.filter((each) => each.length > 110 && !calls.includes(each) && !each.startsWith("Usage:"))
      expect([name, wide]).toEqual([name, []])
    }
    if (Object.keys(groups).length === 0) continue
    const explained = Object.keys(flags).filter((flag) => flags[flag]?.help !== "")
    const grouped = Object.values(groups).map((names) => names.filter((flag) => flags[flag]?.help !== ""))
    expect([name, grouped.flat().toSorted()]).toEqual([name, explained.toSorted()])
    for (const [i, group] of Object.keys(groups).entries()) {
      const { stdout } = await run(["help", name, group.toLowerCase().slice(0, 4)])
      for (const flag of grouped[i] as readonly string[]) expect(stdout).toContain(`--${flag}`)
    }
  }
})

test("--all shows all flags but AvalancheGo's without effect, in both ways to ask for it", async () => {
  const [short, all, other] = [
    ["help", "node"],
    ["help", "node", "--all"],
    ["node", "--help", "--all"],
  ].map((words) => run(words))
  expect([(await short)?.stdout, (await all)?.stdout].map((text) => text?.includes("--throttler-"))).toEqual([false, true])
  expect((await all)?.stdout).toContain("\n  Flags of AvalancheGo that have no effect are not listed here: ")
  expect((await all)?.stdout).not.toContain("--tracing-endpoint")
  expect((await other)?.stdout).toBe((await all)?.stdout)
  expect((await run(["l1", "create", "--help"])).stdout).toBe((await run(["help", "l1"])).stdout)
  expect(await line("help", "node", "colours")).toMatch(/^serac: cli\.unknown_topic: .*\(topic: colours, known: Server, /)
})

test("wrong input is reported in one line on stderr, with code, sentence and data", async () => {
  expect(await line("decod")).toBe(
    "serac: cli.unknown_command: there is no such command (command: decod). Did you mean decode?\n",
  )
  expect(await line("help", "idd")).toBe(
    "serac: cli.unknown_command: there is no such command (command: idd). Did you mean id?\n",
  )
  expect(await line("advance", "14d")).toBe(
    "serac: cli.unknown_command: there is no such command (command: advance). Did you mean dev advance?\n",
  )
  expect(await line("platform.getHeight")).toBe(
    "serac: cli.unknown_command: there is no such command (command: platform.getHeight). Did you mean call platform.getHeight?\n",
  )
  expect(await line("id")).toBe("serac: cli.missing_argument: an argument is missing (command: id, takes: VALUE)\n")
  expect(await line("--ephemeral", "--mempool-max-gas", "0")).toBe(
    "serac: cli.flag_value: the flag's value does not have the required form (flag: --mempool-max-gas, value: 0, expected: an amount of gas, at least 1)\n",
  )
  expect(await line("id", "a", "b")).toBe(
    "serac: cli.extra_argument: there is one argument too many (argument: b, takes: VALUE)\n",
  )
  expect(await line("genesis", "--network", "fuji")).toBe(
    "serac: cli.unknown_flag: the command has no such flag (flag: --network). Did you mean --network-id?\n",
  )
  expect(await line("decode", "0000\n", "--as", 'no\nsuch"kind')).toMatch(
    /^serac: wire.unknown_kind: there is no structure of this name \(kind: no\\nsuch"kind, known: .*…\)\n$/,
  )
})

test("a command comes before its flags", async () => {
  expect(await line("--network-id", "local", "genesis")).toBe(
    "serac: cli.misplaced_command: the command must come first, before its flags (command: genesis)\n",
  )
})

test("without a command the flags are those of node", async () => {
  expect(await line("--http-prot", "0")).toBe(
    "serac: cli.unknown_flag: the command has no such flag (flag: --http-prot). Did you mean --http-port?\n",
  )
})

test("flags come from the environment and from the configuration too", async () => {
  const network = async (words: string[], env: Record<string, string> = {}) =>
    JSON.parse((await run(["genesis", "--json", ...words], { env })).stdout).networkID
  const content = Buffer.from('{"network-id": 7777, "http-port": 0}').toString("base64")
  expect(await network([], { SERAC_NETWORK_ID: "9999" })).toBe(9999)
  expect(await network(["--config-file-content", content])).toBe(7777)
  expect(await network([], { SERAC_CONFIG_FILE_CONTENT: content })).toBe(7777)
  expect(await network([], { SERAC_CONFIG_FILE_CONTENT: content, SERAC_NETWORK_ID: "9999" })).toBe(9999)
  expect(await network(["--network-id=8888"], { SERAC_CONFIG_FILE_CONTENT: content, SERAC_NETWORK_ID: "9999" })).toBe(8888)
})

test("a chain is served from a database or from a data directory, and the password of the database is not repeated", async () => {
  const url = "postgres://serac:secret@127.0.0.1:1/chain"
  expect(await line("serve", "--postgres", url, "--data-dir", "chain")).toBe(
    "serac: cli.flag_without_effect: this flag would have no effect (flag: --data-dir, reason: the chain is read from the database that --postgres names)\n",
  )
  const { code, stderr } = await run(["serve", "--postgres", url, "--http-port", "0"])
  // The server may be there later, so who supervises the process starts it again.
  expect([code, stderr]).toEqual([
    75,
    "serac: postgres.unreachable: the PostgreSQL server does not answer; all published blocks are stored (server: postgres://serac@127.0.0.1:1/chain, reason: ECONNREFUSED)\n",
  ])
})

test("a public server passes no requests on to other nodes", async () => {
  const refusal =
    "serac: cli.flag_without_effect: this flag would have no effect (flag: --chain-proxy, reason: a server with --public passes no requests on to other nodes)\n"
  const proxy = ["--public", "--chain-proxy", "C=http://127.0.0.1:8545"]
  expect(await line("node", "--ephemeral", ...proxy)).toBe(refusal)
  expect(await line("serve", "--data-dir", "chain", ...proxy)).toBe(refusal)
})

test("a configuration that is not a JSON object is refused", async () => {
  const content = (text: string) => ["genesis", "--config-file-content", Buffer.from(text).toString("base64")]
  expect(await line(...content("[1]"))).toBe(
    "serac: cli.bad_config: the configuration is not a JSON object of flags (file: --config-file-content, reason: it holds another JSON value)\n",
  )
  expect(await line(...content("{"))).toMatch(/^serac: cli.bad_config: .*reason: the text is not JSON, offset: 1\)\n$/)
  expect(await line("genesis", "--config-file", "/no/such/file")).toBe(
    "serac: cli.unreadable_file: the file cannot be read (file: /no/such/file, reason: ENOENT: no such file or directory)\n",
  )
})

test("control characters of a configuration do not reach the terminal", async () => {
  const content = Buffer.from('{"network-id": "\\u001b]0;pwned\\u0007\\u009b2J"}').toString("base64")
  const output = await line("genesis", "--config-file-content", content)
  expect(output).toMatch(/^[ -~]*\n$/)
  expect(output).toContain("\\u001b]0;pwned\\u0007\\u009b2J")
})

test("a file that unpacks to more than any configuration has is refused", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "serac-main-")), "bomb.json.gz")
  writeFileSync(path, gzipSync(new Uint8Array(65 << 20)))
  for (const flag of ["--config-file", "--genesis-file", "--upgrade-file"]) {
    const command = flag === "--upgrade-file" ? "node" : "genesis"
    expect(await line(command, flag, path)).toBe(
      `serac: files.too_large: the file, or its content after gunzip, is larger than the limit (file: ${path}, limit: ${64 << 20})\n`,
    )
  }
  rmSync(dirname(path), { recursive: true })
})
