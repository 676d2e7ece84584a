import { spawnSync } from "node:child_process"
import { expect, test } from "vitest"
import { run } from "../../../test/terminal.js"

/** The words that bash offers for the last word of a line. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const { stdout } = await run(["completions", "bash"])
  const typed = words.map((word) => `'${word}'`).join(" ")
  const script = `${stdout}\nCOMP_WORDS=(serac ${typed}); COMP_CWORD=${words.length}; _serac; printf '%s\\n' "\${COMPREPLY[@]}"`
  return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trimEnd().split("\n")
}

test("bash completes commands, and the flags of a command", async () => {
  expect(await offered("val")).toEqual(["validators"])
  expect(await offered("export", "--fo")).toEqual(["--format"])
  expect(await offered("--http-p")).toEqual(["--http-port"])
  expect(await offered("export", "sta")).toEqual(["stakers", "stakes"])
  expect(await offered("call", "platform.getBal")).toEqual(["platform.getBalance", "platform.getBalanceAt"])
  expect(await offered("help", "comp")).toEqual(["completions"])
  expect(await offered("node", "--tracing")).toEqual([""])
})

test.each(["zsh", "fish"])("the script for %s names every command and flag", async (shell) => {
  const { stdout } = await run(["completions", shell])
  for (const word of ["validators", "export", "network", "stakers", "platform.getTxs"]) expect(stdout).toContain(word)
  expect(stdout).toContain(shell === "fish" ? "-l http-port" : "--http-port")
})

test("another shell is refused by name", async () => {
  const { code, stderr } = await run(["completions", "tcsh"])
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^serac: cli\.unknown_action: .*\(action: tcsh, known: bash, zsh, fish\)/),
  ])
})
