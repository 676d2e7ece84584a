import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { needs } from "../needs.js"

/** The directory of VM plugins, if there is one. */
export const pluginDir = process.env.SERAC_PLUGINS ?? ""

const fileOf = {
  "subnet-evm": "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy",
  coreth: "mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6",
  xsvm: "v3m4wPxaHpvGr8qfMeyK6PRW3idZrPHmYcMTt7oXdK47yurVH",
}

type VM = keyof typeof fileOf

const pathOf = (vm: VM): string => resolve(pluginDir, fileOf[vm])
const isHere = (vm: VM): boolean => pluginDir !== "" && existsSync(pathOf(vm))

/** Options of tests that need the plugin of a VM. */
export const needsPlugin = (vm: VM) => needs(isHere(vm), `the VM plugin ${vm} in the directory SERAC_PLUGINS`)

/** Options of tests that need the plugin of a VM that follows the clock of its host. Its program knows the variable that names the clock. */
export const needsClockPlugin = (vm: VM) =>
  needs(
    isHere(vm) && readFileSync(pathOf(vm)).includes("GRPC_SERAC_CLOCK"),
    `the VM plugin ${vm} of serac plugin build in SERAC_PLUGINS`,
  )

/** Makes a directory of the same plugins in a directory of a test. They do not follow a clock there. */
export function plainPlugins(dir: string): string {
  const plain = mkdtempSync(join(dir, "plain-"))
  for (const vm of Object.keys(fileOf) as VM[]) {
    if (!isHere(vm)) continue
    writeFileSync(join(plain, fileOf[vm]), `#!/bin/sh\nunset GRPC_SERAC_CLOCK\nexec '${pathOf(vm)}'\n`, { mode: 0o755 })
  }
  return plain
}
