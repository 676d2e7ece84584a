import { existsSync } from "node:fs"
import { join } from "node:path"
import { needs } from "../needs.js"

/** The directory of VM plugins, if there is one. */
export const pluginDir = process.env.SERAC_PLUGINS ?? ""

const fileOf = {
  "subnet-evm": "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy",
  coreth: "mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6",
  xsvm: "v3m4wPxaHpvGr8qfMeyK6PRW3idZrPHmYcMTt7oXdK47yurVH",
}

/** Options of tests that need the plugin of a VM. */
export const needsPlugin = (vm: keyof typeof fileOf) =>
  needs(pluginDir !== "" && existsSync(join(pluginDir, fileOf[vm])), `the VM plugin ${vm} in the directory SERAC_PLUGINS`)
